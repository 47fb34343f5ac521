// From what a person types to a session: a full id, a unique prefix, `latest`, a path, a title, and `<id>/<agentId>`.

import { closeSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeUtf8 } from '../base/text.ts'
import { timeMs } from '../base/time.ts'
import { readBytes } from '../source/lines.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { FoundArchive } from './archive.ts'
import { mainFiles } from './archive.ts'
import { listConversations } from './list-all.ts'

export type FoundSession =
  | { readonly state: 'found'; readonly file: TranscriptFile; readonly agentId: string | null }
  | { readonly state: 'ambiguous'; readonly candidates: readonly TranscriptFile[] }
  | { readonly state: 'none' }

export async function findSession(archive: FoundArchive, reference: string): Promise<FoundSession> {
  const files = mainFiles(archive)
  const byPath = files.find((file) => file.path === resolve(reference))
  if (byPath !== undefined && isFile(reference)) return { state: 'found', file: byPath, agentId: null }
  if (reference === 'latest') return latest(files)
  const slash = reference.indexOf('/')
  const name = slash < 0 ? reference : reference.slice(0, slash)
  const agentId = slash < 0 ? null : reference.slice(slash + 1).replace(/^agent-/, '')
  const byId = pick(byPrefix(files, name), agentId)
  if (byId.state !== 'none') return byId
  return byTitle(archive, files, reference)
}

function byPrefix(files: readonly TranscriptFile[], name: string): readonly TranscriptFile[] {
  if (name === '') return []
  const wanted = name.toLowerCase()
  const exact = files.filter((file) => file.sessionId?.toLowerCase() === wanted)
  return exact.length > 0 ? exact : files.filter((file) => file.sessionId?.toLowerCase().startsWith(wanted))
}

function pick(candidates: readonly TranscriptFile[], agentId: string | null): FoundSession {
  const newest = [...candidates].sort((one, other) => other.modifiedMs - one.modifiedMs)
  const first = newest[0]
  if (first === undefined) return { state: 'none' }
  // One session stored twice (a copied folder) is still one session: its newer file is taken.
  if (newest.some((file) => file.sessionId !== first.sessionId)) return { state: 'ambiguous', candidates: newest }
  return { state: 'found', file: first, agentId }
}

/** By the time of the last record: whoever copies or touches an archive gives all its files the same date. */
function latest(files: readonly TranscriptFile[]): FoundSession {
  let newest: TranscriptFile | null = null
  let newestMs = Number.NEGATIVE_INFINITY
  for (const file of files) {
    if (file.sizeBytes === 0) continue
    const lastMs = lastTimestampMs(file.path) ?? Number.NEGATIVE_INFINITY
    if (newest === null || lastMs > newestMs) {
      newest = file
      newestMs = lastMs
    }
  }
  return newest === null ? { state: 'none' } : { state: 'found', file: newest, agentId: null }
}

const TAIL_BYTES = 1 << 16

function lastTimestampMs(path: string): number | null {
  const opened = openTranscript(path)
  if (isProblem(opened)) return null
  try {
    const start = Math.max(0, opened.sizeBytes - TAIL_BYTES)
    const tail = decodeUtf8(readBytes(opened.fd, start, opened.sizeBytes - start))
    let last: number | null = null
    for (const found of tail.matchAll(/"timestamp":"([^"]{10,40})"/g)) {
      const ms = timeMs(found[1])
      if (ms !== null && (last === null || ms > last)) last = ms
    }
    return last
  } finally {
    closeSync(opened.fd)
  }
}

async function byTitle(archive: FoundArchive, files: readonly TranscriptFile[], title: string): Promise<FoundSession> {
  const wanted = title.trim().toLowerCase()
  if (wanted === '') return { state: 'none' }
  const rows = await listConversations(archive)
  const exact = rows.filter((row) => row.title.toLowerCase() === wanted)
  const matching = exact.length > 0 ? exact : rows.filter((row) => row.title.toLowerCase().includes(wanted))
  const paths = new Set(matching.map((row) => row.path))
  return pick(
    files.filter((file) => paths.has(file.path)),
    null,
  )
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
