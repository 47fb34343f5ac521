// Prompts that exist only in the queue's own records. 2.0.x absorbed a prompt typed during a turn without writing it
// anywhere else; newer clients write it again, and then only that record counts.

import type { LooseRecord, Thread } from '../graph/thread.ts'

export function undeliveredPrompts(thread: Thread): readonly LooseRecord[] {
  const waiting: LooseRecord[] = []
  const absorbed: LooseRecord[] = []
  for (const record of thread.loose) {
    if (record.envelope.type !== 'queue-operation') continue
    switch (record.envelope.subtype) {
      case 'enqueue':
        waiting.push(record)
        break
      case 'dequeue':
        waiting.shift()
        break
      case 'remove':
        absorbed.push(...waiting.splice(0, 1))
        break
      case 'popAll':
        // Taken back into the input line: whatever was sent in the end is a record of its own.
        waiting.length = 0
        break
      default:
        break
    }
  }
  const candidates = [...absorbed, ...waiting].filter((record) => record.envelope.links?.textKey !== undefined)
  if (candidates.length === 0) return []
  const written = new Set<number>()
  for (const { first } of thread.nodes) {
    if (first.kind === 'prompt' && first.links?.textKey !== undefined) written.add(first.links.textKey)
  }
  return candidates
    .filter((record) => !written.has(record.envelope.links?.textKey ?? 0))
    .sort((one, other) => one.order - other.order)
}
