// Markdown → a string of HTML, node by node by an allow-list. Raw HTML is text here, images are named and never loaded,
// and a link leads to the web or to mail or is none.

import type { Definition, Nodes, Parents, Root, Table } from 'mdast'
import { cleanText } from './clean.ts'
import { escapeHtml } from './html-escape.ts'
import { isOutwardLink } from './links.ts'
import { parseMarkdown } from './parse-markdown.ts'

interface Page {
  readonly source: string
  readonly definitions: ReadonlyMap<string, Definition>
}

/** Headings of a reply stand below that of its Turn. */
const HEADINGS_BELOW = 2
const DEPTH_MAX = 60

export function markdownHtml(text: string): string {
  const source = cleanText(text).trim()
  const root = parseMarkdown(source)
  if (root === null) return `<p class="plain">${escapeHtml(source)}</p>`
  return childrenHtml(root, { source, definitions: definitionsOf(root) }, 0)
}

function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>()
  const queue: Nodes[] = [...root.children]
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next] as Nodes
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
    if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') queue.push(...node.children)
  }
  return found
}

function childrenHtml(node: Parents, page: Page, depth: number): string {
  return node.children.map((child) => nodeHtml(child, page, depth + 1)).join('')
}

function nodeHtml(node: Nodes, page: Page, depth: number): string {
  if (depth > DEPTH_MAX) return escapeHtml(sourceOf(node, page))
  const inner = (): string => ('children' in node ? childrenHtml(node, page, depth) : '')
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value)
    case 'html':
      return escapeHtml(node.value)
    case 'paragraph':
      return `<p>${inner()}</p>`
    case 'heading': {
      const tag = `h${Math.min(6, node.depth + HEADINGS_BELOW)}`
      return `<${tag}>${inner()}</${tag}>`
    }
    case 'emphasis':
      return `<em>${inner()}</em>`
    case 'strong':
      return `<strong>${inner()}</strong>`
    case 'delete':
      return `<del>${inner()}</del>`
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`
    case 'code':
      return codeHtml(node.value, node.lang ?? '')
    case 'break':
      return '<br>'
    case 'thematicBreak':
      return '<hr>'
    case 'blockquote':
      return `<blockquote>${inner()}</blockquote>`
    case 'list': {
      const start = node.ordered === true && typeof node.start === 'number' && node.start !== 1 ? node.start : null
      const tag = node.ordered === true ? 'ol' : 'ul'
      return `<${tag}${start === null ? '' : ` start="${start}"`}>${inner()}</${tag}>`
    }
    case 'listItem': {
      if (typeof node.checked !== 'boolean') return `<li>${itemHtml(node, page, depth)}</li>`
      const box = `<span class="box">${node.checked ? '☑' : '☐'}</span> `
      return `<li class="task">${box}${itemHtml(node, page, depth)}</li>`
    }
    case 'link':
      return linkHtml(node.url, inner())
    case 'linkReference': {
      const url = page.definitions.get(node.identifier)?.url
      return url === undefined ? escapeHtml(sourceOf(node, page)) : linkHtml(url, inner())
    }
    case 'image':
      return linkHtml(node.url, imageName(node.alt))
    case 'imageReference':
      return linkHtml(page.definitions.get(node.identifier)?.url ?? '', imageName(node.alt))
    case 'table':
      return tableHtml(node, page, depth)
    case 'footnoteReference':
      return `<sup>[${escapeHtml(node.label ?? node.identifier)}]</sup>`
    case 'footnoteDefinition':
      return `<div class="foot"><sup>[${escapeHtml(node.label ?? node.identifier)}]</sup> ${inner()}</div>`
    case 'definition':
      return ''
    default:
      return 'children' in node ? inner() : escapeHtml(sourceOf(node, page))
  }
}

/** The only paragraph of a tight list is no paragraph. */
function itemHtml(node: Extract<Nodes, { type: 'listItem' }>, page: Page, depth: number): string {
  if (node.spread === true) return childrenHtml(node, page, depth)
  return node.children
    .map((child) =>
      child.type === 'paragraph' ? childrenHtml(child, page, depth + 1) : nodeHtml(child, page, depth + 1),
    )
    .join(' ')
}

function sourceOf(node: Nodes, { source }: Page): string {
  return source.slice(node.position?.start.offset, node.position?.end.offset)
}

export function codeHtml(text: string, language: string): string {
  const name = /^[\w+#.-]{1,20}/.exec(language)?.[0] ?? ''
  return `<pre${name === '' ? '' : ` data-language="${escapeHtml(name)}"`}><code>${escapeHtml(text)}</code></pre>`
}

export function linkHtml(url: string, inner: string): string {
  if (!isOutwardLink(url)) return inner
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${inner}</a>`
}

function imageName(alt: string | null | undefined): string {
  return escapeHtml(`[image${alt ? `: ${alt}` : ''}]`)
}

function tableHtml(table: Table, page: Page, depth: number): string {
  const rows = table.children.map((row, place) => {
    const tag = place === 0 ? 'th' : 'td'
    const cells = row.children.map((cell, column) => {
      const align = table.align?.[column]
      return `<${tag}${align === 'right' || align === 'center' ? ` class="${align}"` : ''}>${childrenHtml(cell, page, depth + 2)}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const [head = '', ...rest] = rows
  return `<div class="table"><table><thead>${head}</thead><tbody>${rest.join('')}</tbody></table></div>`
}
