// The table of `clew list` as it was last made, kept beside the index. While nothing has changed on disk since, and nobody
// has written into the index, it is shown without the index being opened.

import { statSync } from 'node:fs'
import type { LastTimes } from '../load/access.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { ListCells } from '../render/list.ts'
import { listCells } from '../render/list.ts'
import { nameFor, readBeside, writeBeside } from '../search/beside-index.ts'
import { keptNames } from '../search/kept-walk.ts'

/** A row of the table, and what it can be chosen by. */
export interface KeptRow extends ListCells {
  readonly messages: number
  readonly cwd: string | null
  readonly project: string
  readonly path: string
}

export function keptRowOf(row: ListedConversation): KeptRow {
  const { messages, cwd, project, path } = row
  return { ...listCells(row), messages, cwd, project, path }
}

/** All rows, the newest first; null where they have to be asked for. */
export function keptRows(indexPath: string, archive: FoundTranscripts): readonly KeptRow[] | null {
  const head = headFor(indexPath, archive)
  const bytes = head === null ? null : readBeside(indexPath, nameFor(archive.roots, 'list'))
  if (head === null || bytes === null || !bytes.subarray(0, head.length).equals(head)) return null
  try {
    return JSON.parse(bytes.toString('latin1', head.length)) as readonly KeptRow[]
  } catch {
    return null
  }
}

/** When the conversation in each file was last added to. */
export function keptTimes(indexPath: string, archive: FoundTranscripts): LastTimes | null {
  const all = keptRows(indexPath, archive)?.filter(({ messages }) => messages > 0)
  return all === undefined
    ? null
    : { isWhole: true, byPath: new Map(all.map(({ path, modifiedMs }) => [path, modifiedMs])) }
}

/** Not while the index is so young that it could change again without its time becoming another. */
export function keepRows(indexPath: string, archive: FoundTranscripts, rows: readonly KeptRow[]): void {
  const head = headFor(indexPath, archive)
  if (head === null || !(changedMs(indexPath) < Date.now() - YOUNG_MS)) return
  // What is beyond ASCII as escapes: to read it takes half as long.
  const text = JSON.stringify(rows).replace(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  const bytes = Buffer.concat([head, Buffer.from(text)])
  writeBeside(indexPath, nameFor(archive.roots, 'list'), bytes)
}

const YOUNG_MS = 2000

/** To be raised with every change of what is kept. */
const SHAPE = 6

/** Everything the rows depend on; null while something may have changed. */
function headFor(indexPath: string, archive: FoundTranscripts): Buffer | null {
  const names = keptNames(archive)
  const index = names === null ? null : stampOf(indexPath)
  return index === null ? null : Buffer.from(`${JSON.stringify([SHAPE, archive.roots, names, index])}\n`)
}

/** What was written and not yet put in its place stands in a file beside it: then nobody can tell by its times. */
function stampOf(indexPath: string): readonly number[] | null {
  const stat = statSync(indexPath, { throwIfNoEntry: false })
  const log = statSync(`${indexPath}-wal`, { throwIfNoEntry: false })
  return stat === undefined || (log?.size ?? 0) > 0 ? null : [stat.ino, stat.size, stat.mtimeMs]
}

function changedMs(indexPath: string): number {
  return statSync(indexPath, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}
