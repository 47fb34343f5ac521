// A text and the codes of its characters. It is walked over several times, and a step over an array takes half the time of a
// step over a string. The arrays are kept for the next text: to get megabytes anew each time costs as much as a walk.

import { putCodes } from '../base/text.ts'

export interface Coded {
  readonly text: string
  /** As many as the text has, a zero, and then anything. */
  readonly codes: Uint16Array
}

/** To be released when it was looked at. */
export function codedOf(text: string): Coded {
  const codes = takeRoom(text.length)
  putCodes(text, codes)
  codes[text.length] = 0
  return { text, codes }
}

export function release({ codes }: Coded): void {
  giveBack(codes)
}

/** For as many and one more. What stands in it is left from others. */
export function takeRoom(length: number): Uint16Array {
  for (let index = free.length - 1; index >= 0; index--) {
    const room = free[index] as Uint16Array
    if (room.length <= length) continue
    free[index] = free[free.length - 1] as Uint16Array
    free.pop()
    return room
  }
  return new Uint16Array(Math.ceil((length + 1) / ROOM_STEP) * ROOM_STEP)
}

export function giveBack(room: Uint16Array): void {
  if (room.length > ROOM_MAX) return
  if (free.length < FREE_MAX) free.push(room)
  else
    for (let index = 0; index < FREE_MAX; index++)
      if ((free[index] as Uint16Array).length < room.length) {
        free[index] = room
        return
      }
}

/** Gives where it ends. A loop is faster for what is short. */
export function copyCodes(from: Uint16Array, start: number, end: number, to: Uint16Array, at: number): number {
  const behind = at + end - start
  if (end - start >= COPIED_MIN) to.set(from.subarray(start, end), at)
  else for (let index = start; index < end; index++) to[at + index - start] = from[index] as number
  return behind
}

const COPIED_MIN = 100
const ROOM_STEP = 1 << 14
const ROOM_MAX = 1 << 21
const FREE_MAX = 4
const free: Uint16Array[] = []
