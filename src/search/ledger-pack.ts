// A ledger as bytes, and back: the texts of its places as JSON, its columns as plain numbers, each as narrow as its largest
// number allows, all of it deflated. Nothing is decoded number by number: that would take longer than adding them up.

import { deflateSync, inflateSync } from 'node:zlib'
import type { LedgerColumns, UsageLedger, UsagePlace } from '../digest/usage-ledger.ts'
import { newColumns } from '../digest/usage-ledger.ts'

const KINDS = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

interface Head {
  readonly count: number
  /** Which of KINDS each column is. */
  readonly kinds: readonly number[]
  readonly paths: readonly (readonly [string, string])[]
  readonly texts: readonly string[]
  /** TEXTS_PER_PLACE and a mark for each: one more than the place in `texts`, 0 for null. */
  readonly places: readonly number[]
}

const TEXTS_PER_PLACE = 8

export function packLedger(ledger: UsageLedger): Uint8Array {
  const columns = columnsOf(ledger).map(narrow)
  const kinds = columns.map((column) => KINDS.findIndex((kind) => column instanceof kind))
  const { count, places, paths } = ledger
  const head: Head = { count, kinds, paths: [...paths], ...packPlaces(places) }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  const bytes = columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength))
  return deflateSync(Buffer.concat([length, text, ...bytes]))
}

/** Throws when the bytes are not those of a ledger: deflated bytes carry a sum of themselves. */
export function unpackLedger(packed: Uint8Array): UsageLedger {
  const bytes = inflateSync(packed)
  let at = 4 + bytes.readUInt32LE(0)
  const head = JSON.parse(bytes.toString('utf8', 4, at)) as Head
  const { count } = head
  const columns = newColumns(count)
  for (const [place, column] of columnsOf(columns).entries()) {
    const kind = KINDS[head.kinds[place] ?? 0] ?? Uint8Array
    const from = bytes.byteOffset + at
    at += count * kind.BYTES_PER_ELEMENT
    // A copy, because a view could not begin just anywhere.
    column.set(new kind(bytes.buffer.slice(from, bytes.byteOffset + at) as ArrayBuffer))
  }
  return { ...columns, count, places: unpackPlaces(head), paths: new Map(head.paths) }
}

/** The order is part of the stored form. */
function columnsOf(columns: LedgerColumns): readonly Column[] {
  const { placeOf, messages, partial, firstMs, lastMs, promptMin, promptMax, tokens } = columns
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = tokens
  const used = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens]
  return [placeOf, messages, partial, firstMs, lastMs, promptMin, promptMax, ...used]
}

/** The narrowest column that holds exactly the same numbers. */
function narrow(column: Column): Column {
  for (const kind of KINDS) {
    const narrower = new kind(column)
    if (narrower.every((value, index) => Object.is(value, column[index]))) return narrower
  }
  return column
}

function packPlaces(places: readonly UsagePlace[]): Pick<Head, 'texts' | 'places'> {
  const texts: string[] = []
  const known = new Map<string, number>()
  const placeOf = (text: string | null): number => {
    if (text === null) return 0
    const place = known.get(text) ?? texts.push(text)
    known.set(text, place)
    return place
  }
  const packed = places.flatMap(({ projectKey, session, agent, agentType, path, cwd, model, rate, isGone }) => [
    ...[projectKey, session, agent, agentType, path, cwd, model, rate].map(placeOf),
    Number(isGone),
  ])
  return { texts, places: packed }
}

function unpackPlaces({ texts, places: packed }: Head): readonly UsagePlace[] {
  const places: UsagePlace[] = []
  const text = (at: number): string | null => texts[(packed[at] ?? 0) - 1] ?? null
  for (let at = 0; at < packed.length; at += TEXTS_PER_PLACE + 1) {
    places.push({
      projectKey: text(at) ?? '',
      session: text(at + 1) ?? '',
      agent: text(at + 2),
      agentType: text(at + 3),
      path: text(at + 4),
      cwd: text(at + 5),
      model: text(at + 6),
      rate: text(at + 7),
      isGone: packed[at + TEXTS_PER_PLACE] === 1,
    })
  }
  return places
}
