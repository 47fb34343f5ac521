// Small files beside the index, for what is wanted before the index is opened. Each can be deleted at any time, and
// nothing that is wrong with one can fail a command: it is as if it were not there.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { makeMissingFolders } from '../base/make-folders.ts'

/** Everything there is for roots that were looked at long ago goes first. */
const FILES_MAX = 24

export function readBeside(indexPath: string, name: string): Buffer | null {
  try {
    return isAbsolute(indexPath) ? readFileSync(join(folderOf(indexPath), name)) : null
  } catch {
    return null
  }
}

/** Written whole or not at all. */
export function writeBeside(indexPath: string, name: string, bytes: Uint8Array): void {
  if (!isAbsolute(indexPath)) return
  const folder = folderOf(indexPath)
  const next = join(folder, `${name}.${process.pid}`)
  try {
    makeMissingFolders(folder, {
      isThere: existsSync,
      parentOf: dirname,
      make: (one) => mkdirSync(one, { mode: 0o700 }),
    })
    writeFileSync(next, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(next, join(folder, name))
    discardOldest(folder)
  } catch {
    discard(next)
  }
}

function folderOf(indexPath: string): string {
  return join(dirname(indexPath), 'walks')
}

function discardOldest(folder: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  if (paths.length <= FILES_MAX) return
  const dated = paths.map((path) => ({ path, ms: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  for (const { path } of dated.sort((one, other) => one.ms - other.ms).slice(0, -FILES_MAX)) discard(path)
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Where nothing could be written there is nothing to take away.
  }
}

/** A name for what belongs to these roots: who reads it compares them, so two that share one only take turns. */
export function nameFor(roots: readonly string[], suffix: string): string {
  let sum = 0x811c9dc5
  for (const unit of Buffer.from(roots.join('\0'))) sum = Math.imul(sum ^ unit, 0x01000193) >>> 0
  return `${sum.toString(16).padStart(8, '0')}.${suffix}`
}
