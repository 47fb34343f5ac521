// Hand-made transcripts: records by their short names → bytes → Lines → Thread, the same way a file takes. Records get
// a rising timestamp and a session id when they are written, unless they bring their own.

import type { Thread } from '../../src/graph/thread.ts'
import { buildThread } from '../../src/graph/thread.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import type { Line } from '../../src/source/model.ts'

type Raw = Readonly<Record<string, unknown>>

/** A record is written as one line; a text is written as it stands, line end or none. */
export type Written = Raw | string

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const SESSION_ID = '5e551011-0000-4000-8000-000000000000'
const START_MS = 1_790_000_000_000

export function threadOf(written: readonly Written[]): Thread {
  const lines = linesOf(new TextEncoder().encode(textOf(written)))
  const { envelopes } = readTranscript(`/p/${SESSION_ID}.jsonl`, lines)
  return buildThread([{ transcript: 0, envelopes }])
}

export function textOf(written: readonly Written[]): string {
  return written.map((part, place) => (typeof part === 'string' ? part : `${lineOf(part, place)}\n`)).join('')
}

function lineOf(record: Raw, place: number): string {
  return JSON.stringify({ timestamp: time(place + 1), sessionId: SESSION_ID, cwd: '/p', version: '2.1.325', ...record })
}

function* linesOf(bytes: Uint8Array): Generator<Line, void, void> {
  let offset = 0
  for (let number = 1; offset < bytes.length; number++) {
    const newline = bytes.indexOf(10, offset)
    const end = newline === -1 ? bytes.length : newline
    const length = newline === -1 ? end - offset : end + 1 - offset
    yield { number, offset, length, bytes: bytes.subarray(offset, end), ended: newline !== -1 }
    offset += length
  }
}

/** User and assistant in turn, each the child of the one before it: most transcripts are made of these. */
export function talk(parentUuid: string | null, ...names: readonly string[]): readonly Raw[] {
  return names.map((name, place) =>
    (place % 2 === 0 ? u : a)(name, place === 0 ? parentUuid : (names[place - 1] ?? null)),
  )
}

export function u(uuid: string, parentUuid: string | null, more: Raw = {}): Raw {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content: `u:${uuid}` }, ...more }
}

export function a(uuid: string, parentUuid: string | null, more: Raw = {}): Raw {
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    message: reply(`msg_${uuid}`, [{ type: 'text', text: `a:${uuid}` }]),
    ...more,
  }
}

/** Records with one `messageId` are the Blocks of one reply. */
export function toolUse(uuid: string, parentUuid: string, ids: readonly string[], messageId = `msg_${uuid}`): Raw {
  const blocks = ids.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'true' } }))
  return a(uuid, parentUuid, { message: reply(messageId, blocks) })
}

export function toolResult(uuid: string, parentUuid: string, id: string, sourceUuid: string | null = parentUuid): Raw {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'done' }]
  const source = sourceUuid === null ? {} : { sourceToolAssistantUUID: sourceUuid }
  return u(uuid, parentUuid, { message: { role: 'user', content }, ...source })
}

export function system(uuid: string, parentUuid: string | null, subtype = 'informational', more: Raw = {}): Raw {
  return { type: 'system', subtype, uuid, parentUuid, content: `s:${uuid}`, ...more }
}

export function attachment(uuid: string, parentUuid: string | null, inner: Raw = { type: 'date', date: 'd' }): Raw {
  return { type: 'attachment', uuid, parentUuid, attachment: inner }
}

export function progress(uuid: string, parentUuid: string): Raw {
  return { type: 'progress', uuid, parentUuid, data: { type: 'hook_progress' }, toolUseID: 'T1', parentToolUseID: 'T1' }
}

/** A compaction: its Boundary, which begins a new root, and its summary. */
export function compaction(boundaryUuid: string, summaryUuid: string, kept: Raw = {}): readonly Raw[] {
  return [boundary(boundaryUuid, null, kept), summary(summaryUuid, boundaryUuid)]
}

export function boundary(uuid: string, parentUuid: string | null, kept: Raw = {}): Raw {
  const compactMetadata = { trigger: 'manual', preTokens: 1000, ...kept }
  return system(uuid, parentUuid, 'compact_boundary', { compactMetadata })
}

export function summary(uuid: string, parentUuid: string): Raw {
  return u(uuid, parentUuid, { isCompactSummary: true, isVisibleInTranscriptOnly: true })
}

/** What `compaction` takes to say that messages were kept word for word. */
export function keeps(anchorUuid: string, ...uuids: readonly string[]): Raw {
  return { preservedMessages: { anchorUuid, uuids, allUuids: uuids } }
}

export function lastPrompt(leafUuid: string): Raw {
  return { type: 'last-prompt', lastPrompt: 'a prompt', leafUuid, timestamp: undefined, cwd: undefined }
}

export function explicitTip(leafUuid: string): Raw {
  return { ...lastPrompt(leafUuid), lastPrompt: undefined, explicit: true }
}

export function sidechain(...records: readonly Raw[]): readonly Raw[] {
  return records.map((record) => ({ ...record, isSidechain: true }))
}

/** With the timestamps of the given second and the ones after it, wherever in the file the records stand. */
export function at(second: number, ...records: readonly Raw[]): readonly Raw[] {
  return records.map((record, place) => ({ ...record, timestamp: time(second + place) }))
}

function reply(id: string, content: readonly Raw[]): Raw {
  return { id, type: 'message', role: 'assistant', model: 'claude-opus-4-1', content }
}

function time(second: number): string {
  return new Date(START_MS + second * 1000).toISOString()
}
