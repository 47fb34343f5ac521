// Records → Replies. One model request leaves several records, and a slow stream lets tool results stand between them:
// they belong together by message id, never by standing side by side.

import type { Usage } from '../record/model.ts'
import { highestUsage } from '../record/usage-record.ts'
import type { PlacedRecord, Reply } from './model.ts'

export function repliesOf(records: readonly PlacedRecord[]): readonly Reply[] {
  const groups = new Map<string, PlacedRecord[]>()
  for (const record of records) {
    const { envelope } = record
    if (envelope.kind !== 'reply') continue
    const id = envelope.messageId ?? envelope.requestId ?? envelope.uuid ?? `line ${envelope.line}`
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [record])
    else group.push(record)
  }
  return [...groups].map(([messageId, group]) => ({
    messageId,
    model: group.find((record) => record.envelope.model !== null)?.envelope.model ?? null,
    records: byBlockIndex(group),
    usage: usageOf(group),
  }))
}

function byBlockIndex(records: readonly PlacedRecord[]): readonly PlacedRecord[] {
  if (records.some((record) => record.envelope.blockIndex === null)) return records
  return [...records].sort((one, other) => (one.envelope.blockIndex ?? 0) - (other.envelope.blockIndex ?? 0))
}

function usageOf(records: readonly PlacedRecord[]): Usage | null {
  let highest: Usage | null = null
  for (const { envelope } of records) {
    const { usage } = envelope
    if (usage === null) continue
    highest = highest === null ? usage : highestUsage(highest, usage)
  }
  return highest
}
