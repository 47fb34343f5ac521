// What a compaction says it kept, said anew.

import type { Boundary, Preserved } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { envelopeAt, setEnvelope, setField } from './draft.ts'

export function setKept(draft: Draft, row: number, preserved: Preserved): void {
  const { anchorUuid, uuids } = preserved
  setField(draft, row, ['compactMetadata', 'preservedMessages'], { anchorUuid, uuids })
  setEnvelope(draft, row, { boundary: { ...(envelopeAt(draft, row).boundary as Boundary), preserved } })
}

export function keepNothing(draft: Draft, row: number, boundary: Boundary): void {
  setField(draft, row, ['compactMetadata', 'preservedMessages'], undefined)
  setField(draft, row, ['compactMetadata', 'preservedSegment'], undefined)
  setEnvelope(draft, row, { boundary: { ...boundary, preserved: null } })
}
