// A text with its Placeholders as short as they can be: what stands in one is nobody's Secret and changes nothing around it,
// and a text may have fifty thousand. The brackets stay, for they say to both sides what stands there.

import { textOfCodes } from '../base/text.ts'
import type { Coded } from './coded.ts'
import { copyCodes, giveBack, takeRoom } from './coded.ts'
import type { Finding } from './model.ts'
import { PLACEHOLDER_CLOSING, PLACEHOLDER_OPENING, placeholdersIn } from './placeholder.ts'

/** A Placeholder that will stand in the text, or stood there before: that one no rule has found. */
export type Mark = Finding

export interface Marked extends Coded {
  /** Where each group of marks stands in it, and which mark is the last of the group. */
  readonly places: Int32Array
  readonly lasts: Int32Array
}

/** How long `⟦⟧` is. */
export const MARK_LENGTH = 2
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
export function markedText({ text, codes }: Coded, marks: readonly Mark[]): Marked {
  const places = new Int32Array(marks.length)
  const lasts = new Int32Array(marks.length)
  const short = takeRoom(text.length + marks.length * MARK_LENGTH)
  let groups = 0
  let from = 0
  let length = 0
  for (let index = 0; index < marks.length; index++) {
    const { start, end } = marks[index] as Mark
    if (index === 0 || start - from >= SECRET_MIN) {
      length = copyCodes(codes, from, start, short, length)
      places[groups++] = length
      short[length++] = PLACEHOLDER_OPENING
      short[length++] = PLACEHOLDER_CLOSING
    }
    lasts[groups - 1] = index
    from = end
  }
  length = copyCodes(codes, from, text.length, short, length)
  short[length] = 0
  return {
    text: textOfCodes(short.subarray(0, length)),
    codes: short,
    places: places.subarray(0, groups),
    lasts: lasts.subarray(0, groups),
  }
}

export function replaceMarks({ text, codes }: Coded, marks: readonly Mark[]): string {
  let added = 0
  for (let index = 0; index < marks.length; index++) added += (marks[index] as Mark).placeholder.length
  const told = takeRoom(text.length + added)
  let from = 0
  let length = 0
  for (let index = 0; index < marks.length; index++) {
    const { start, end, placeholder } = marks[index] as Mark
    length = copyCodes(codes, from, start, told, length)
    for (let at = 0; at < placeholder.length; at++) told[length++] = placeholder.charCodeAt(at)
    from = end
  }
  length = copyCodes(codes, from, text.length, told, length)
  giveBack(told)
  return textOfCodes(told.subarray(0, length))
}

export function newMarks(marks: readonly Mark[]): readonly Mark[] {
  return marks.filter(({ rule }) => rule !== NO_RULE)
}
