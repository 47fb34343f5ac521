// A text as it was meant, and where each of its characters stands in the text as it was written. Stretches in which each
// character takes the same room are kept as one: what was written as it was meant, and escapes of one length.

import { decodeUtf8 } from '../base/text.ts'

export interface View {
  readonly text: string
  /** From positions in the view to those of the text. */
  readonly startOf: (at: number) => number
  readonly endOf: (at: number) => number
}

export interface ViewMaker {
  /** A stretch that stands in the text as it is. */
  readonly keep: (start: number, end: number) => void
  /** What is written from `start` to `end` means this character. */
  readonly put: (code: number, start: number, end: number) => void
  /** What follows stands somewhere else. Nothing reaches across: no rule matches a NUL. */
  readonly gap: () => void
  readonly finish: () => View
}

/** `room`: how long it may become, as far as that is known. */
export function viewOf(text: string, room: number): ViewMaker {
  let codes = new Uint16Array(room)
  let length = 0
  /** Of each stretch: where it begins in the view, where in the text, and how much of that each of its characters takes. */
  let stretches = new Int32Array(STRETCH * 64)
  let used = 0
  /** Of the last one. */
  let step = -1
  let end = 0
  const add = (start: number, newStep: number, count: number): void => {
    if (newStep !== step || start !== end) {
      if (used === stretches.length) stretches = grown(stretches, new Int32Array(used * 2))
      stretches[used] = length
      stretches[used + 1] = start
      stretches[used + 2] = newStep
      used += STRETCH
      step = newStep
    }
    end = start + newStep * count
    if (length + count > codes.length) codes = grown(codes, new Uint16Array((length + count) * 2))
  }
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
    keep: (start, end) => {
      if (end <= start) return
      add(start, 1, end - start)
      for (let at = start; at < end; at++) codes[length++] = text.charCodeAt(at)
    },
    put: (code, start, end) => {
      add(start, end - start, 1)
      codes[length++] = code
    },
    gap: () => {
      add(end, 0, GAP.length)
      for (const code of GAP) codes[length++] = code
    },
    finish: () => ({
      text: stringOf(codes.subarray(0, length)),
      startOf: (at) => placeOf(at, stretchOf(at)),
      endOf: (at) => placeOf(at, stretchOf(at - 1)),
    }),
  }
}

const GAP = [10, 0, 10]

const STRETCH = 3

export function grown<Room extends Uint8Array | Uint16Array | Int32Array>(from: Room, to: Room): Room {
  to.set(from)
  return to
}

function stringOf(codes: Uint16Array): string {
  let all = 0
  for (let at = 0; at < codes.length; at++) all |= codes[at] as number
  // Several times as fast as what follows.
  if (all < 0x80) return decodeUtf8(new Uint8Array(codes))
  let text = ''
  for (let from = 0; from < codes.length; from += PIECE)
    text += String.fromCharCode.apply(null, codes.subarray(from, from + PIECE) as unknown as number[])
  return text
}

const PIECE = 8192
