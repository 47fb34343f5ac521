// Which sessions an archive holds, kept beside the copies: to read every snapshot for each command would take longer than
// the command. It is as good as the list of snapshots it was made from.

import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { readWhole, writeAll } from '../disk/durable.ts'
import { realPlace } from '../source/real-place.ts'
import type { CopySource } from './bring-out.ts'
import { makeAll } from './cache-folder.ts'
import type { ArchivedFile } from './model.ts'
import { discard } from './open-archive.ts'
import { ownersOf, transcriptId } from './owner.ts'

export interface HeldSession {
  readonly root: string
  readonly sessionId: string
  /** Below the root. */
  readonly transcript: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

interface Kept {
  readonly version: typeof VERSION
  readonly stamp: string
  /** Where each root that the snapshots name lay at the time: the links may lead somewhere else by now. */
  readonly places: readonly (readonly [root: string, place: string])[]
  readonly sessions: readonly HeldSession[]
}

const VERSION = 3

export function readHeld(source: CopySource, folder: string, disk: Disk): readonly HeldSession[] {
  const stamp = createHash('sha256').update(source.snapshotNames().join('\n')).digest('hex')
  const path = join(folder, 'held.json')
  const kept = readKept(disk, path)
  const isSame = kept?.version === VERSION && kept.stamp === stamp
  if (isSame && kept.places.every(([root, place]) => realPlace(root) === place)) return kept.sessions
  const places = source.roots().map((root) => [root, realPlace(root)] as const)
  const sessions = sessionsOf(source.catalogue().files)
  writeKept(disk, path, { version: VERSION, stamp, places, sessions })
  return sessions
}

export function sessionsOf(files: readonly ArchivedFile[]): readonly HeldSession[] {
  const sessions = new Map<string, HeldSession>()
  for (const { root, name, sizeBytes, modifiedMs } of files) {
    const sessionId = transcriptId(name)
    if (sessionId === null) continue
    const key = `${root}\0${sessionId}`
    // A session that was moved to another project is in both, and goes on in the newer one.
    if ((sessions.get(key)?.modifiedMs ?? Number.NEGATIVE_INFINITY) > modifiedMs) continue
    sessions.set(key, { root, sessionId, transcript: name, sizeBytes, modifiedMs })
  }
  return [...sessions.values()]
}

/** All that belongs to each of these sessions, its transcript last. */
export function filesOfHeld(
  files: readonly ArchivedFile[],
  sessions: readonly HeldSession[],
): ReadonlyMap<HeldSession, readonly ArchivedFile[]> {
  const ownerOf = ownersOf(files.map(({ name }) => name))
  const byOwner = new Map<string, ArchivedFile[]>()
  for (const file of files) {
    const { sessionId, isFlat } = ownerOf(file.name)
    const owner = isFlat ? dirname(file.name) : sessionId
    // Another transcript of the session, from before it was moved, would be it a second time.
    if (owner === null || transcriptId(file.name) !== null) continue
    const key = `${file.root}\0${owner}`
    const known = byOwner.get(key)
    if (known === undefined) byOwner.set(key, [file])
    else known.push(file)
  }
  const transcripts = new Map(files.map((file) => [`${file.root}\0${file.name}`, file]))
  return new Map(
    sessions.map((session) => {
      const { root, sessionId, transcript } = session
      const own = byOwner.get(`${root}\0${sessionId}`) ?? []
      const flat = byOwner.get(`${root}\0${dirname(transcript)}`) ?? []
      const last = transcripts.get(`${root}\0${transcript}`)
      return [session, [...own, ...flat, ...(last === undefined ? [] : [last])]]
    }),
  )
}

function readKept(disk: Disk, path: string): Kept | null {
  try {
    return disk.stat(path) === null ? null : (JSON.parse(readWhole(disk, path).toString('utf8')) as Kept)
  } catch {
    // Being written by another process, or damaged: it is made anew.
    return null
  }
}

/** A cache that cannot be written costs time and nothing else. */
function writeKept(disk: Disk, path: string, kept: Kept): void {
  const next = `${path}.${process.pid}.part`
  try {
    makeAll(disk, dirname(path))
    if (disk.stat(next) !== null) disk.remove(next)
    const fd = disk.openToAppend(next, true)
    try {
      writeAll(disk, fd, Buffer.from(JSON.stringify(kept)))
    } finally {
      disk.close(fd)
    }
    disk.rename(next, path)
  } catch (error) {
    discard(disk, next)
    if (!(error instanceof Error)) throw error
  }
}
