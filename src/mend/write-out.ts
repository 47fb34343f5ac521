// A draft as bytes. What was not touched is copied as it is, in large stretches; the rest is written row by row.

import type { Envelope } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { setMembers } from './rewrite.ts'
import { rowText } from './row-text.ts'

export type RepairTarget =
  | { readonly kind: 'in-place' }
  /** Ids of records stay; each says which session it belongs to now, and which it came from. */
  | { readonly kind: 'new-session'; readonly sessionId: string; readonly fromSessionId: string | null }

interface Stretch {
  readonly offset: number
  /** A row, or null for bytes that belong to no record and are kept. */
  readonly row: number | null
  readonly length: number
}

const COPY_BYTES = 1 << 20
const NEWLINE = Buffer.from('\n')

/** Whole lines, together; the last one ends in a line end unless the source did not and lines are not mended. */
export function* repairedBytes(draft: Draft, target: RepairTarget): Generator<Uint8Array, void, void> {
  let isAtLineStart = true
  let from = 0
  let to = 0
  const copied = function* (): Generator<Uint8Array, void, void> {
    while (from < to) {
      const bytes = draft.survey.source.read(from, Math.min(COPY_BYTES, to - from))
      if (bytes.length === 0) throw new Error('the transcript became shorter while it was read')
      isAtLineStart = bytes[bytes.length - 1] === 0x0a
      from += bytes.length
      yield bytes
    }
  }
  for (const { row, offset, length } of stretchesOf(draft)) {
    if (row === null || isVerbatim(draft, row, target)) {
      if (offset !== to) {
        yield* copied()
        if (!isAtLineStart && row !== null) yield NEWLINE
        from = offset
      }
      to = offset + length
      continue
    }
    yield* copied()
    if (!isAtLineStart) yield NEWLINE
    yield Buffer.concat([targeted(rowText(draft, row), draft.envelopes[row] as Envelope, target), NEWLINE])
    isAtLineStart = true
    from = 0
    to = 0
  }
  yield* copied()
}

/** Everything that is to be written, in its order. */
function stretchesOf(draft: Draft): readonly Stretch[] {
  const { envelopes, dropped, survey, mendsLines } = draft
  const stretches: Stretch[] = []
  for (const [row, { offset, length }] of envelopes.entries())
    if (!dropped.has(row)) stretches.push({ row, offset, length })
  if (!mendsLines)
    for (const { offset, length, isInRecord } of survey.faults)
      if (!isInRecord) stretches.push({ row: null, offset, length })
  return stretches.sort((one, other) => one.offset - other.offset)
}

function isVerbatim(draft: Draft, row: number, { kind }: RepairTarget): boolean {
  if (kind !== 'in-place' || draft.changes.has(row) || draft.rewritten.has(row) || draft.made.has(row)) return false
  if (draft.placed.size > 0 && draft.envelopes[row]?.offset !== draft.survey.envelopes[row]?.offset) return false
  return !draft.mendsLines || !draft.survey.ragged.has(row)
}

function targeted(bytes: Uint8Array, { uuid, sessionId }: Envelope, target: RepairTarget): Uint8Array {
  if (target.kind === 'in-place') return bytes
  const from = uuid === null ? null : { sessionId: target.fromSessionId ?? sessionId, messageUuid: uuid }
  return setMembers(bytes, [
    { key: 'sessionId', value: target.sessionId, isAdded: false },
    { key: 'session_id', value: target.sessionId, isAdded: false },
    ...(from === null || from.sessionId === null ? [] : [{ key: 'forkedFrom', value: from, isAdded: true }]),
  ])
}
