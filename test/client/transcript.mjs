// Transcripts written by hand, with no more in each record than the client asks for.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder in which the client looks for the sessions of `cwd`. */
export function projectFolder(root, cwd) {
  return join(root, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'))
}

/** Writes the records as a session of `cwd`, and gives its id. */
export function writeSession(root, cwd, records) {
  const sessionId = randomUUID()
  const folder = projectFolder(root, cwd)
  mkdirSync(folder, { recursive: true })
  const lines = records.map((record) => `${JSON.stringify({ ...record, sessionId, cwd })}\n`)
  writeFileSync(join(folder, `${sessionId}.jsonl`), lines.join(''))
  return sessionId
}

/** Uuids and times that follow from a small number, so that a case can name its records 1, 2, 3. */
export function uuid(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function envelope(number, parent) {
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    userType: 'external',
    version: '2.1.325',
    uuid: uuid(number),
    timestamp: new Date(Date.UTC(2026, 10, 1, 10, 0, number)).toISOString(),
  }
}

export function userRecord(number, parent, content, more = {}) {
  return { ...envelope(number, parent), type: 'user', message: { role: 'user', content }, ...more }
}

export function assistantRecord(number, parent, block, more = {}) {
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-scripted',
    content: [typeof block === 'string' ? { type: 'text', text: block } : block],
    stop_reason: block.type === 'tool_use' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  }
  return { ...envelope(number, parent), type: 'assistant', message, ...more }
}

export function systemRecord(number, parent, subtype, more = {}) {
  return { ...envelope(number, parent), type: 'system', subtype, ...more }
}
