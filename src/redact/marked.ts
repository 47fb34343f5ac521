// A text with its Placeholders as short as they can be: what stands in one is nobody's Secret and changes nothing around it,
// and a text may have fifty thousand. The brackets stay, for they say to both sides what stands there.

import { textOfCodes } from '../base/text.ts'
import type { Coded } from './coded.ts'
import { copyCodes, giveBack, takeRoom } from './coded.ts'
import type { Marks } from './marks.ts'
import type { Placeholders } from './placeholder.ts'
import { PLACEHOLDER_CLOSING, PLACEHOLDER_OPENING } from './placeholder.ts'

export interface Marked extends Coded {
  /** Where each group of marks stands in it, and which mark is the last of the group. */
  readonly places: Int32Array
  readonly lasts: Int32Array
}

/** How long `⟦⟧` is. */
export const MARK_LENGTH = 2
/** No rule takes less for a Secret. */
export const SECRET_MIN = 3

/** Marks with less between them than the shortest Secret are a group, which is told as one. */
export function markedText({ text, codes }: Coded, { starts, ends }: Marks): Marked {
  const places = new Int32Array(starts.length)
  const lasts = new Int32Array(starts.length)
  const short = takeRoom(text.length + starts.length * MARK_LENGTH)
  let groups = 0
  let from = 0
  let length = 0
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number
    if (index === 0 || start - from >= SECRET_MIN) {
      length = copyCodes(codes, from, start, short, length)
      places[groups++] = length
      short[length++] = PLACEHOLDER_OPENING
      short[length++] = PLACEHOLDER_CLOSING
    }
    lasts[groups - 1] = index
    from = ends[index] as number
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

export function replaceMarks({ text, codes }: Coded, marks: Marks, placeholders: Placeholders): string {
  const { starts, ends, numbers } = marks
  let added = 0
  for (let index = 0; index < numbers.length; index++) added += placeholders.lengthOf(numbers[index] as number)
  const told = takeRoom(text.length + added)
  let from = 0
  let length = 0
  for (let index = 0; index < starts.length; index++) {
    const number = numbers[index] as number
    // What stood there before stays.
    if (number === 0) continue
    length = copyCodes(codes, from, starts[index] as number, told, length)
    length = placeholders.copy(number, told, length)
    from = ends[index] as number
  }
  length = copyCodes(codes, from, text.length, told, length)
  giveBack(told)
  return textOfCodes(told.subarray(0, length))
}
