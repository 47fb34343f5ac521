// How a file stands, as numbers in a room that is used again. `lstatSync` makes an object with four dates of what the
// system says, which takes twice as long as to ask: noticeable with thousands of files. Node's older way to its own parts
// hands over the numbers. Where it is not there, or says anything else than `lstatSync`, that is asked instead.

import { lstatSync } from 'node:fs'
import { nodePart } from './node-part.ts'

/** Valid until the next look: device, inode, size, when it was changed, when its inode was, when it was made, its kind. */
export type Looked = Float64Array

export const DEVICE = 0
export const INODE = 1
export const SIZE = 2
export const MODIFIED_MS = 3
export const CHANGED_MS = 4
export const BORN_MS = 5
export const KIND = 6

/** Of a plain file. */
export const PLAIN_FILE = 0o100000
const KINDS = 0o170000

export type Look = (path: string) => Looked

/** `lstat`: links are not followed, and what cannot be looked at throws. `sample` is a path that is there. */
export function openLook(sample: string): Look {
  const raw = rawLook()
  try {
    return raw !== null && isSame(raw(sample).slice(), lookWithStats(sample)) ? raw : lookWithStats
  } catch {
    return lookWithStats
  }
}

const seen = new Float64Array(7)

function lookWithStats(path: string): Looked {
  const { dev, ino, size, mtimeMs, ctimeMs, birthtimeMs, mode } = lstatSync(path)
  seen.set([dev, ino, size, mtimeMs, ctimeMs, birthtimeMs, mode & KINDS])
  return seen
}

type RawStat = (path: string, isBig: boolean, request: undefined, context: object) => unknown

function rawLook(): Look | null {
  const own = nodePart<{ readonly lstat: RawStat }>('fs')?.lstat
  if (own === undefined) return null
  const context = {}
  return (path) => {
    const raw = own(path, false, undefined, context)
    if (!(raw instanceof Float64Array)) throw new Error('not what it was')
    seen[DEVICE] = raw[0] as number
    seen[INODE] = raw[7] as number
    seen[SIZE] = raw[8] as number
    seen[MODIFIED_MS] = (raw[12] as number) * 1000 + (raw[13] as number) / 1e6
    seen[CHANGED_MS] = (raw[14] as number) * 1000 + (raw[15] as number) / 1e6
    seen[BORN_MS] = (raw[16] as number) * 1000 + (raw[17] as number) / 1e6
    seen[KIND] = (raw[1] as number) & KINDS
    return seen
  }
}

function isSame(one: Looked, other: Looked): boolean {
  return one.every((number, index) => number === other[index])
}
