// What a client wrote that we have not met before, by client version. A new release never breaks reading; it shows here.

import { list, object } from './fields.ts'
import { KNOWN_BLOCKS, KNOWN_KEYS, KNOWN_SUBTYPES, KNOWN_TYPES } from './known.ts'
import type { Body, Envelope } from './model.ts'

export type DriftKind = 'type' | 'subtype' | 'block' | 'key'

export interface Drift {
  readonly kind: DriftKind
  readonly name: string
  readonly version: string
  readonly count: number
}

export type DriftCounts = Map<string, { kind: DriftKind; name: string; version: string; count: number }>

export function countDrift(counts: DriftCounts, envelope: Envelope, body: Body): void {
  const version = envelope.version ?? 'unknown'
  const { type } = envelope
  if (!KNOWN_TYPES.has(type)) {
    count(counts, 'type', type === '' ? '(none)' : type, version)
    return
  }
  countKinds(counts, envelope)
  for (const result of envelope.toolResults.length === 0 ? [] : nestedBlocks(body)) {
    if (!KNOWN_BLOCKS.has(result)) count(counts, 'block', `tool_result>${result}`, version)
  }
  for (const key in body) if (!KNOWN_KEYS.has(key)) count(counts, 'key', `${type}.${key}`, version)
}

/** All there is to count where the scanner has read a record: it gives up on keys that it was not told. */
export function countKinds(counts: DriftCounts, { type, subtype, blocks, version: written }: Envelope): void {
  const version = written ?? 'unknown'
  const subtypes = KNOWN_SUBTYPES.get(type)
  if (subtype !== null && subtypes !== undefined && !subtypes.has(subtype)) {
    count(counts, 'subtype', `${type}/${subtype}`, version)
  }
  for (const block of blocks) if (!KNOWN_BLOCKS.has(block)) count(counts, 'block', block, version)
}

export function driftOf(counts: DriftCounts): readonly Drift[] {
  return [...counts.values()]
}

/** The types of Blocks inside tool results. */
function* nestedBlocks(body: Body): Generator<string> {
  for (const block of list(object(body['message'])?.['content']) ?? []) {
    for (const part of list(object(block)?.['content']) ?? []) {
      const type = object(part)?.['type']
      if (typeof type === 'string') yield type
    }
  }
}

function count(counts: DriftCounts, kind: DriftKind, name: string, version: string): void {
  const key = `${kind}\0${name}\0${version}`
  const known = counts.get(key)
  if (known === undefined) counts.set(key, { kind, name, version, count: 1 })
  else known.count++
}
