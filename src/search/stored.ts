// A transcript from the index instead of from its file: the same LoadedFile, without reading a byte of it.

import type { Problem } from '../base/problem.ts'
import type { CheckedRead } from '../load/check.ts'
import type { LoadedFile, ReadFile } from '../load/read.ts'
import { loadedFile, loadFile } from '../load/read.ts'
import { unpackUsage } from '../load/usage-pack.ts'
import type { Envelope } from '../record/model.ts'
import { readProblems } from '../record/transcript.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { FileTail } from './batch.ts'
import type { Database } from './database.ts'
import { unpackEnvelopes } from './envelope-page.ts'
import type { FileState } from './file-state.ts'
import type { KnownFile } from './plan.ts'
import { isCurrent, knownFiles } from './plan.ts'

/** Reads from the index what is current there, and everything else from the disk. */
export function storedReader(database: Database, known = knownFiles(database)): ReadFile {
  return (file) => {
    const row = known.get(file.path)
    return (row !== undefined && isCurrent(row, file) ? loadStored(database, row, file) : null) ?? loadFile(file)
  }
}

/** The same with what only `check` wants; null when the index is not current. */
export function storedCheck(
  database: Database,
  known: ReadonlyMap<string, KnownFile>,
  file: TranscriptFile,
): CheckedRead | null {
  const row = known.get(file.path)
  if (row === undefined || !isCurrent(row, file)) return null
  const stored = readState(database, row.id)
  if (stored === null) return null
  const { drift, textProblems } = stored.tail ?? stored.state
  return { loaded: loadedOf(database, row, file, stored), drift, textProblems: textProblems.map(at(file.path)) }
}

/** What cannot be unpacked was damaged without SQLite noticing: then the file itself is read. */
function loadStored(database: Database, row: KnownFile, file: TranscriptFile): LoadedFile | null {
  try {
    const stored = readState(database, row.id)
    return stored === null ? null : loadedOf(database, row, file, stored)
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

interface Stored {
  readonly state: FileState
  readonly tail: FileTail | null
}

function readState(database: Database, id: number): Stored | null {
  const row = database.prepare('SELECT state, tail FROM file WHERE id = ?').get(id) as
    | { readonly state: string; readonly tail: string | null }
    | undefined
  if (row === undefined) return null
  return { state: JSON.parse(row.state) as FileState, tail: row.tail === null ? null : tailOf(row.tail) }
}

function tailOf(text: string): FileTail {
  const { envelopes, usages, ...rest } = JSON.parse(text) as Omit<FileTail, 'envelopes' | 'usages'> & {
    readonly envelopes: string
    readonly usages: string
  }
  return {
    ...rest,
    envelopes: unpackEnvelopes(Buffer.from(envelopes, 'base64')),
    usages: unpackUsage(Buffer.from(usages, 'base64')),
  }
}

function loadedOf(database: Database, { id }: KnownFile, file: TranscriptFile, { state, tail }: Stored): LoadedFile {
  const envelopes = [...storedEnvelopes(database, id), ...(tail?.envelopes ?? [])]
  const { reader, labels } = tail ?? state
  const problems = readProblems(file.path, reader, envelopes[0]).map(at(file.path))
  const lineCount = state.number - 1 + (tail === null ? 0 : 1)
  return loadedFile(file, { envelopes, problems, account: reader.account, labels, lineCount })
}

export function storedEnvelopes(database: Database, id: number): readonly Envelope[] {
  const pages = database.prepare('SELECT envelopes FROM page WHERE file = ? ORDER BY number').all(id)
  const all: Envelope[] = []
  for (const page of pages as unknown as readonly { readonly envelopes: Uint8Array }[]) {
    for (const envelope of unpackEnvelopes(page.envelopes)) all.push(envelope)
  }
  return all
}

/** A file may have been moved since its problems were met. */
function at(path: string): (found: Problem) => Problem {
  return (found) =>
    found.position === null || found.position.path === path
      ? found
      : { ...found, position: { ...found.position, path } }
}
