// The small JSON files beside transcripts: an agent's meta, a session's title and archive mark.

import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { excerpt } from '../base/text.ts'
import { timeMs } from '../base/time.ts'
import { readBytes } from './lines.ts'
import type { AgentMeta, TranscriptFile } from './model.ts'
import { isProblem, openTranscript } from './open.ts'

const SIZE_BYTES_MAX = 1 << 20
const TITLE_LENGTH_MAX = 200

export interface Sidecar<Value> {
  readonly value: Value | null
  readonly problem: Problem | null
}

export function readAgentMeta(file: TranscriptFile): Sidecar<AgentMeta> {
  const { value, problem: found } = readSidecar(`${file.path.slice(0, -'.jsonl'.length)}.meta.json`)
  if (value === null) return { value: null, problem: found }
  return {
    value: {
      agentType: text(value['agentType']),
      description: text(value['description']),
      toolUseId: text(value['toolUseId']),
      parentAgentId: text(value['parentAgentId']),
      spawnDepth: typeof value['spawnDepth'] === 'number' ? value['spawnDepth'] : null,
    },
    problem: null,
  }
}

/** The name a person gave the session, where the client keeps it beside the transcript; one line, as the SDK shows it. */
export function readCustomTitle(sessionFolder: string): Sidecar<string> {
  const { value, problem: found } = readSidecar(join(sessionFolder, 'custom-title.json'))
  const line = text(value?.['customTitle'])
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return { value: line === undefined ? null : excerpt(line, TITLE_LENGTH_MAX).trim(), problem: found }
}

/** When the session was put away; null also where it was taken back. */
export function readArchivedMs(sessionFolder: string): Sidecar<number> {
  const { value, problem: found } = readSidecar(join(sessionFolder, 'archived.json'))
  return { value: value?.['archived'] === true ? timeMs(text(value['at'])) : null, problem: found }
}

function readSidecar(path: string): Sidecar<Readonly<Record<string, unknown>>> {
  const opened = openTranscript(path)
  if (isProblem(opened)) {
    // Beside a transcript with the longest of names there is no room for one.
    const isAbsent = opened.message.endsWith('ENOENT') || opened.message.endsWith('ENAMETOOLONG')
    return { value: null, problem: isAbsent ? null : broken(path) }
  }
  try {
    const bytes = readBytes(opened.fd, 0, Math.min(opened.sizeBytes, SIZE_BYTES_MAX))
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Readonly<Record<string, unknown>>, problem: null }
    }
    return { value: null, problem: broken(path) }
  } catch {
    // Being rewritten at this moment, or damaged: either way the transcript itself is what counts.
    return { value: null, problem: broken(path) }
  } finally {
    closeSync(opened.fd)
  }
}

function broken(path: string): Problem {
  return problem('sidecar-unreadable', { path, line: 0, offset: 0, length: 0 })
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
