// Markdown → elements, node by node by an allow-list. Raw HTML is text here, images are named and never loaded, and a
// link leads to the web or to mail or is none.

import type { Definition, ListItem, Nodes, Parents, Table } from 'mdast'
import type { JSX, ReactNode } from 'react'
import { createElement, Fragment, memo, useMemo } from 'react'
import { Link } from 'wouter'
import { cleanText } from './clean.ts'
import { CodeBlock } from './code-block.tsx'
import { OutwardLink } from './outward-link.tsx'
import { definitionsOf, parseMarkdown } from './parse-markdown.ts'
import { PlainText } from './plain-text.tsx'
import { SCROLLS } from './scrolls.ts'
import './markdown.css'
import './text.css'

export interface MarkdownProps {
  readonly text: string
  /** How far below its own level a heading stands on the page. */
  readonly headingsBelow?: number
  /** Where a text in backticks leads to on this page; null for nowhere. */
  readonly codeHref?: (code: string) => string | null
}

interface Page extends Pick<MarkdownProps, 'codeHref'> {
  readonly headingsBelow: number
  readonly source: string
  readonly definitions: ReadonlyMap<string, Definition>
}

/** Headings of a reply stand below that of its Turn. */
const HEADINGS_BELOW = 2
const DEPTH_MAX = 60

export const Markdown = memo(function Markdown(props: MarkdownProps): JSX.Element {
  const { text, headingsBelow = HEADINGS_BELOW, codeHref } = props
  const content = useMemo(() => markdownElements(text, headingsBelow, codeHref), [text, headingsBelow, codeHref])
  return (
    <div className="markdown" dir="auto">
      {content}
    </div>
  )
})

function markdownElements(text: string, headingsBelow: number, codeHref: MarkdownProps['codeHref']): ReactNode {
  const source = cleanText(text).trim()
  const root = parseMarkdown(source)
  if (root === null) return <PlainText text={source} />
  const page = { source, headingsBelow, definitions: definitionsOf(root) }
  return childrenOf(root, codeHref === undefined ? page : { ...page, codeHref }, 0)
}

function childrenOf(node: Parents, page: Page, depth: number): ReactNode {
  return keyed(node.children.map((child) => elementOf(child, page, depth + 1)))
}

/** Nodes of a parsed text never change places, so their place is a name for them. */
function keyed(children: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...children)
}

function elementOf(node: Nodes, page: Page, depth: number): ReactNode {
  if (depth > DEPTH_MAX) return sourceOf(node, page)
  const inner = (): ReactNode => ('children' in node ? childrenOf(node, page, depth) : null)
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value
    case 'paragraph':
      return <p>{inner()}</p>
    case 'heading':
      return createElement(`h${Math.min(6, node.depth + page.headingsBelow)}`, null, inner())
    case 'emphasis':
      return <em>{inner()}</em>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'delete':
      return <del>{inner()}</del>
    case 'inlineCode':
      return codeElement(node.value, page)
    case 'code':
      return <CodeBlock text={node.value} language={languageOf(node.lang)} />
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'list':
      return node.ordered === true ? <ol start={node.start ?? 1}>{inner()}</ol> : <ul>{inner()}</ul>
    case 'listItem':
      return listElement(node, page, depth)
    case 'link':
      return <OutwardLink url={node.url}>{inner()}</OutwardLink>
    case 'linkReference': {
      const url = page.definitions.get(node.identifier)?.url
      return url === undefined ? sourceOf(node, page) : <OutwardLink url={url}>{inner()}</OutwardLink>
    }
    case 'image':
      return <OutwardLink url={node.url}>{imageName(node.alt)}</OutwardLink>
    case 'imageReference':
      return <OutwardLink url={page.definitions.get(node.identifier)?.url ?? ''}>{imageName(node.alt)}</OutwardLink>
    case 'table':
      return tableElement(node, page, depth)
    case 'footnoteReference':
      return <sup>[{node.label ?? node.identifier}]</sup>
    case 'footnoteDefinition':
      return (
        <div className="foot">
          <sup>[{node.label ?? node.identifier}]</sup> {inner()}
        </div>
      )
    case 'definition':
      return null
    default:
      return 'children' in node ? inner() : sourceOf(node, page)
  }
}

function codeElement(text: string, { codeHref }: Page): ReactNode {
  const href = codeHref?.(text) ?? null
  if (href === null) return <code>{text}</code>
  return (
    <Link href={href} className="code-link">
      <code>{text}</code>
    </Link>
  )
}

function listElement(node: ListItem, page: Page, depth: number): ReactNode {
  const inner = keyed(
    node.children.map((child) =>
      // The only paragraph of a tight list is no paragraph.
      child.type === 'paragraph' && node.spread !== true
        ? childrenOf(child, page, depth + 1)
        : elementOf(child, page, depth + 1),
    ),
  )
  if (typeof node.checked !== 'boolean') return <li>{inner}</li>
  return (
    <li className="task">
      <span className="box" role="img" aria-label={node.checked ? 'done' : 'open'}>
        {node.checked ? '☑' : '☐'}
      </span>{' '}
      {inner}
    </li>
  )
}

function tableElement(table: Table, page: Page, depth: number): ReactNode {
  const rows = table.children.map((row, place) => {
    const cells = row.children.map((cell, column) => {
      const align = table.align?.[column]
      const side = align === 'right' || align === 'center' ? { className: align } : null
      return createElement(place === 0 ? 'th' : 'td', side, childrenOf(cell, page, depth + 2))
    })
    return <tr key={row.position?.start.offset}>{keyed(cells)}</tr>
  })
  return (
    <section className="md-table" aria-label="Table" {...SCROLLS}>
      <table>
        <thead>{rows.slice(0, 1)}</thead>
        <tbody>{rows.slice(1)}</tbody>
      </table>
    </section>
  )
}

function sourceOf(node: Nodes, { source }: Page): string {
  return source.slice(node.position?.start.offset, node.position?.end.offset)
}

function languageOf(lang: string | null | undefined): string {
  return /^[\w+#.-]{1,20}/.exec(lang ?? '')?.[0] ?? ''
}

function imageName(alt: string | null | undefined): string {
  return `[image${alt ? `: ${alt}` : ''}]`
}
