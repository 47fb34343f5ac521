// Which packs there are, and what is about to go. Whoever removes packs and snapshots says so first and looks at the snapshots
// afterwards; whoever takes a snapshot writes it first and looks at what is about to go afterwards. So at least one of
// the two sees the other, and neither has to wait.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { makeFolders, readWhole } from '../disk/durable.ts'
import type { Archive } from './open-archive.ts'
import { packFolder, publish } from './open-archive.ts'

const PACK = /^([0-9a-f]{64})\.pack$/
const DOOMED = /^([0-9a-f]{64})\.doomed$/

export function packIds(archive: Archive): readonly string[] {
  return archive.disk.names(packFolder(archive)).flatMap((name) => PACK.exec(name)?.[1] ?? [])
}

/** The ids of packs and snapshots; also what a prune that was killed had in mind: the next one ends what it began. */
export function doomedNames(archive: Archive): ReadonlySet<string> {
  return new Set(
    doomedPaths(archive).flatMap((path) => {
      // Another process may have ended its work meanwhile.
      const bytes = archive.disk.stat(path) === null ? Buffer.alloc(0) : readWhole(archive.disk, path)
      return bytes.toString('latin1').match(/(?:\d{15}-)?[0-9a-f]{64}/g) ?? []
    }),
  )
}

export async function doom(archive: Archive, ids: readonly string[]): Promise<string> {
  const bytes = Buffer.from(`${ids.join('\n')}\n`, 'latin1')
  const folder = doomedFolder(archive)
  await makeFolders(archive.disk, folder)
  const path = join(folder, `${createHash('sha256').update(bytes).digest('hex')}.doomed`)
  await publish(archive, { to: path, bytes })
  return path
}

export function doomedPaths(archive: Archive): readonly string[] {
  const folder = doomedFolder(archive)
  return archive.disk.names(folder).flatMap((name) => (DOOMED.test(name) ? [join(folder, name)] : []))
}

export function doomedFolder({ folder }: Archive): string {
  return join(folder, 'doomed')
}
