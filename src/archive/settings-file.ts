// Our hooks in the settings.json of a Claude directory, on disk. The file as it was is kept beside it, a new one takes its
// place whole or not at all, and a link stays a link: people keep their settings elsewhere and link to them.

import { basename, dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, writeAll } from '../disk/durable.ts'
import { realPath } from '../disk/real-path.ts'
import { addHooks, EMPTY_SETTINGS, hooksIn, removeHooks, SettingsError } from './hooks.ts'

export interface HooksChange {
  readonly change: 'installed' | 'updated' | 'unchanged' | 'removed'
  readonly path: string
  /** The file as it was before the hooks; null when there was none. */
  readonly backup: string | null
}

const BACKUP = '.clew-backup-'

export async function installHooks(disk: Disk, root: string, command: string, nowMs: number): Promise<HooksChange> {
  const path = settingsPath(root)
  const before = readSettings(disk, path)
  const isThere = before !== null && hooksIn(before).length > 0
  const after = addHooks(before ?? EMPTY_SETTINGS, command)
  if (after === before) return { change: 'unchanged', path, backup: newestBackup(disk, path) }
  // One that has hooks of ours in it is not what anybody wants back.
  const backup = before === null || isThere ? null : `${path}${BACKUP}${stamp(nowMs)}`
  if (backup !== null && before !== null) await write(disk, backup, before, null)
  await replace(disk, path, before, after)
  return { change: isThere ? 'updated' : 'installed', path, backup }
}

export async function uninstallHooks(disk: Disk, root: string): Promise<HooksChange> {
  const path = settingsPath(root)
  const text = readSettings(disk, path)
  const backup = newestBackup(disk, path)
  if (text === null || hooksIn(text).length === 0) return { change: 'unchanged', path, backup }
  const before = backup === null ? EMPTY_SETTINGS : readSettings(disk, backup)
  const after = removeHooks(text, before)
  // There was none before, and nobody has written anything into it since.
  if (backup === null && after === EMPTY_SETTINGS) {
    disk.remove(path)
    await disk.syncFolder(dirname(path))
    return { change: 'removed', path, backup: null }
  }
  await replace(disk, path, text, after)
  if (backup === null || after !== before) return { change: 'removed', path, backup }
  disk.remove(backup)
  return { change: 'removed', path, backup: null }
}

/** The commands of ours in it; none when it cannot be read. */
export function installedHooks(disk: Disk, root: string): readonly string[] {
  try {
    const text = readSettings(disk, settingsPath(root))
    return text === null ? [] : hooksIn(text)
  } catch (error) {
    if (error instanceof Error) return []
    throw error
  }
}

/** Where the file really is. */
function settingsPath(root: string): string {
  return realPath(join(root, 'settings.json'))
}

function readSettings(disk: Disk, path: string): string | null {
  if (disk.stat(path) === null) return null
  const bytes = readWhole(disk, path)
  const text = bytes.toString('utf8')
  // What is not UTF-8 would not come back as it was.
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new SettingsError('it is not UTF-8')
  return text
}

function newestBackup(disk: Disk, path: string): string | null {
  const names = disk.names(dirname(path)).filter((name) => name.startsWith(`${basename(path)}${BACKUP}`))
  const newest = names.sort().at(-1)
  return newest === undefined ? null : join(dirname(path), newest)
}

async function replace(disk: Disk, path: string, before: string | null, after: string): Promise<void> {
  await makeFolders(disk, dirname(path))
  const next = `${path}.clew-next`
  if (disk.stat(next) !== null) disk.remove(next)
  await write(disk, next, after, disk.stat(path)?.mode ?? null)
  if (readSettings(disk, path) !== before) {
    disk.remove(next)
    throw new SettingsError('somebody else has just changed it; try again')
  }
  disk.rename(next, path)
  await disk.syncFolder(dirname(path))
}

async function write(disk: Disk, path: string, text: string, mode: number | null): Promise<void> {
  const fd = disk.openToAppend(path, true)
  try {
    writeAll(disk, fd, Buffer.from(text, 'utf8'))
    await disk.sync(fd)
  } catch (error) {
    // Half a backup is none, and the client's directory is no place for half a file.
    disk.remove(path)
    throw error
  } finally {
    disk.close(fd)
  }
  if (mode !== null) disk.setMode(path, mode & 0o777)
  await disk.syncFolder(dirname(path))
}

/** Fit for the name of a file on every system, and in the order of time. */
function stamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').replace('.', '-')
}
