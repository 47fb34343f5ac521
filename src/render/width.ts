// Texts measured and cut in terminal columns. Tables measure every cell, so texts made of letters that stand alone are
// counted letter by letter; only what may combine (emoji, marks) is taken apart the slow way.

import stringWidth from 'string-width'

/** How many terminal columns a text takes; of a longer one, only that it is more than `most`. */
export function widthOf(text: string, most = Number.POSITIVE_INFINITY): number {
  if (ASCII.test(text)) return text.length
  if (STANDS_ALONE.test(text)) return text.length + (text.match(WIDE)?.length ?? 0)
  let width = 0
  for (const cluster of clustersOf(text)) {
    width += widthOfCluster(cluster)
    if (width > most) break
  }
  return width
}

/** Most of what is measured: as wide as it is long. */
const ASCII = /^[ -~]*$/

/** As wide as it is long. */
export function isPlain(text: string): boolean {
  return ASCII.test(text)
}

/** Cut to a number of terminal columns, with an ellipsis where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (ASCII.test(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`
  let width = 0
  let kept = 0
  let at = 0
  for (const cluster of clustersOf(text)) {
    width += widthOfCluster(cluster)
    at += cluster.length
    if (width > columns) return `${text.slice(0, kept).trimEnd()}…`
    if (width < columns) kept = at
  }
  return text
}

/** The same from the other end: of a path, the end says the most. */
export function cutStartTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text, columns) <= columns) return text
  if (ASCII.test(text)) return `…${text.slice(text.length - columns + 1)}`
  // Nothing longer than four code units a column can fit, but for marks heaped upon marks.
  const clusters = [...clustersOf(text.slice(-(columns * 4 + 16)))].reverse()
  let width = 1
  const kept: string[] = []
  for (const cluster of clusters) {
    width += widthOfCluster(cluster)
    if (width > columns) break
    kept.push(cluster)
  }
  return `…${kept.reverse().join('')}`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text
}

const TAB_COLUMNS = 8

/** Tabs as spaces. Indented text would otherwise meet other tab stops than the ones it was written for. */
export function expandTabs(text: string): string {
  if (!text.includes('\t')) return text
  return text
    .split('\n')
    .map((line) => {
      const parts = line.split('\t')
      const last = parts.pop() ?? ''
      // Every part begins at a tab stop, so its own width alone tells how far the next one is.
      return parts.map((part) => part + ' '.repeat(TAB_COLUMNS - (widthOf(part) % TAB_COLUMNS))).join('') + last
    })
    .join('\n')
}

/** Letters that never combine with what follows: Latin, Greek, Cyrillic, dashes, quotes, kana, Chinese, Korean. */
const STANDS_ALONE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u3001-\u3003\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Of these, those that take two columns. */
const WIDE = /[\u3000-\uffff]/g

/**
 * The same with arrows, ticks, frames, emoji and the mark that gives them colour. What else makes one character of several
 * (joiners, colours of skin, flags) is not in it: to get the library ready that knows them takes as long as a whole list.
 */
const STANDS_ALONE_TOO =
  /^(?:[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2328\u232b-\u23ff\u2500-\u27bf\u3001-\u3003\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\ufffd\u{1f300}-\u{1f3fa}\u{1f400}-\u{1faff}]\ufe0f?)*$/u

let segmenter: Intl.Segmenter | null = null

/** What a person sees as one character: a sun and its variation selector are measured together or not at all. */
export function clustersOf(text: string): Iterable<string> {
  if (STANDS_ALONE.test(text)) return text
  if (STANDS_ALONE_TOO.test(text)) return text.includes('\ufe0f') ? (text.match(COLOURED) ?? []) : text
  return segmentsOf(text)
}

const COLOURED = /.\ufe0f?/gsu

function* segmentsOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

const WIDTHS = new Map<string, number>()
const WIDTHS_MAX = 4096

// Arrows, ticks and plain emoji by themselves: to ask the library for the first time takes longer than to list a project.
const SYMBOL = /^[\u2030-\u205e\u2190-\u2328\u232b-\u23ff\u2500-\u262f\u2638-\u2689\u2690-\u27bf\ufffd]$/
const EMOJI = /^[\u{1f300}-\u{1faff}]$/u

/** Patterns with classes of Unicode take milliseconds to get ready, and most tables need none of them. */
const inColour = (cluster: string): boolean => /^\p{Emoji_Presentation}$/u.test(cluster)
const isPainted = (cluster: string): boolean => /^(?![\0-\u20ff\u{1f1e6}-\u{1f1ff}])\p{Emoji}\ufe0f$/u.test(cluster)

/** A table measures the same emoji again and again. */
function widthOfCluster(cluster: string): number {
  if (STANDS_ALONE.test(cluster)) return cluster.charCodeAt(0) < 0x3000 ? 1 : 2
  if (SYMBOL.test(cluster)) return inColour(cluster) ? 2 : 1
  if (EMOJI.test(cluster) ? inColour(cluster) : isPainted(cluster)) return 2
  const known = WIDTHS.get(cluster)
  if (known !== undefined) return known
  const width = stringWidth(cluster)
  if (WIDTHS.size < WIDTHS_MAX) WIDTHS.set(cluster, width)
  return width
}
