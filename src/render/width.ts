import stringWidth from 'string-width'
import { excerpt } from '../base/text.ts'

/** How many terminal columns a text takes; of a very long one, only that it is more than `most`. */
export function widthOf(text: string, most = 10_000): number {
  // Nothing longer than four code units a column can fit; measuring more would cost time on huge texts.
  return text.length > most * 4 + 16 ? most + 1 : stringWidth(text)
}

/** Cut to a number of terminal columns, with an ellipsis where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text, columns) <= columns) return text
  const kept = fitting(clustersOf(excerpt(text, columns * 4 + 16)), columns - 1)
  return `${kept.join('').trimEnd()}…`
}

/** The same from the other end: of a path, the end says the most. */
export function cutStartTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text, columns) <= columns) return text
  const kept = fitting(clustersOf(text.slice(-(columns * 4 + 16))).reverse(), columns - 1)
  return `…${kept.reverse().join('')}`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - stringWidth(text))) + text
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
      return parts.map((part) => part + ' '.repeat(TAB_COLUMNS - (stringWidth(part) % TAB_COLUMNS))).join('') + last
    })
    .join('\n')
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a person sees as one character: a sun and its variation selector are measured together or not at all. */
function clustersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function fitting(clusters: readonly string[], columns: number): string[] {
  const kept: string[] = []
  let width = 0
  for (const cluster of clusters) {
    width += stringWidth(cluster)
    if (width > columns) break
    kept.push(cluster)
  }
  return kept
}
