// Questions about an Envelope that every later stage asks. They are answered here so that they are answered once.

import type { Envelope } from './model.ts'

/** A user or assistant record: what the official SDK returns as a message. */
export function isMessage(envelope: Envelope): boolean {
  switch (envelope.kind) {
    case 'prompt':
    case 'injection':
    case 'recap':
    case 'tool-result':
    case 'reply':
      return envelope.type !== 'attachment'
    default:
      return false
  }
}

/** A prompt or notice that reached the model inside an attachment while a turn was running. */
export function isQueued(envelope: Envelope): boolean {
  return envelope.type === 'attachment' && envelope.subtype === 'queued_command'
}

/** The id under which a message is known to the outside: a queued prompt has one that no record carries. */
export function messageUuid(envelope: Envelope): string {
  return (isQueued(envelope) ? envelope.links?.queuedSourceUuid : undefined) ?? envelope.uuid ?? ''
}

const CHAIN_TYPES: ReadonlySet<string> = new Set([
  ...['user', 'assistant', 'system', 'attachment', 'progress'],
  // The event-log dialect, which official readers do not know at all.
  ...['message', 'tool_use', 'tool_result', 'compaction'],
])

/** The official SDK walks over these types only; a record of any other type breaks its chain. */
export function isChainType(envelope: Envelope): boolean {
  return CHAIN_TYPES.has(envelope.type)
}
