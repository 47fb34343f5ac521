// Histories and Versions as the rows that are shown of them.

import { createHash } from 'node:crypto'
import { certaintyOf, gapsIn, isWhole, linesOf, shownText } from '../recover/content.ts'
import { newestCertain } from '../recover/history.ts'
import type { Content, FileHistory, Version } from '../recover/model.ts'
import type { Recovered } from '../recover/recovered.ts'
import { countLines, diffLines } from '../render/export/line-diff.ts'
import type { FileRow, VersionRow } from '../render/files.ts'
import { referenceOf } from '../search/reference.ts'

export function fileRow(history: FileHistory, { turnOf }: Recovered): FileRow {
  const { path, versions, later } = history
  const last = versions.at(-1) as Version
  const sure = newestCertain(versions)
  const best = sure ?? last
  return {
    path,
    versions: versions.length,
    changes: versions.filter(({ cause }) => CHANGES.has(cause)).length,
    firstMs: versions[0]?.place.timeMs ?? null,
    lastMs: last.place.timeMs,
    cause: last.cause,
    certainty: certaintyOf(best.content),
    certainVersion: sure?.number ?? null,
    gaps: gapsOf(best.content),
    isDeleted: last.content.kind === 'absent',
    laterCommand: later === null ? null : refOf(later),
    sessionId: last.place.sessionId,
    agentId: last.place.agentId,
    turn: turnOf(last.place)?.turn ?? null,
    ref: refOf(last.place),
  }
}

const CHANGES: ReadonlySet<string> = new Set(['created', 'written', 'edited', 'appended', 'deleted', 'moved', 'copied'])

export function versionRows({ versions }: FileHistory, { turnOf }: Recovered): readonly VersionRow[] {
  return versions.map((version, place) => {
    const { path, number, cause, content, from } = version
    const before = versions[place - 1]?.content ?? (cause === 'created' ? NO_FILE : null)
    const diff = before === null ? null : diffOf(before, content)
    const found = turnOf(version.place)
    return {
      path,
      number,
      cause,
      timeMs: version.place.timeMs,
      sessionId: version.place.sessionId,
      agentId: version.place.agentId,
      turn: found?.turn ?? null,
      branch: found?.branch ?? null,
      ref: refOf(version.place),
      tool: version.place.tool,
      certainty: certaintyOf(content),
      doubt: doubtOf(content),
      lines: linesIn(content),
      gaps: gapsOf(content),
      added: diff === null ? null : countLines(diff).added,
      removed: diff === null ? null : countLines(diff).removed,
      from,
      sha256: hashOf(content),
      diff,
    }
  })
}

const NO_FILE: Content = { kind: 'absent' }

function diffOf(before: Content, after: Content): VersionRow['diff'] {
  const [old, now] = [comparable(before), comparable(after)]
  return old === null || now === null ? null : diffLines(old, now)
}

function comparable(content: Content): string | null {
  if (content.kind === 'absent') return ''
  return isWhole(content) ? (linesOf(content)?.join('\n') ?? null) : null
}

export function refOf({ sessionId, agentId, uuid, offset }: Version['place']): string {
  return referenceOf(sessionId, agentId, uuid, offset)
}

export function doubtOf(content: Content): string | null {
  if (content.kind === 'text') return content.doubt
  return content.kind === 'parts' && content.moments > 1 ? `its lines were seen in ${content.moments} looks` : null
}

export function gapsOf(content: Content): number {
  if (content.kind !== 'parts') return 0
  return gapsIn(content.lines) + (content.isOpen && content.lines.at(-1) !== null ? 1 : 0)
}

function linesIn(content: Content): number | null {
  if (content.kind === 'text') {
    const shown = shownText(content.text)
    return shown === '' ? 0 : shown.split('\n').length - (shown.endsWith('\n') ? 1 : 0)
  }
  return content.kind === 'parts' ? content.lines.filter((line) => line !== null).length : null
}

function hashOf(content: Content): string | null {
  if (content.kind !== 'text' && content.kind !== 'bytes') return null
  const bytes = content.kind === 'text' ? content.text : content.bytes
  return createHash('sha256').update(bytes).digest('hex')
}
