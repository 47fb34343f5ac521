// Markdown that somebody wrote, made fit to stand inside of a document: raw HTML becomes text, images are not loaded,
// links that could run something are text, headings go below ours, and an open code block is closed.

import type { Nodes, Root } from 'mdast'
import { fenced } from './fence.ts'
import { isHarmlessLink } from './links.ts'
import { parseMarkdown } from './parse-markdown.ts'

export interface FitOptions {
  /** How many levels headings are moved down. */
  readonly below: number
  /** Line ends count, as in what people type. */
  readonly keepsLines: boolean
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isDanger: boolean
}

/** What was replaced is parsed again, because it may have hidden something. It nearly always ends after one round. */
const ROUNDS_MAX = 4

/** `text` has to be clean already. */
export function fitMarkdown(text: string, options: FitOptions): string {
  let current = text.trim()
  let wanted = options
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const root = parseMarkdown(current)
    if (root === null) break
    const replacements = replacementsOf(root, current, wanted)
    current = replaced(current, replacements) + closing(root, current)
    if (!replacements.some(({ isDanger }) => isDanger)) return current
    wanted = { below: 0, keepsLines: false }
  }
  return fenced(text.trim())
}

function replacementsOf(root: Root, text: string, options: FitOptions): readonly Replacement[] {
  const found: Replacement[] = []
  const queue: { readonly node: Nodes; readonly isInLink: boolean }[] = [{ node: root, isInLink: false }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { node, isInLink } = next
    const replacement = replacementOf(node, isInLink, text, options)
    if (replacement !== null) found.push(replacement)
    // What stands within something that is replaced whole has gone with it; a heading keeps what it says.
    if ('children' in node && (replacement === null || node.type === 'heading')) {
      if (node.type === 'heading' && replacement !== null && replacement.end > contentStart(node)) continue
      for (const child of node.children) queue.push({ node: child, isInLink: isInLink || node.type === 'link' })
    }
    if (options.keepsLines && node.type === 'text') found.push(...hardBreaks(node, text))
  }
  return found.sort((one, other) => one.start - other.start)
}

function replacementOf(node: Nodes, isInLink: boolean, text: string, { below }: FitOptions): Replacement | null {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? 0
  const source = text.slice(start, end)
  switch (node.type) {
    case 'html':
      return { start, end, text: asText(source), isDanger: true }
    case 'image':
    case 'imageReference':
      return { start, end, text: imageText(node, isInLink), isDanger: true }
    case 'link':
    case 'definition':
      return isHarmlessLink(node.url) ? null : { start, end, text: asText(source), isDanger: true }
    case 'heading': {
      if (below === 0) return null
      const marks = '#'.repeat(Math.min(6, node.depth + below))
      if (source.startsWith('#')) return { start, end: start + node.depth, text: marks, isDanger: false }
      // Underlined: what it says moves onto one line. It is looked at again in the next round.
      const last = node.children.at(-1)?.position?.end.offset ?? start
      const said = text.slice(start, last).replace(/\s*\n\s*/g, ' ')
      return { start, end, text: `${marks} ${said}`, isDanger: true }
    }
    default:
      return null
  }
}

function contentStart(node: Nodes): number {
  return ('children' in node ? node.children[0]?.position?.start.offset : undefined) ?? Number.POSITIVE_INFINITY
}

/** Text that Markdown takes for text: its marks get a backslash, those of blocks only where a line begins. */
export function asText(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]~|!]/g, '\\$&')
      // A backslash would be taken for the end of an address that stands before it.
      .replace(/[<>&]/g, (mark) => ENTITIES[mark] ?? mark)
      .replace(/^(\s*)([-+#=:]|\d{1,9}(?=[.)]))/gm, (_, space: string, mark: string) =>
        /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
      )
  )
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

function imageText(node: Extract<Nodes, { type: 'image' | 'imageReference' }>, isInLink: boolean): string {
  const name = asText(`[image${node.alt ? `: ${node.alt.replace(/\s+/g, ' ')}` : ''}]`)
  if (isInLink || node.type === 'imageReference' || !isHarmlessLink(node.url)) return name
  return `[${name}](<${node.url.replace(/[<>\\\n]/g, (mark) => encodeURIComponent(mark))}>)`
}

function hardBreaks(node: Nodes, text: string): readonly Replacement[] {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? 0
  const found: Replacement[] = []
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    found.push({ start: at, end: at, text: '  ', isDanger: false })
  }
  return found
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text: instead } of replacements) {
    if (start < at) continue
    pieces.push(text.slice(at, start), instead)
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** A block of code that was not ended would take in all that follows. */
function closing(root: Root, text: string): string {
  const last = root.children.at(-1)
  if (last?.type !== 'code') return ''
  const source = text.slice(last.position?.start.offset, last.position?.end.offset)
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1]
  if (fence === undefined) return ''
  const end = source.slice(source.lastIndexOf('\n') + 1).trim()
  const isClosed = source.includes('\n') && end.startsWith(fence) && end === (fence[0] ?? '').repeat(end.length)
  return isClosed ? '' : `\n${fence}`
}
