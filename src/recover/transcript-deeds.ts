// One transcript → the Deeds it tells. Envelopes say which records have to be opened; all others stay closed.

import { dirname, isAbsolute } from 'node:path'
import { contentOf } from '../conversation/parts.ts'
import { statusOf } from '../conversation/tool-calls.ts'
import { list, object, text } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import type { ReadBackup } from './backups.ts'
import { backupDeeds } from './backups.ts'
import type { Deed, DeedPlace, PlacedDeed } from './model.ts'
import { outputText } from './read-output.ts'
import { needsResult } from './shell-deeds.ts'
import { attachmentDeeds, deedsOf, FILE_TOOLS } from './tool-deeds.ts'

export interface DeedSource {
  readonly path: string
  readonly sessionId: string
  readonly agentId: string | null
  readonly envelopes: readonly Envelope[]
  readonly bodyOf: (envelope: Envelope) => Body | null
  readonly readBackup: ReadBackup
}

/** In the order of the file, each with the time that the records before it allow. */
export function transcriptDeeds(source: DeedSource): readonly PlacedDeed[] {
  const calls = callsOf(source.envelopes)
  const deeds: PlacedDeed[] = []
  let latestMs = Number.NEGATIVE_INFINITY
  let cwd: string | null = null
  for (const envelope of source.envelopes) {
    cwd = envelope.cwd ?? cwd
    const found = deedsOfRecord(envelope, source, calls, cwd)
    if (found.length === 0) continue
    // Times go back now and then; what was written later in one file happened later.
    if (envelope.timestampMs !== null) latestMs = Math.max(latestMs, envelope.timestampMs)
    const ownMs = Number.isFinite(latestMs) ? latestMs : null
    for (const { deed, tool, timeMs, callId } of found) {
      deeds.push({ deed, place: { ...placeOf(source, envelope), timeMs: timeMs ?? ownMs, tool, callId } })
    }
  }
  return deeds
}

interface FoundDeed {
  readonly deed: Deed
  readonly tool: string
  /** Where it is another than that of the record. */
  readonly timeMs: number | null
  readonly callId: string | null
}

interface Call {
  readonly envelope: Envelope
  readonly name: string
}

function callsOf(envelopes: readonly Envelope[]): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>()
  for (const envelope of envelopes) {
    for (const { id, name } of envelope.toolUses) if (FILE_TOOLS.has(name)) calls.set(id, { envelope, name })
  }
  return calls
}

function deedsOfRecord(
  envelope: Envelope,
  source: DeedSource,
  calls: ReadonlyMap<string, Call>,
  cwd: string | null,
): readonly FoundDeed[] {
  if (envelope.type.startsWith('file-history-')) {
    const body = source.bodyOf(envelope)
    return body === null ? [] : backupDeeds(body, cwd, source.readBackup)
  }
  if (envelope.type === 'attachment') {
    if (envelope.subtype !== 'file' && envelope.subtype !== 'edited_text_file') return []
    const attachment = object(source.bodyOf(envelope)?.['attachment'])
    const deeds = attachment === null ? [] : attachmentDeeds(attachment, cwd)
    return deeds.map((deed) => ({ deed, tool: 'attachment', timeMs: null, callId: envelope.uuid }))
  }
  return envelope.toolResults.flatMap(({ id }) => {
    const call = calls.get(id)
    if (call === undefined) return []
    // A command that failed may have changed files all the same.
    const isFine = statusOf(id, { transcript: 0, envelope }) === 'ok'
    if (!isFine && call.name !== 'Bash') return []
    return deedsOfCall(id, call, envelope, source, cwd, isFine)
  })
}

function deedsOfCall(
  id: string,
  { envelope: callEnvelope, name }: Call,
  resultEnvelope: Envelope,
  source: DeedSource,
  cwd: string | null,
  isFine: boolean,
): readonly FoundDeed[] {
  const input = object(blockOf(source.bodyOf(callEnvelope), 'id', id)?.['input'])
  // What most commands printed is long, and says nothing about files.
  if (name === 'Bash' && input !== null && !needsResult(text(input['command']) ?? '')) {
    const deeds = deedsOf({ name, input, kept: undefined, output: '', cwd: callEnvelope.cwd ?? cwd, isFine })
    return deeds.map((deed) => ({ deed, tool: name, timeMs: null, callId: id }))
  }
  const result = source.bodyOf(resultEnvelope)
  const block = blockOf(result, 'tool_use_id', id)
  if (input === null || block === null) return []
  const output = outputText(block['content'])
  if (REFUSED.test(output) && name !== 'Bash') return []
  // One record with several results keeps nothing that could be told apart.
  const kept = resultEnvelope.toolResults.length === 1 ? result?.['toolUseResult'] : undefined
  if (name !== 'Bash' && typeof kept === 'string' && kept.startsWith('Error')) return []
  // What ran began in the folder of the call; the result has the folder where it ended.
  const deeds = deedsOf({ name, input, kept, output, cwd: callEnvelope.cwd ?? cwd, isFine })
  return deeds.map((deed) => ({ deed, tool: name, timeMs: null, callId: id }))
}

/** Some dialects do not mark a refusal as an error. */
const REFUSED = /^(?:<tool_use_error>|User rejected tool use|The user doesn't want to)/

function blockOf(body: Body | null, key: 'id' | 'tool_use_id', id: string): Body | null {
  // The event-log dialect writes a call and its result as records of their own.
  if (body?.['type'] === 'tool_use') return { ...body, input: body['toolInput'] ?? body['input'] }
  if (body?.['type'] === 'tool_result') return body
  const blocks = list(contentOf(body)) ?? []
  return blocks.map(object).find((block) => text(block?.[key]) === id) ?? null
}

function placeOf(source: DeedSource, envelope: Envelope): Omit<DeedPlace, 'timeMs' | 'tool' | 'callId'> {
  const { offset, uuid } = envelope
  const agentId = source.agentId ?? (envelope.isSidechain ? (envelope.agentId ?? 'inline') : null)
  return { sessionId: source.sessionId, agentId, transcriptPath: source.path, offset, uuid }
}

/** Where the client keeps what files were before it changed them. */
export function backupFolder(transcriptPath: string, sessionId: string): string | null {
  for (let at = dirname(transcriptPath); isAbsolute(at) && dirname(at) !== at; at = dirname(at)) {
    if (at.endsWith('/projects')) return `${dirname(at)}/file-history/${sessionId}`
  }
  return null
}
