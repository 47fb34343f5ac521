// The receipt of a move: what every file was, where it went and what it became. It is written before the first file moves,
// so whatever happens afterwards, the way back is known. What was changed lies beside it as it was.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../disk/durable.ts'
import { reading } from '../store/store-error.ts'
import type { MovePlan, PlannedFile } from './move-plan.ts'
import { nameBelow } from './move-plan.ts'
import type { PathMove } from './paths.ts'

const FOLDER = 'clew-moves'
const MANIFEST = 'manifest.json'
const VERSION = 1

/** Names are relative to the Claude directory, with slashes on every system. */
export interface MovedFile {
  readonly from: string
  /** Null: put aside. */
  readonly to: string | null
  /** `moved`: same bytes; `added`: and `added` at its end; `changed`: another one is in its place, and it is kept. */
  readonly kind: 'moved' | 'added' | 'changed'
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  /** Null for a link, which is never opened. */
  readonly sha256: string | null
  readonly afterBytes: number
  readonly afterSha256: string
  readonly added: string
  /** Names of projects in .claude.json, before and after. */
  readonly keys: readonly (readonly [string, string])[]
}

export interface MoveReceipt {
  readonly version: typeof VERSION
  readonly id: string
  readonly when: string
  /** Null until all was done: then it was interrupted. */
  readonly finishedAt: string | null
  readonly move: PathMove
  readonly rewritesCwd: boolean
  readonly files: readonly MovedFile[]
  /** Folders that were there and may be gone. */
  readonly folders: readonly string[]
  /** Folders that were not there before. */
  readonly made: readonly string[]
}

export function receiptOf(disk: Disk, plan: MovePlan, id: string, nowMs: number): MoveReceipt {
  const { root, move, rewritesCwd, files, folders } = plan
  const targets = new Set(folders.flatMap(({ to }) => to ?? []))
  return {
    version: VERSION,
    id,
    when: new Date(nowMs).toISOString(),
    finishedAt: null,
    move,
    rewritesCwd,
    files: files.map((file) => movedFileOf(root, file)),
    folders: folders.map(({ path }) => nameBelow(root, path)),
    made: [...targets].filter((path) => disk.stat(path) === null).map((path) => nameBelow(root, path)),
  }
}

function movedFileOf(root: string, file: PlannedFile): MovedFile {
  const { alteration, before, after, isLink, modifiedMs, mode, keys } = file
  const kind = alteration.kind === 'append' ? 'added' : before.sha256 === after.sha256 ? 'moved' : 'changed'
  return {
    from: nameBelow(root, file.path),
    to: file.to === null ? null : nameBelow(root, file.to),
    kind,
    sizeBytes: before.sizeBytes,
    modifiedMs,
    mode,
    sha256: isLink ? null : before.sha256,
    afterBytes: after.sizeBytes,
    afterSha256: after.sha256,
    added: alteration.kind === 'append' ? alteration.text : '',
    keys,
  }
}

export function movesFolder(root: string, id?: string): string {
  return id === undefined ? join(root, FOLDER) : join(root, FOLDER, id)
}

/** Where a file that was changed or put aside is kept as it was. */
export function keptPath(root: string, id: string, from: string): string {
  return join(movesFolder(root, id), 'before', ...from.split('/').map((part) => (part === '..' ? 'beside' : part)))
}

function manifestPath(root: string, id: string): string {
  return join(movesFolder(root, id), MANIFEST)
}

export async function writeMoveReceipt(disk: Disk, root: string, receipt: MoveReceipt): Promise<void> {
  await makeFolders(disk, movesFolder(root, receipt.id))
  await replaceFile(disk, manifestPath(root, receipt.id), Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`))
}

/** Oldest first. */
export function moveReceiptIds(disk: Disk, root: string): readonly string[] {
  const folder = movesFolder(root)
  return reading(folder, () => disk.names(folder).filter((id) => disk.stat(manifestPath(root, id)) !== null))
}

/** Null when it is not there, not ours, or of a later version of Clew. */
export function readMoveReceipt(disk: Disk, root: string, id: string): MoveReceipt | null {
  try {
    const value = JSON.parse(readWhole(disk, manifestPath(root, id)).toString('utf8')) as MoveReceipt
    const isSound =
      value.version === VERSION &&
      value.id === id &&
      value.files.every(({ from, to, sizeBytes, afterBytes }) => {
        const areSizes = Number.isSafeInteger(sizeBytes) && Number.isSafeInteger(afterBytes)
        return areSizes && isOurs(from) && (to === null || isOurs(to))
      }) &&
      [...value.folders, ...value.made].every(isProjectName)
    return isSound ? value : null
  } catch {
    return null
  }
}

/** A manifest is a file like any other: one that was tampered with must not lead out of the Claude directory. */
function isOurs(name: string): boolean {
  if (name === '../.claude.json' || name === '.claude.json' || name === 'history.jsonl') return true
  return isProjectName(name) || (/^(?:sessions|jobs|plugins)\//.test(name) && isPlain(name))
}

function isProjectName(name: string): boolean {
  return name.startsWith('projects/') && isPlain(name)
}

function isPlain(name: string): boolean {
  return !name.split(/[/\\]/).some((part) => part === '..' || part === '.' || part === '')
}

export interface UnfinishedMove {
  readonly root: string
  readonly id: string
  readonly when: string
  readonly move: PathMove
}

export function unfinishedMoves(disk: Disk, root: string): readonly UnfinishedMove[] {
  return moveReceiptIds(disk, root).flatMap((id) => {
    const receipt = readMoveReceipt(disk, root, id)
    if (receipt === null || receipt.finishedAt !== null) return []
    return { root, id, when: receipt.when, move: receipt.move }
  })
}

/** When nothing of it is needed any more: the manifest last, then the folders that are left empty. */
export async function discardMoveReceipt(disk: Disk, root: string, id: string): Promise<void> {
  const folder = movesFolder(root, id)
  for (const file of [`${manifestPath(root, id)}.next`, manifestPath(root, id)]) {
    if (disk.stat(file) !== null) disk.remove(file)
  }
  for (const one of [folder, movesFolder(root)]) {
    if (disk.stat(one)?.isFolder !== true || disk.names(one).length > 0) continue
    disk.remove(one)
    await disk.syncFolder(join(one, '..'))
  }
}
