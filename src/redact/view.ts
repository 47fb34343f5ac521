// A text as it was meant, and where each of its characters stands in the text as it was written. Stretches in which each
// character takes the same room are kept as one: what was written as it was meant, and escapes of one length.

import { decodeUtf8, textOfCodes } from '../base/text.ts'
import type { Coded } from './coded.ts'
import { copyCodes, giveBack, takeRoom } from './coded.ts'

export interface View extends Coded {
  /** From positions in the view to those of the text. */
  readonly startOf: (at: number) => number
  readonly endOf: (at: number) => number
}

/** A view that is being made. Plain fields, because whoever makes one writes its codes in a loop of his own. */
export interface Draft {
  codes: Uint16Array
  length: number
  /** Of each stretch: where it begins in the view, where in the text, and how much of that each of its characters takes. */
  stretches: Int32Array
  used: number
  /** Of the last one: how much each takes, and where it ends in the text. */
  step: number
  end: number
}

/** `room`: how long it may become, as far as that is known. */
export function openView(room: number): Draft {
  return { codes: takeRoom(room), length: 0, stretches: new Int32Array(STRETCH * 64), used: 0, step: -1, end: 0 }
}

/** Before as many codes are written. */
export function makeRoom(draft: Draft, count: number): void {
  if (draft.length + count < draft.codes.length) return
  const codes = takeRoom((draft.length + count) * 2)
  codes.set(draft.codes.subarray(0, draft.length))
  giveBack(draft.codes)
  draft.codes = codes
}

/** What is written from `at` on in the view stands from `start` on in the text, and each takes `step` there. */
export function beginStretch(draft: Draft, at: number, start: number, step: number): void {
  if (draft.used === draft.stretches.length)
    draft.stretches = grown(draft.stretches, new Int32Array(draft.used * GROWTH))
  const { stretches, used } = draft
  stretches[used] = at
  stretches[used + 1] = start
  stretches[used + 2] = step
  draft.used = used + STRETCH
}

/** A stretch that stands in the text as it is. */
export function keep(draft: Draft, from: Uint16Array, start: number, end: number): void {
  if (end <= start) return
  makeRoom(draft, end - start)
  if (draft.step !== 1 || draft.end !== start) beginStretch(draft, draft.length, start, 1)
  draft.step = 1
  draft.end = end
  draft.length = copyCodes(from, start, end, draft.codes, draft.length)
}

/** What follows stands somewhere else. Nothing reaches across: no rule matches a NUL. */
export function gap(draft: Draft): void {
  makeRoom(draft, GAP.length)
  if (draft.step !== 0) beginStretch(draft, draft.length, draft.end, 0)
  draft.step = 0
  for (const code of GAP) draft.codes[draft.length++] = code
}

export function finishView({ codes, length, stretches, used }: Draft): View {
  codes[length] = 0
  const stretchOf = (at: number): number => {
    let low = 0
    let high = used / STRETCH - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((stretches[middle * STRETCH] as number) <= at) low = middle
      else high = middle - 1
    }
    return low * STRETCH
  }
  const placeOf = (at: number, stretch: number): number =>
    (stretches[stretch + 1] as number) + (at - (stretches[stretch] as number)) * (stretches[stretch + 2] as number)
  return {
    text: stringOf(codes.subarray(0, length)),
    codes,
    startOf: (at) => placeOf(at, stretchOf(at)),
    endOf: (at) => placeOf(at, stretchOf(at - 1)),
  }
}

const GAP = [10, 0, 10]
const STRETCH = 3
const GROWTH = 4

export function grown<Room extends Uint8Array | Uint16Array | Int32Array>(from: Room, to: Room): Room {
  to.set(from)
  return to
}

function stringOf(codes: Uint16Array): string {
  let all = 0
  for (let at = 0; at < codes.length; at++) all |= codes[at] as number
  // Half the room, and patterns go over it faster.
  return all < 0x80 ? decodeUtf8(new Uint8Array(codes)) : textOfCodes(codes)
}
