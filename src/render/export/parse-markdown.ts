// Markdown to a tree, by a parser that many projects rely on. Texts that are longer or more deeply nested than what
// anybody writes are not parsed: for some of them, a long table or many links, it takes time by the square.

import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

const LENGTH_MAX = 80_000
const LINES_MAX = 3_000
/** Marks that may open or close something. */
const MARKS_MAX = 8_000
/** A line that opens a quotation within a list within a quotation, and so on. */
const NESTED = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){12,}/m

const SETTINGS = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** Null for a text that is shown as it is. */
export function parseMarkdown(text: string): Root | null {
  if (text.length > LENGTH_MAX || NESTED.test(text) || isCrowded(text)) return null
  return fromMarkdown(text, SETTINGS)
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

const MARKS: ReadonlySet<number> = new Set(Array.from('*_[]`~<|', (mark) => mark.charCodeAt(0)))
