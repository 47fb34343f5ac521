import { graphemesOf } from '../base/graphemes.ts'
import { widthOf } from './width.ts'

/**
 * One line of safe text as lines of at most so many columns: broken between words, or between wide letters, which need
 * no spaces; anywhere when a word is too long. What was indented stays indented. No more lines than `most`.
 */
export function wrapLine(text: string, columns: number, most: number): readonly string[] {
  if (widthOf(text, columns) <= columns) return [text]
  const indent = /^ */.exec(text)?.[0].slice(0, Math.floor(columns / 3)) ?? ''
  const lines: string[] = []
  let line = ''
  let width = 0
  /** Where the line may end, in code units and columns. */
  let end = 0
  let endWidth = 0
  for (const { text: grapheme } of graphemesOf(text)) {
    const own = widthOf(grapheme)
    if (own === 2) [end, endWidth] = [line.length, width]
    if (width + own > columns && line !== '') {
      const isWord = endWidth > columns * 0.4
      const kept = isWord ? end : line.length
      lines.push(line.slice(0, kept).trimEnd())
      if (lines.length >= most) return lines
      line = indent + line.slice(kept).trimStart()
      width = widthOf(line)
      end = 0
      endWidth = 0
      if (grapheme === ' ' && line === indent) continue
    }
    // Nothing else fits where not even one letter does.
    const fits = width + own <= columns
    line += fits ? grapheme : '…'.repeat(Math.max(0, Math.min(1, columns - width)))
    width += fits ? own : Math.max(0, Math.min(1, columns - width))
    if (grapheme === ' ') [end, endWidth] = [line.length, width]
  }
  lines.push(line.trimEnd())
  return lines
}
