// What the histories claim about files, held against what the scripted client remembers.

import { decodeUtf8 } from '../../src/base/text.ts'
import { envelopeOf, newReadState } from '../../src/record/envelope.ts'
import { certaintyOf, shownText } from '../../src/recover/content.ts'
import { inOrder } from '../../src/recover/gather.ts'
import { historiesOf } from '../../src/recover/history.ts'
import type { FileHistory, Version } from '../../src/recover/model.ts'
import { transcriptDeeds } from '../../src/recover/transcript-deeds.ts'
import type { ScriptedClient } from './scripted-client.ts'

export function historiesFrom(client: ScriptedClient): ReadonlyMap<string, FileHistory> {
  const deeds = [...client.transcripts].flatMap(([agent, records]) => {
    const state = newReadState(agent !== '')
    const envelopes = records.map((body, line) => envelopeOf(body, { line: line + 1, offset: line, length: 1 }, state))
    return transcriptDeeds({
      path: `/t/${agent}.jsonl`,
      sessionId: client.sessionId,
      agentId: agent === '' ? null : agent,
      envelopes,
      bodyOf: ({ offset }) => records[offset] ?? null,
      readBackup: (name) => {
        const bytes = client.backups.get(name)
        return bytes === undefined ? null : Buffer.from(bytes)
      },
    })
  })
  return historiesOf(inOrder(deeds))
}

const SHOWN_BEFORE: ReadonlySet<string> = new Set(['before', 'outside'])

/** What a Version says that was not so; null when it says nothing wrong. */
export function wrongClaim(version: Version, client: ScriptedClient): string | null {
  const { path, cause, content, place } = version
  const moment = place.uuid === null ? undefined : client.moments.get(place.uuid)
  // A backup is what it is.
  if (moment === undefined) return null
  const bytes = (SHOWN_BEFORE.has(cause) ? moment.before : moment.after).get(path)
  const wrong = (claimed: unknown): string =>
    JSON.stringify({ path, number: version.number, cause, tool: place.tool, claimed, is: bytes ?? null })
  const certainty = certaintyOf(content)
  if (certainty === 'absent') return bytes === undefined ? null : wrong('absent')
  if (certainty === 'exact') {
    const claimed = content.kind === 'text' ? content.text : content.kind === 'bytes' ? decodeUtf8(content.bytes) : ''
    return claimed === bytes ? null : wrong(claimed)
  }
  if (certainty === 'text' && content.kind === 'text') {
    return bytes !== undefined && shownText(content.text) === shownText(bytes) ? null : wrong(content.text)
  }
  if (content.kind === 'parts' && content.moments === 1) {
    const lines = shownText(bytes ?? '').split('\n')
    const isRight = content.lines.every((line, at) => line === null || line === lines[at])
    return isRight && (content.isOpen || content.lines.length === lines.length) ? null : wrong(content.lines)
  }
  return null
}

export function wrongClaims(client: ScriptedClient): readonly string[] {
  return [...historiesFrom(client).values()].flatMap(({ versions }) =>
    versions.flatMap((version) => wrongClaim(version, client) ?? []),
  )
}
