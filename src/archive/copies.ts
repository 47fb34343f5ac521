// Where copies come from and where they go, for whoever looks for transcripts. An archive that cannot be read, or a full
// disk, must not keep anybody from what is still there: then there are fewer copies, and a word about it.

import { isAbsolute, join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { CopySource } from './bring-out.ts'
import { bringOut } from './bring-out.ts'
import { catalogueOf, openSnapshots, snapshotIds } from './catalogue.ts'
import type { Archive, ArchivePlace } from './open-archive.ts'
import { archiveFolder, existingArchive } from './open-archive.ts'
import type { ArchiveReader } from './read-version.ts'
import { closeReader, openReader, versionPieces } from './read-version.ts'

export interface CopyFolders {
  readonly archive: string
  readonly copies: string
}

export function copyFolders(place: ArchivePlace): CopyFolders {
  const cache = place.environment['XDG_CACHE_HOME']
  const folder = cache?.startsWith('/') ? cache : join(place.home, '.cache')
  return { archive: archiveFolder(place), copies: join(folder, 'clew', 'copies') }
}

/** For `findTranscripts`: brings out what is missing below a root. */
export function bringingOut(
  { archive: folder, copies }: CopyFolders,
  onFailure: (message: string) => void,
): (root: string, files: () => readonly TranscriptFile[]) => string | null {
  return (root, files) => {
    let source: CopySource | null = null
    try {
      source = sourceIn(folder)
      return source === null ? null : bringOut({ source, folder: copies, onFailure }, root, files())
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error))
      return null
    } finally {
      source?.close()
    }
  }
}

function sourceIn(folder: string): CopySource | null {
  const archive = reachable(folder)
  if (archive === null) return null
  // Opened when something is missing: most commands find everything where it belongs, or brought out already.
  let reader: ArchiveReader | null = null
  const opened = (): ArchiveReader => {
    reader ??= openReader(archive, openSnapshots(archive))
    return reader
  }
  return {
    snapshotNames: () => snapshotIds(archive),
    catalogue: () => catalogueOf(opened().snapshots),
    roots: () => [...new Set([...opened().snapshots.byId.values()].flatMap(({ roots }) => roots))],
    read: (file) => versionPieces(opened(), file),
    close: () => {
      if (reader !== null) closeReader(reader)
      reader = null
    },
  }
}

/** Where one may not even look, one has archived nothing: a home of somebody else, say, or one that is not known. */
function reachable(folder: string): Archive | null {
  if (!isAbsolute(folder)) return null
  try {
    return existingArchive(folder, REAL_DISK)
  } catch (error) {
    if (systemCode(error) === 'EACCES') return null
    throw error
  }
}
