// A file as it will be, in pieces, made from the file as it is. The same is done twice: once to say what would happen and
// with which hash, and once to write it.

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'
import { HISTORY_FIELDS, RECORD_FIELDS, STATE_FIELDS } from './knowing-fields.ts'
import type { FieldChoice } from './path-fields.ts'
import { replaceFields } from './path-fields.ts'
import type { PathMove } from './paths.ts'
import { movedPath } from './paths.ts'
import { moveProjectSettings } from './project-settings.ts'

/** What is done to the bytes of a file. */
export type Alteration =
  | { readonly kind: 'none' }
  /** Something at its end; what was there stays. */
  | { readonly kind: 'append'; readonly text: string }
  /** Paths in the lines of history.jsonl. */
  | { readonly kind: 'history'; readonly moves: readonly PathMove[] }
  | RecordChange
  /** Paths in a small JSON file. */
  | { readonly kind: 'state'; readonly moves: readonly PathMove[] }
  /** Names of projects in .claude.json. */
  | { readonly kind: 'settings'; readonly moves: readonly PathMove[] }

/** Paths in the records of a transcript; for a session that is carried also its id, and a record at the end. */
export interface RecordChange {
  readonly kind: 'records'
  readonly moves: readonly PathMove[]
  readonly renamed?: { readonly from: string; readonly to: string }
  readonly added?: string
}

export const UNCHANGED: Alteration = { kind: 'none' }

export interface Tally {
  changes: number
  /** Lines that are no JSON object. */
  unread: number
}

export function* alteredPieces(
  disk: Disk,
  path: string,
  alteration: Alteration,
  tally: Tally = { changes: 0, unread: 0 },
): Generator<Uint8Array, void, void> {
  switch (alteration.kind) {
    case 'none':
      return yield* parts(disk, path)
    case 'append':
      tally.changes++
      yield* parts(disk, path)
      return yield Buffer.from(alteration.text)
    case 'records':
    case 'history': {
      const change = lineChange(alteration, tally)
      for (const line of diskLines(disk, path)) yield change.line(line)
      return yield change.end()
    }
    case 'state': {
      const bytes = readWhole(disk, path)
      const replaced = replaceFields(bytes, STATE_FIELDS, (text) => movedBy(text, alteration.moves))
      tally.changes += replaced?.count ?? 0
      return yield replaced?.bytes ?? bytes
    }
    case 'settings': {
      const bytes = readWhole(disk, path)
      const [move] = alteration.moves
      const changed = move === undefined ? null : moveProjectSettings(bytes.toString('utf8'), move)
      tally.changes += changed === null ? 0 : changed.keys.length + changed.values
      // A file that is no UTF-8 would not come back as it was.
      return yield changed === null || !isText(bytes) ? bytes : Buffer.from(changed.text)
    }
  }
}

function isText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes)
}

/** The first that fits. */
function movedBy(text: string, moves: readonly PathMove[]): string | null {
  for (const move of moves) {
    const moved = movedPath(text, move)
    if (moved !== null) return moved === text ? null : moved
  }
  return null
}

export interface LineChange {
  /** A line with its end. */
  readonly line: (line: Buffer) => Uint8Array
  /** What comes behind the last one. */
  readonly end: () => Uint8Array
}

export function lineChange(
  alteration: Extract<Alteration, { kind: 'records' | 'history' }>,
  tally: Tally = { changes: 0, unread: 0 },
): LineChange {
  const { renamed, added = '' } = alteration.kind === 'records' ? alteration : {}
  const plain = alteration.kind === 'records' ? RECORD_FIELDS : HISTORY_FIELDS
  const choice: FieldChoice = renamed === undefined ? plain : (keys) => (isId(keys) ? 'change' : plain(keys))
  const change = (text: string): string | null =>
    text === renamed?.from ? renamed.to : movedBy(text, alteration.moves)
  let isOpen = false
  return {
    line: (line) => {
      isOpen = line.at(-1) !== LINE_END
      const replaced = replaceFields(line, choice, change)
      if (replaced === null && line.length > 1) tally.unread++
      tally.changes += replaced?.count ?? 0
      return replaced?.bytes ?? line
    },
    end: () => Buffer.from(added === '' ? '' : `${isOpen ? '\n' : ''}${added}`),
  }
}

function isId(keys: readonly string[]): boolean {
  const last = keys.at(-1)
  return (last === 'sessionId' || last === 'session_id') && (keys.length === 1 || keys[0] === 'worktreeSession')
}

const LINE_END = 0x0a

/** Lines with their ends; the last may have none. */
export function* diskLines(disk: Disk, path: string): Generator<Buffer, void, void> {
  let begun: Uint8Array[] = []
  for (const part of parts(disk, path)) {
    let start = 0
    for (let end = part.indexOf(LINE_END); end !== -1; end = part.indexOf(LINE_END, start)) {
      const rest = part.subarray(start, end + 1)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      start = end + 1
    }
    if (start < part.length) begun.push(part.subarray(start))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

const READ_BYTES = 1 << 20

function* parts(disk: Disk, path: string): Generator<Buffer, void, void> {
  const fd = disk.openToRead(path)
  try {
    for (let at = 0; ; ) {
      const part = disk.read(fd, at, READ_BYTES)
      if (part.length === 0) return
      yield Buffer.from(part.buffer, part.byteOffset, part.length)
      at += part.length
    }
  } finally {
    disk.close(fd)
  }
}

export interface Measured {
  readonly before: Extent
  readonly after: Extent
  readonly changes: number
  readonly unread: number
}

export interface Extent {
  readonly sizeBytes: number
  readonly sha256: string
}

/** What a file is, and what it will be. */
export function measure(disk: Disk, path: string, alteration: Alteration): Measured {
  const tally: Tally = { changes: 0, unread: 0 }
  const before = extentOf(parts(disk, path))
  const after = alteration.kind === 'none' ? before : extentOf(alteredPieces(disk, path, alteration, tally))
  return { before, after, ...tally }
}

export function extentOf(pieces: Iterable<Uint8Array>): Extent {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for (const piece of pieces) {
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
