// A transcript from the index instead of from its file: the same LoadedFile, without reading a byte of it.

import type { Problem } from '../base/problem.ts'
import { isUnread } from '../base/problem.ts'
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
import { statement } from './statements.ts'
import { readable } from './unreadable.ts'

/** What the index holds of one transcript, as it stands in its rows: another thread can be given it. */
export interface StoredFile {
  readonly state: string
  readonly tail: string | null
  readonly pages: readonly Uint8Array[]
}

export type ReadStored = (id: number) => StoredFile | null

export function storedReader(database: Database, known = knownFiles(database)): ReadFile {
  return readerOf(known, (id) => storedFile(database, id))
}

/** Reads from the index what is current there, and everything else from the disk. */
export function readerOf(known: ReadonlyMap<string, KnownFile>, stored: ReadStored): ReadFile {
  return (file) => {
    const row = known.get(file.path)
    return (row !== undefined && isCurrent(row, file) ? loadStored(stored, row, file) : null) ?? loadFile(file)
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
  const stored = storedFile(database, row.id)
  if (stored === null) return null
  const states = readable(() => statesOf(stored))
  const { drift, textProblems } = states.tail ?? states.state
  return {
    loaded: readable(() => loadedOf(stored, states, file)),
    drift,
    textProblems: textProblems.map(at(file.path)),
  }
}

/** What cannot be unpacked was damaged without SQLite noticing: then the file itself is read. */
function loadStored(read: ReadStored, { id }: KnownFile, file: TranscriptFile): LoadedFile | null {
  try {
    const stored = read(id)
    return stored === null ? null : loadedOf(stored, statesOf(stored), file)
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

export function storedFile(database: Database, id: number): StoredFile | null {
  const row = statement(database, 'SELECT state, tail FROM file WHERE id = ?').get(id) as
    | Omit<StoredFile, 'pages'>
    | undefined
  return row === undefined ? null : { ...row, pages: storedPages(database, id) }
}

function storedPages(database: Database, id: number): readonly Uint8Array[] {
  const pages = statement(database, 'SELECT envelopes FROM page WHERE file = ? ORDER BY number').all(id)
  return (pages as unknown as readonly { readonly envelopes: Uint8Array }[]).map(({ envelopes }) => envelopes)
}

interface States {
  readonly state: FileState
  readonly tail: FileTail | null
}

function statesOf({ state, tail }: Omit<StoredFile, 'pages'>): States {
  return { state: JSON.parse(state) as FileState, tail: tail === null ? null : tailOf(tail) }
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

function loadedOf({ pages }: StoredFile, { state, tail }: States, file: TranscriptFile): LoadedFile {
  const envelopes = [...unpackPages(pages), ...(tail?.envelopes ?? [])]
  const { reader, labels } = tail ?? state
  const problems = readProblems(file.path, reader, envelopes[0]).map(at(file.path))
  const lineCount = state.number - 1 + (tail === null ? 0 : 1)
  return loadedFile(file, { envelopes, problems, account: reader.account, labels, lineCount })
}

/** False as well for a file of which the index does not know all. */
export function isStoredWhole(database: Database, files: readonly TranscriptFile[]): boolean {
  const known = knownFiles(database, files)
  return files.every((file) => {
    const row = known.get(file.path)
    const stored = row === undefined || !isCurrent(row, file) ? null : storedState(database, row.id)
    if (stored === null) return false
    const { reader } = stored.tail ?? stored.state
    return reader.account.tail === 0 && !reader.problems.some(isUnread)
  })
}

function storedState(database: Database, id: number): States | null {
  const row = statement(database, 'SELECT state, tail FROM file WHERE id = ?').get(id) as
    | Omit<StoredFile, 'pages'>
    | undefined
  return row === undefined ? null : statesOf(row)
}

export function storedEnvelopes(database: Database, id: number): readonly Envelope[] {
  return unpackPages(storedPages(database, id))
}

function unpackPages(pages: readonly Uint8Array[]): readonly Envelope[] {
  const all: Envelope[] = []
  for (const page of pages) for (const envelope of unpackEnvelopes(page)) all.push(envelope)
  return all
}

/** A file may have been moved since its problems were met. */
function at(path: string): (found: Problem) => Problem {
  return (found) =>
    found.position === null || found.position.path === path
      ? found
      : { ...found, position: { ...found.position, path } }
}
