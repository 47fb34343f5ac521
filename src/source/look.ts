// How a file stands, as numbers in a room that is used again. `lstatSync` makes an object with four dates of what the
// system says, which takes twice as long as to ask: noticeable with thousands of files. Node's older way to its own parts
// hands over the numbers. Where it is not there, or says anything else than `lstatSync`, that is asked instead.

import { lstatSync } from 'node:fs'
import { nodePart } from './node-part.ts'

/** As Node has it; valid until the next look. Times take two numbers: seconds, and nanoseconds beside them. */
export type Looked = Float64Array

export const DEVICE = 0
const MODE = 1
export const INODE = 7
export const SIZE = 8
export const MODIFIED = 12
export const CHANGED = 14
export const BORN = 16
const COUNT = 18

/** In milliseconds, as `Stats` has it. */
export function timeOf(seen: Looked, time: typeof MODIFIED | typeof CHANGED | typeof BORN): number {
  return (seen[time] as number) * 1000 + (seen[time + 1] as number) / 1e6
}

const PLAIN_FILE = 0o100000
const KINDS = 0o170000

export function isPlainFile(seen: Looked): boolean {
  return ((seen[MODE] as number) & KINDS) === PLAIN_FILE
}

export type Look = (path: string) => Looked

/** `lstat`: links are not followed, and what cannot be looked at throws. `sample` is a path that is there. */
export function openLook(sample: string): Look {
  const raw = rawLook()
  try {
    return raw !== null && isSame(raw(sample), lookWithStats(sample)) ? raw : lookWithStats
  } catch {
    return lookWithStats
  }
}

const LOOKED = [DEVICE, MODE, INODE, SIZE, MODIFIED, MODIFIED + 1, CHANGED, CHANGED + 1, BORN, BORN + 1]
const BILLION = 1_000_000_000n

function lookWithStats(path: string): Looked {
  const stat = lstatSync(path, { bigint: true })
  const seen = new Float64Array(COUNT)
  const set = (at: number, value: bigint): void => {
    seen[at] = Number(value)
  }
  set(DEVICE, stat.dev)
  set(MODE, stat.mode)
  set(INODE, stat.ino)
  set(SIZE, stat.size)
  for (const [at, time] of [
    [MODIFIED, stat.mtimeNs],
    [CHANGED, stat.ctimeNs],
    [BORN, stat.birthtimeNs],
  ] as const) {
    set(at, time / BILLION)
    set(at + 1, time % BILLION)
  }
  return seen
}

type RawStat = (path: string, isBig: boolean, request: undefined, context: object) => unknown

function rawLook(): Look | null {
  const own = nodePart<{ readonly lstat: RawStat }>('fs')?.lstat
  if (own === undefined) return null
  const context = {}
  return (path) => {
    const seen = own(path, false, undefined, context)
    if (seen === undefined) throw new Error('cannot be looked at')
    return seen as Looked
  }
}

function isSame(one: unknown, other: Looked): boolean {
  return one instanceof Float64Array && LOOKED.every((at) => one[at] === other[at])
}
