// Whether the archive holds files as they are now.

import { join } from 'node:path'
import { fileSha256 } from '../disk/file-pieces.ts'
import { readCatalogue } from './catalogue.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'

export interface FileNow {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** By size and time, as the snapshots do; by the hash of its bytes where only the time is another. */
export function keptFiles(archive: Archive | null): (file: FileNow) => boolean {
  if (archive === null) return () => false
  const known = new Map<string, ArchivedFile>()
  for (const file of readCatalogue(archive).files) known.set(join(file.root, file.name), file)
  return ({ path, sizeBytes, modifiedMs }) => {
    const kept = known.get(path)
    if (kept === undefined || kept.sizeBytes !== sizeBytes) return false
    return kept.modifiedMs === modifiedMs || fileSha256(archive.disk, path) === kept.sha256
  }
}
