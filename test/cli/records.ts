// Transcripts for the command to read: records by hand, written below a folder the way a client lays them out.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Raw = Readonly<Record<string, unknown>>

/** Records become one line each; a text or bytes are written as they stand. */
export type Content = readonly Raw[] | string | Uint8Array

export function writeBelow(folder: string, files: Readonly<Record<string, Content>>): string {
  for (const [path, content] of Object.entries(files)) {
    const whole = join(folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, isRecords(content) ? jsonl(content) : content)
  }
  return folder
}

function isRecords(content: Content): content is readonly Raw[] {
  return Array.isArray(content)
}

export function jsonl(records: readonly Raw[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** A session id that is told from others by its first digit. */
export function sessionId(digit: string): string {
  return `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`
}

const START_MS = Date.parse('2026-03-01T10:00:00.000Z')

/** Records of one session: what every record of it has is said once, the time goes on by itself. */
export function session(id: string, records: readonly Raw[], more: Raw = {}): readonly Raw[] {
  return records.map((record, place) => ({
    sessionId: id,
    cwd: '/home/ada/tidewatch',
    gitBranch: 'main',
    version: '2.1.325',
    timestamp: new Date(START_MS + place * 1000).toISOString(),
    ...more,
    ...record,
  }))
}

export function prompt(uuid: string, parentUuid: string | null, text: string, more: Raw = {}): Raw {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content: text }, ...more }
}

export function reply(uuid: string, parentUuid: string, content: string | readonly Raw[], more: Raw = {}): Raw {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const message = { id: `msg_${uuid}`, role: 'assistant', model: 'claude-opus-5-5', content: blocks }
  return { type: 'assistant', uuid, parentUuid, message, ...more }
}

export function toolUse(id: string, name: string, input: unknown): Raw {
  return { type: 'tool_use', id, name, input }
}

export function toolResult(uuid: string, parentUuid: string, id: string, text: string, more: Raw = {}): Raw {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text }]
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content }, ...more }
}

/** The shortest conversation there is: a question and its answer. */
export function talk(id: string, text: string, more: Raw = {}): readonly Raw[] {
  return session(id, [prompt(`${id}-u`, null, text), reply(`${id}-a`, `${id}-u`, 'Done.')], more)
}

/** An old client wrote what a subagent said into the main file. */
export function withInlineAgent(id: string): readonly Raw[] {
  const inside = { isSidechain: true }
  return session(id, [
    prompt('u1', null, 'Where do the tides come from?'),
    reply('a1', 'u1', [toolUse('T1', 'Task', { description: 'Look', prompt: 'Look for the moon' })]),
    prompt('51de0001-u', null, 'Look for the moon', inside),
    reply('51de0002-a', '51de0001-u', 'The moon is quicksilver.', inside),
    toolResult('u2', 'a1', 'T1', 'Found it'),
    reply('a2', 'u2', 'From the moon.'),
  ])
}
