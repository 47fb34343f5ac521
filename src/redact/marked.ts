// A text with its Placeholders as short as they can be: what stands in one is nobody's Secret and changes nothing around it,
// and a text may have fifty thousand. The brackets stay, for they say to both sides what stands there.

import type { Finding } from './model.ts'
import { placeholdersIn } from './placeholder.ts'

/** A Placeholder that will stand in the text, or stood there before: that one no rule has found. */
export type Mark = Finding

export interface Marked {
  readonly text: string
  /** Where each group of marks stands in it, and which mark is the last of the group. */
  readonly places: Int32Array
  readonly lasts: Int32Array
}

export const MARK = '⟦⟧'
const NO_RULE = ''
/** No rule takes less for a Secret. */
export const SECRET_MIN = 3

export function marksIn(text: string): readonly Mark[] {
  return placeholdersIn(text).map(({ start, end }) => ({
    rule: NO_RULE,
    start,
    end,
    placeholder: text.slice(start, end),
  }))
}

/** Marks with less between them than the shortest Secret are a group, which is told as one. */
export function markedText(text: string, marks: readonly Mark[]): Marked {
  const places = new Int32Array(marks.length)
  const lasts = new Int32Array(marks.length)
  if (marks.length === 0) return { text, places, lasts }
  let groups = 0
  let short = ''
  let from = 0
  let length = 0
  for (let index = 0; index < marks.length; index++) {
    const { start, end } = marks[index] as Mark
    if (index === 0 || start - from >= SECRET_MIN) {
      short += text.slice(from, start) + MARK
      places[groups++] = length + start - from
      length += start - from + MARK.length
    }
    lasts[groups - 1] = index
    from = end
  }
  return { text: short + text.slice(from), places: places.subarray(0, groups), lasts: lasts.subarray(0, groups) }
}

export function replaceMarks(text: string, marks: readonly Mark[]): string {
  let told = ''
  let from = 0
  for (let index = 0; index < marks.length; index++) {
    const { start, end, placeholder } = marks[index] as Mark
    told += text.slice(from, start) + placeholder
    from = end
  }
  return told + text.slice(from)
}

export function newMarks(marks: readonly Mark[]): readonly Mark[] {
  return marks.filter(({ rule }) => rule !== NO_RULE)
}
