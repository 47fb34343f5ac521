// All Deeds of some transcripts, in the order in which they happened. Only files that can tell something are opened: when
// a name is asked for, those whose bytes hold it.

import { closeSync, readSync } from 'node:fs'
import type { Bodies } from '../load/bodies.ts'
import type { Envelope } from '../record/model.ts'
import { newWindow, readBytes } from '../source/lines.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { PlacedDeed } from './model.ts'
import { backupFolder, transcriptDeeds } from './transcript-deeds.ts'

interface NamedTranscript {
  readonly path: string
  readonly sessionId: string
  readonly agentId: string | null
  readonly envelopes: readonly Envelope[]
}

export function deedsOfTranscript(transcript: NamedTranscript, bodies: Bodies): readonly PlacedDeed[] {
  const { path, sessionId, agentId, envelopes } = transcript
  return transcriptDeeds({
    path,
    sessionId,
    agentId,
    envelopes,
    bodyOf: (envelope) => bodies.read(path, envelope),
    readBackup: backupReader(backupFolder(path, sessionId)),
  })
}

/** By time over all files; forks and continuations copy records, and each call counts once. */
export function inOrder(deeds: readonly PlacedDeed[]): readonly PlacedDeed[] {
  const firstOf = new Map<string, string>()
  const once = deeds.filter(({ place }) => {
    const { callId, timeMs, transcriptPath, offset } = place
    if (callId === null) return true
    const [key, here] = [`${callId} ${timeMs}`, `${transcriptPath}@${offset}`]
    const first = firstOf.get(key) ?? here
    firstOf.set(key, first)
    return first === here
  })
  const timed = once.map((one) => ({ one, ms: one.place.timeMs ?? Number.NEGATIVE_INFINITY }))
  // A backup is made before the change that it is made for.
  const rank = ({ deed }: PlacedDeed): number => (deed.kind === 'backup' ? 0 : 1)
  timed.sort((left, right) => left.ms - right.ms || rank(left.one) - rank(right.one))
  return timed.map(({ one }) => one)
}

const BACKUP_BYTES_MAX = 64 << 20

function backupReader(folder: string | null): (name: string) => Uint8Array | null {
  const known = new Map<string, Uint8Array | null>()
  return (name) => {
    if (folder === null) return null
    const found = known.get(name)
    if (found !== undefined) return found
    const bytes = readWhole(`${folder}/${name}`)
    known.set(name, bytes)
    return bytes
  }
}

function readWhole(path: string): Uint8Array | null {
  const opened = openTranscript(path)
  if (isProblem(opened)) return null
  try {
    return opened.sizeBytes > BACKUP_BYTES_MAX ? null : readBytes(opened.fd, 0, opened.sizeBytes)
  } finally {
    closeSync(opened.fd)
  }
}

/** Whether any of these names stands in the bytes of a file. */
export function mentions(file: TranscriptFile, names: readonly string[]): boolean {
  const needles = names.map(needleOf)
  if (needles.some((needle) => needle.length === 0)) return true
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return false
  try {
    return holdsAny(opened.fd, needles)
  } finally {
    closeSync(opened.fd)
  }
}

/** JSON may escape some characters of a name; its longest plain stretch stands there as it is. */
function needleOf(name: string): Buffer {
  const plain = name.match(/[\w.+@-]+/g) ?? []
  return Buffer.from(plain.reduce((longest, part) => (part.length > longest.length ? part : longest), ''))
}

const WINDOW_BYTES = 4 << 20

function holdsAny(fd: number, needles: readonly Buffer[]): boolean {
  const overlap = Math.max(...needles.map((needle) => needle.length))
  const window = newWindow(WINDOW_BYTES)
  let kept = 0
  for (let at = 0; ; ) {
    const read = readSync(fd, window, kept, window.length - kept, at)
    if (read === 0) return false
    const filled = window.subarray(0, kept + read)
    if (needles.some((needle) => filled.includes(needle))) return true
    at += read
    const keep = Math.min(overlap, filled.length)
    filled.copy(window, 0, filled.length - keep)
    kept = keep
  }
}
