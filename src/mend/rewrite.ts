// Changes to the text of one record that leave every other byte of it as it was: unknown fields, the order of keys, the
// spelling of numbers. The text is JSON for certain: it has been parsed before.

import { scanJson } from '../base/scan-json.ts'
import { decodeUtf8 } from '../base/text.ts'

/** Where in the object; numbers are places in lists. */
export type Path = readonly (string | number)[]

interface Range {
  readonly start: number
  readonly end: number
}

/** Sets the value at `path` (JSON), or takes the field away when it is null. What is not there is put at the end. */
export function setAt(bytes: Uint8Array, path: Path, value: string | null): Uint8Array {
  const found = rangeAt(bytes, path)
  if (found !== null) return value === null ? withoutMember(bytes, path) : spliced(bytes, found, value)
  const key = path.at(-1)
  const above = rangeAt(bytes, path.slice(0, -1))
  if (value === null || above === null || typeof key !== 'string' || bytes[above.start] !== OPEN_OBJECT) return bytes
  const isEmpty = membersOf(bytes, above).length === 0
  const close = above.end - 1
  return spliced(bytes, { start: close, end: close }, `${isEmpty ? '' : ','}${JSON.stringify(key)}:${value}`)
}

export interface MemberChange {
  readonly key: string
  readonly value: unknown
  /** Put at the end when it is not there. */
  readonly isAdded: boolean
}

/** Several fields of the object itself in one go: it is done to every record of a copy. */
export function setMembers(bytes: Uint8Array, changes: readonly MemberChange[]): Uint8Array {
  const whole = valueAt(bytes, 0)
  if (bytes[whole.start] !== OPEN_OBJECT) return bytes
  const members = membersOf(bytes, whole)
  const edits = changes.flatMap(({ key, value, isAdded }) => {
    const json = JSON.stringify(value)
    const member = members.findLast((one) => one.key === key)
    if (member !== undefined) return [{ ...member.value, text: json }]
    const comma = members.length === 0 ? '' : ','
    const close = whole.end - 1
    return isAdded ? [{ start: close, end: close, text: `${comma}${JSON.stringify(key)}:${json}` }] : []
  })
  edits.sort((one, other) => one.start - other.start)
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(at, start), Buffer.from(text))
    at = end
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

/** A list made anew of its own members (by number) and others (as JSON). */
export function rearranged(bytes: Uint8Array, path: Path, members: readonly (number | string)[]): Uint8Array {
  const found = rangeAt(bytes, path)
  if (found === null || bytes[found.start] !== OPEN_LIST) return bytes
  const own = membersOf(bytes, found)
  const texts = members.map((member) => {
    if (typeof member === 'string') return member
    const range = own[member]?.value
    return range === undefined ? 'null' : decodeUtf8(bytes.subarray(range.start, range.end))
  })
  return spliced(bytes, found, `[${texts.join(',')}]`)
}

const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b

interface Member {
  /** Null in a list. */
  readonly key: string | null
  /** From its key on. */
  readonly start: number
  readonly value: Range
}

function rangeAt(bytes: Uint8Array, path: Path): Range | null {
  let at = valueAt(bytes, 0)
  for (const key of path) {
    const members = membersOf(bytes, at)
    // Of a key written twice the last counts, as for JSON.parse.
    const member =
      typeof key === 'number' ? members[key] : members.findLast(({ key: name }) => name !== null && name === key)
    if (member === undefined) return null
    at = member.value
  }
  return at
}

function membersOf(bytes: Uint8Array, { start, end }: Range): readonly Member[] {
  const isObject = bytes[start] === OPEN_OBJECT
  const members: Member[] = []
  if (!isObject && bytes[start] !== OPEN_LIST) return members
  let at = skipSpace(bytes, start + 1)
  while (at < end - 1) {
    const from = at
    let key: string | null = null
    if (isObject) {
      const name = valueAt(bytes, at)
      key = JSON.parse(decodeUtf8(bytes.subarray(name.start, name.end))) as string
      at = skipSpace(bytes, name.end) + 1
    }
    const value = valueAt(bytes, at)
    members.push({ key, start: from, value })
    at = skipSpace(bytes, value.end)
    if (at < end - 1) at = skipSpace(bytes, at + 1)
  }
  return members
}

function valueAt(bytes: Uint8Array, from: number): Range {
  const start = skipSpace(bytes, from)
  const scan = scanJson(bytes, start, bytes.length)
  return { start, end: scan.state === 'complete' ? scan.end : bytes.length }
}

function withoutMember(bytes: Uint8Array, path: Path): Uint8Array {
  const above = rangeAt(bytes, path.slice(0, -1))
  const key = path.at(-1)
  if (above === null) return bytes
  const members = membersOf(bytes, above)
  const at = typeof key === 'number' ? key : members.findLastIndex(({ key: name }) => name === key)
  const member = members[at]
  if (member === undefined) return bytes
  const next = members[at + 1]
  const previous = members[at - 1]
  if (next !== undefined) return spliced(bytes, { start: member.start, end: next.start }, '')
  return spliced(bytes, { start: previous?.value.end ?? member.start, end: member.value.end }, '')
}

function spliced(bytes: Uint8Array, { start, end }: Range, text: string): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)])
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}

const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Each half of a pair that stands alone, written as `\\uXXXX`, becomes `\\ufffd`. Whole pairs stay as they are. */
export function withoutLoneSurrogates(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  let at = 0
  while (at < copy.length) {
    if (copy[at] !== BACKSLASH) at++
    else if (copy[at + 1] !== LETTER_U) at += 2
    else {
      const unit = unitAt(copy, at)
      if (isHigh(unit) && copy[at + 6] === BACKSLASH && copy[at + 7] === LETTER_U && isLow(unitAt(copy, at + 6))) {
        at += 12
        continue
      }
      if (isHigh(unit) || isLow(unit)) copy.write('fffd', at + 2, 'latin1')
      at += 6
    }
  }
  return copy
}

function unitAt(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16)
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
