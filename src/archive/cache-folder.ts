// Folders of the cache. Not synced: what is in them can be made again.

import { dirname } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { filesBelow } from '../disk/folder-files.ts'

export function makeAll(disk: Disk, folder: string): void {
  const missing: string[] = []
  for (let at = folder; disk.stat(at) === null && dirname(at) !== at; at = dirname(at)) missing.push(at)
  for (const one of missing.reverse()) disk.makeFolder(one)
}

export function removeAll(disk: Disk, folder: string): void {
  const { files, folders } = filesBelow(disk, folder)
  for (const { path } of files) disk.remove(path)
  for (const one of [...folders].reverse()) disk.remove(one)
}
