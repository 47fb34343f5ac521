// Markdown to a tree. Texts that are longer or more deeply nested than what anybody writes are not parsed: for some of
// them, a long table or many links, it takes time by the square. The exports have the same limits for the same reason.

import type { Definition, Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

const LENGTH_MAX = 80_000
const LINES_MAX = 3_000
/** Marks that may open or close something. */
const MARKS_MAX = 8_000
/** A line that opens a quotation within a list within a quotation, and so on. */
const NESTED = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){12,}/m
const MARKS: ReadonlySet<number> = new Set(Array.from('*_[]`~<|', (mark) => mark.charCodeAt(0)))

const SETTINGS = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** Null for a text that is shown as it is. */
export function parseMarkdown(text: string): Root | null {
  if (text.length > LENGTH_MAX || NESTED.test(text) || isCrowded(text)) return null
  return fromMarkdown(text, SETTINGS)
}

/** Where `[like this]` leads, by name. */
export function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>()
  const queue: Nodes[] = [...root.children]
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next] as Nodes
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
    if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') queue.push(...node.children)
  }
  return found
}

function isCrowded(text: string): boolean {
  let lines = 0
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a) lines++
    else if (MARKS.has(code)) marks++
  }
  return lines > LINES_MAX || marks > MARKS_MAX
}
