// From what a person types to a session: a full id, a unique prefix, `latest`, a path, a title, and each of
// them with `/<agentId>` behind it.

import { closeSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeUtf8 } from '../base/text.ts'
import { timeMs } from '../base/time.ts'
import type { Envelope } from '../record/model.ts'
import { readBytes } from '../source/lines.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Access, LastTimes } from './access.ts'
import { FROM_DISK } from './access.ts'
import type { FoundTranscripts } from './found.ts'
import { mainFiles } from './found.ts'
import type { LoadedFile } from './read.ts'
import { loadFile } from './read.ts'

export type FoundSession =
  | {
      readonly state: 'found'
      readonly file: TranscriptFile
      readonly agentId: string | null
      /** Other files of the same session, the newest first. Whoever named the file itself means none of them. */
      readonly older: readonly TranscriptFile[]
    }
  | { readonly state: 'ambiguous'; readonly candidates: readonly TranscriptFile[] }
  | { readonly state: 'none' }

export async function findSession(archive: FoundTranscripts, typed: string, access = FROM_DISK): Promise<FoundSession> {
  const files = mainFiles(archive)
  // A shell that completes the name of a session's folder leaves a slash behind it.
  const reference = typed.replace(/\/+$/, '')
  const whole = byPath(archive, resolve(reference), access) ?? byName(archive, files, reference, access)
  if (whole !== null) return whole
  const slash = reference.lastIndexOf('/')
  if (slash < 1) return byTitle(archive, files, reference, access)
  const before = reference.slice(0, slash)
  const agentId = reference.slice(slash + 1).replace(/^agent-/, '')
  const owner = byPath(archive, resolve(before), access) ?? byName(archive, files, before, access)
  if (owner !== null) return withAgent(owner, agentId)
  // A title may hold a slash itself, so it is tried whole first.
  const titled = await byTitle(archive, files, reference, access)
  return titled.state === 'none' ? withAgent(await byTitle(archive, files, before, access), agentId) : titled
}

function withAgent(found: FoundSession, agentId: string): FoundSession {
  return found.state === 'found' ? { ...found, agentId } : found
}

/** The file of a subagent leads to the session it belongs to. */
function byPath(archive: FoundTranscripts, path: string, access: Access): FoundSession | null {
  // Nothing else is a transcript.
  if (!path.endsWith('.jsonl')) return null
  const file = archive.projects.flatMap(({ files }) => files).find((one) => one.path === path)
  if (file === undefined) return null
  if (file.role === 'main') return theFile(file)
  const sessionId = file.sessionId ?? access.read(file).transcript.sessionId
  const owners = mainFiles(archive).filter((one) => one.sessionId === sessionId)
  // A session may lie in two projects; whoever named the file means the one that it lies in.
  const beside = owners.filter((one) => one.projectKey === file.projectKey)
  return file.agentId === null ? null : withAgent(pick(beside.length > 0 ? beside : owners), file.agentId)
}

/** `latest`, an id or the beginning of one; null when it is none of them. */
function byName(
  archive: FoundTranscripts,
  files: readonly TranscriptFile[],
  name: string,
  access: Access,
): FoundSession | null {
  if (name === 'latest') return latest(archive, files, access)
  const candidates = byPrefix(files, name)
  return candidates.length === 0 ? null : pick(candidates)
}

function byPrefix(files: readonly TranscriptFile[], name: string): readonly TranscriptFile[] {
  if (name === '') return []
  const wanted = name.toLowerCase()
  const exact = files.filter((file) => file.sessionId?.toLowerCase() === wanted)
  return exact.length > 0 ? exact : files.filter((file) => file.sessionId?.toLowerCase().startsWith(wanted))
}

function pick(candidates: readonly TranscriptFile[]): FoundSession {
  const newest = [...candidates].sort((one, other) => other.modifiedMs - one.modifiedMs)
  const [first, ...older] = newest
  if (first === undefined) return { state: 'none' }
  // One session stored twice (a copied folder) is still one session: its newer file is taken.
  if (older.some((file) => file.sessionId !== first.sessionId)) return { state: 'ambiguous', candidates: newest }
  return theFile(first, older)
}

function theFile(file: TranscriptFile, older: readonly TranscriptFile[] = []): FoundSession {
  return { state: 'found', file, agentId: null, older }
}

/**
 * The first one of the list: by the time of the last record (whoever copies or touches an archive gives all its files
 * the same date), and only what is a conversation. What the index knows it tells; of other files the ends are read.
 */
function latest(archive: FoundTranscripts, files: readonly TranscriptFile[], access: Access): FoundSession {
  const times = access.lastTimes?.(archive) ?? NOTHING_KNOWN
  const known = times.isWhole ? newestKnown(files, times) : null
  if (known !== null) return theFile(known)
  const isKnownAs = (file: TranscriptFile): boolean => times.byPath.has(file.path)
  const dated = files
    .filter((file) => file.sizeBytes > 0)
    .map((file) => ({ file, lastMs: times.byPath.get(file.path) ?? lastTimestampMs(file) }))
    .sort((one, other) => other.lastMs - one.lastMs)
  const newest = dated.find(({ file }) => isKnownAs(file) || hasMessages(access.read(file))) ?? dated[0]
  return newest === undefined ? { state: 'none' } : theFile(newest.file)
}

/** As a list shows it: a file with nothing but a title in it is not what anybody means. */
function hasMessages({ transcript }: LoadedFile): boolean {
  return transcript.envelopes.some(({ kind, isSidechain }) => (kind === 'prompt' || kind === 'reply') && !isSidechain)
}

function newestKnown(files: readonly TranscriptFile[], { byPath }: LastTimes): TranscriptFile | null {
  let newest: TranscriptFile | null = null
  let newestMs = Number.NEGATIVE_INFINITY
  for (const file of files) {
    const lastMs = file.sizeBytes > 0 ? byPath.get(file.path) : undefined
    if (lastMs === undefined || (newest !== null && lastMs <= newestMs)) continue
    newest = file
    newestMs = lastMs
  }
  return newest
}

const NOTHING_KNOWN: LastTimes = { byPath: new Map(), isWhole: false }

const TAIL_BYTES = 1 << 16

function lastTimestampMs(file: TranscriptFile): number {
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return -Number.MAX_VALUE
  try {
    const start = Math.max(0, opened.sizeBytes - TAIL_BYTES)
    const tail = decodeUtf8(readBytes(opened.fd, start, opened.sizeBytes - start))
    const times = Array.from(tail.matchAll(/"timestamp":"([^"]{10,40})"/g), (found) => timeMs(found[1]))
    return newestOf(times) ?? newestOf(loadFile(file).transcript.envelopes.map(timeOf)) ?? file.modifiedMs
  } finally {
    closeSync(opened.fd)
  }
}

function timeOf({ timestampMs }: Envelope): number | null {
  return timestampMs
}

function newestOf(times: readonly (number | null)[]): number | null {
  return times.reduce((newest, ms) => (ms === null || (newest !== null && newest > ms) ? newest : ms), null)
}

async function byTitle(
  archive: FoundTranscripts,
  files: readonly TranscriptFile[],
  title: string,
  access: Access,
): Promise<FoundSession> {
  const wanted = title.trim().toLowerCase()
  if (wanted === '') return { state: 'none' }
  const rows = await access.list(archive)
  const exact = rows.filter((row) => row.title.toLowerCase() === wanted)
  const matching = exact.length > 0 ? exact : rows.filter((row) => row.title.toLowerCase().includes(wanted))
  const paths = new Set(matching.map((row) => row.path))
  return pick(files.filter((file) => paths.has(file.path)))
}
