// What must hold for any bytes: each has exactly one place, each record reads again from its own position, the quick
// reading equals the exact one, each record with a uuid stands in exactly one Branch or Subagent, and all that was woven
// can be shown.

import { expect } from 'vitest'
import type { Woven } from '../../src/conversation/build.ts'
import { partsOf } from '../../src/conversation/parts.ts'
import { reachOf } from '../../src/conversation/reach.ts'
import { branchesOfConversation, readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { summarise } from '../../src/conversation/summary.ts'
import { openBodies } from '../../src/load/bodies.ts'
import type { LoadedFile } from '../../src/load/read.ts'
import type { Envelope } from '../../src/record/model.ts'
import type { ReadTranscript } from '../../src/record/transcript.ts'

/** Problems that are the place of the bytes they name; the others are remarks about bytes that are placed elsewhere. */
const PLACES: ReadonlySet<string> = new Set([
  'byte-order-mark',
  'line-not-json',
  'line-not-record',
  'line-too-long',
  'nul-run',
  'salvage-limit',
  'stray-bytes',
  'torn-record',
])

interface Span {
  readonly start: number
  readonly end: number
}

export function expectBytesPlaced({ account, path, envelopes, problems }: ReadTranscript, bytes: Buffer): void {
  expect(account.sizeBytes).toBe(bytes.length)
  expect(account.records + account.problems + account.tail + account.blank).toBe(bytes.length)
  expect(problems.filter(({ position }) => position?.path !== path)).toEqual([])
  const records = envelopes.map(spanOf)
  const damaged = problems.flatMap(({ code, position }) =>
    position !== null && PLACES.has(code) ? [spanOf(position)] : [],
  )
  expect(lengthOf(records)).toBe(account.records)
  expect(lengthOf(damaged)).toBe(account.problems)
  const gaps = gapsBetween([...records, ...damaged], bytes.length)
  const tail = bytes.length - account.tail
  for (const { start, end } of gaps) {
    if (start < tail) expect(bytes.toString('latin1', start, Math.min(end, tail))).toMatch(/^[ \t\r\n]*$/)
  }
  if (account.tail > 0) expect(gaps.at(-1)?.end).toBe(bytes.length)
  expect(problems.filter(({ position }) => position !== null && spanOf(position).end > bytes.length)).toEqual([])
  expectLineNumbers(envelopes, bytes)
}

function spanOf({ offset, length }: { readonly offset: number; readonly length: number }): Span {
  return { start: offset, end: offset + length }
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}

function gapsBetween(spans: readonly Span[], end: number): readonly Span[] {
  const gaps: Span[] = []
  let at = 0
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    if (span.start < at || span.end <= span.start) expect.fail(`overlap or empty span at byte ${span.start}`)
    if (span.start > at) gaps.push({ start: at, end: span.start })
    at = span.end
  }
  if (at < end) gaps.push({ start: at, end })
  return gaps
}

function expectLineNumbers(envelopes: readonly Envelope[], bytes: Buffer): void {
  let line = 1
  let at = 0
  for (const envelope of envelopes) {
    for (let newline = bytes.indexOf(10, at); newline !== -1 && newline < envelope.offset; line++) {
      at = newline + 1
      newline = bytes.indexOf(10, at)
    }
    if (envelope.line !== line) expect.fail(`line ${envelope.line} instead of ${line} at byte ${envelope.offset}`)
  }
}

/** Every node of the main thread once in a Branch, every sidechain node once in a Subagent. */
export function expectNodesPlaced({ joined, outline }: Woven): void {
  const places = new Uint8Array(joined.nodes.length)
  const place = (index: number): void => {
    places[index] = (places[index] ?? 0) + 1
  }
  for (const { path, beside } of outline.branches) {
    for (const index of path) place(index)
    for (const hanging of beside.values()) for (const index of hanging) place(index)
  }
  for (const index of outline.sidechain) place(index)
  const wrong = places.findIndex((count) => count !== 1)
  if (wrong >= 0) expect.fail(`${joined.nodes[wrong]?.uuid} stands in ${places[wrong]} places`)
}

export function expectReadable({ transcript }: LoadedFile, woven: Woven): void {
  const bodies = openBodies()
  try {
    for (const envelope of transcript.envelopes) {
      const body = bodies.read(transcript.path, envelope)
      if (body === null) expect.fail(`no record at byte ${envelope.offset}`)
      if (typeof body['uuid'] === 'string' && body['uuid'] !== '') expect(envelope.uuid).toBe(body['uuid'])
    }
    const paths = [woven.source.main.path, ...woven.source.earlier.map((one) => one.path)]
    const readings = [readFull(woven), readContextTurns(woven), ...branchesOfConversation(woven)]
    for (const turn of readings.flatMap(({ turns }) => turns)) {
      const parts = partsOf(turn, (record) => bodies.read(paths[record.transcript] ?? '', record.envelope))
      expect(parts.length).toBeLessThanOrEqual(turn.records.length)
    }
    expect(reachOf(woven).records).toBe(woven.own.nodes.length)
    expect(summarise(woven, 0).path).toBe(transcript.path)
  } finally {
    bodies.close()
  }
}
