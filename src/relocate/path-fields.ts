// The bytes of a JSON object with some of its texts changed, and every other byte as it was: order of keys, spaces,
// numbers nobody can represent. What is not one whole JSON object is not touched.

import { Buffer } from 'node:buffer'
import { scanJson } from '../base/scan-json.ts'

/** What to do with the value at these keys; `[]` stands for any place in a list. */
export type FieldChoice = (keys: readonly string[]) => 'change' | 'inside' | 'skip'

export interface ReplacedFields {
  readonly bytes: Uint8Array
  readonly count: number
}

/** Null when it is no JSON object: a torn line, two glued ones, a blank one. */
export function replaceFields(
  bytes: Buffer,
  choice: FieldChoice,
  change: (text: string) => string | null,
): ReplacedFields | null {
  const start = skipSpace(bytes, 0)
  if (bytes[start] !== OPEN_OBJECT) return null
  const scan = scanJson(bytes, start, bytes.length)
  if (scan.state !== 'complete' || skipSpace(bytes, scan.end) !== bytes.length) return null
  const walk: Walk = { bytes, choice, change, keys: [], parts: [], copied: 0, count: 0 }
  walkValue(walk, start)
  if (walk.count === 0) return { bytes, count: 0 }
  return { bytes: Buffer.concat([...walk.parts, bytes.subarray(walk.copied)]), count: walk.count }
}

interface Walk {
  readonly bytes: Buffer
  readonly choice: FieldChoice
  readonly change: (text: string) => string | null
  readonly keys: string[]
  readonly parts: Uint8Array[]
  /** How far the bytes have been taken over into the parts. */
  copied: number
  count: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** The object or list at `at`, which is known to be sound JSON; gives the place behind it. */
function walkValue(walk: Walk, at: number): number {
  const { bytes, keys } = walk
  const isObject = bytes[at] === OPEN_OBJECT
  let next = skipSpace(bytes, at + 1)
  while (bytes[next] !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
    if (isObject) {
      const end = stringEnd(bytes, next)
      keys.push(textOf(bytes, next, end))
      // The colon stands between.
      next = skipSpace(bytes, skipSpace(bytes, end) + 1)
    } else keys.push('[]')
    next = walkMember(walk, next)
    keys.pop()
    next = skipSpace(bytes, next)
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
  }
  return next + 1
}

function walkMember(walk: Walk, at: number): number {
  const { bytes, choice, keys } = walk
  const wanted = choice(keys)
  const first = bytes[at]
  if (wanted === 'change' && first === QUOTE) return changeText(walk, at)
  if (wanted === 'inside' && (first === OPEN_OBJECT || first === OPEN_ARRAY)) return walkValue(walk, at)
  return valueEnd(bytes, at)
}

function changeText(walk: Walk, at: number): number {
  const { bytes, change, parts } = walk
  const end = stringEnd(bytes, at)
  const changed = change(textOf(bytes, at, end))
  if (changed !== null) {
    parts.push(bytes.subarray(walk.copied, at), Buffer.from(JSON.stringify(changed)))
    walk.copied = end
    walk.count++
  }
  return end
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return JSON.parse(bytes.toString('utf8', start, end)) as string
}

function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return stringEnd(bytes, start)
  let at = start
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    while (at < bytes.length && !ENDS.has(bytes[at] as number)) at++
    return at
  }
  for (let depth = 0; at < bytes.length; ) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at)
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1
    at++
  }
  return at
}

const ENDS: ReadonlySet<number> = new Set([COMMA, CLOSE_OBJECT, CLOSE_ARRAY, 0x20, 0x09, 0x0a, 0x0d])

/** Behind the closing quote: the first that no backslash takes back. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    at = bytes.indexOf(QUOTE, at)
    if (at === -1) return bytes.length
    let before = at - 1
    while (bytes[before] === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}
