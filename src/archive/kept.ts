// Whether the archive holds files as they are now.

import { relative, sep } from 'node:path'
import { fileSha256 } from '../disk/file-pieces.ts'
import { newestFiles, openSnapshots, sourceKey } from './catalogue.ts'
import type { Archive } from './open-archive.ts'

export interface FileNow {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** By size and time, as the snapshots do; by the hash of its bytes where only the time is another. */
export function keptFiles(archive: Archive | null): (root: string, file: FileNow) => boolean {
  if (archive === null) return () => false
  const snapshots = openSnapshots(archive)
  const newest = newestFiles(snapshots)
  return (root, { path, sizeBytes, modifiedMs }) => {
    const name = relative(root, path).split(sep).join('/')
    const kept = newest.get(sourceKey(snapshots, { root, name }))
    if (kept === undefined || kept.sizeBytes !== sizeBytes) return false
    return kept.modifiedMs === modifiedMs || fileSha256(archive.disk, path) === kept.sha256
  }
}
