// One file, read once from beginning to end, as long as it was when it was opened. What is written to it meanwhile is left
// to the next snapshot; a torn last line is kept torn.

import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { type Snapshots, stretchesOf } from './catalogue.ts'
import type { WovenStretch } from './file-weaver.ts'
import type { ManifestBase } from './manifest.ts'
import type { ArchivedFile, SourceFile, Stretch } from './model.ts'
import type { Weaving } from './weaving.ts'

export interface KeptFile {
  readonly source: SourceFile
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly sha256: string
  readonly base: ManifestBase | null
  /** Of an earlier version, where its stretches stand here again. */
  readonly before: readonly Stretch[]
  readonly woven: readonly WovenStretch[]
}

/** Why a file was not kept: what the system said. */
export interface SkippedFile {
  readonly path: string
  readonly code: string
}

export interface KeepWorld {
  readonly disk: Disk
  readonly weaving: Weaving
  readonly snapshots: Snapshots
  /** How many bytes have been read since the last time. */
  readonly onBytes: (count: number) => void
}

const WINDOW_BYTES = 1 << 22
/** A version that begins with one that begins with one… is long to put together: this often, and no more. */
const DEPTH_MAX = 24
const TRIES = 3

/** Null when it shrank each time it was read. */
export async function keepFile(
  world: KeepWorld,
  source: SourceFile,
  known: ArchivedFile | null,
): Promise<KeptFile | SkippedFile> {
  const skipped = (code: string): SkippedFile => ({ path: source.path, code })
  for (let left = TRIES; ; left--) {
    const stat = read(() => world.disk.stat(source.path))
    if (stat instanceof Refused) return skipped(stat.code)
    if (stat === null) return skipped('ENOENT')
    if (stat.isFolder) return skipped(whyFolder(world.disk, source.path))
    const fd = read(() => world.disk.openToRead(source.path))
    if (fd instanceof Refused) return skipped(fd.code)
    try {
      const content = await keepContent(world, fd, known, left > 1)
      if (content instanceof Refused) return skipped(content.code)
      if (content !== null) return { source, modifiedMs: stat.modifiedMs, mode: stat.mode, ...content }
    } finally {
      world.disk.close(fd)
    }
  }
}

/** One that may not be listed says so. */
function whyFolder(disk: Disk, path: string): string {
  const names = read(() => disk.names(path))
  return names instanceof Refused ? names.code : 'EISDIR'
}

type Content = Pick<KeptFile, 'sizeBytes' | 'sha256' | 'base' | 'before' | 'woven'>

/** Null for a file that became shorter while it was read. */
async function keepContent(
  world: KeepWorld,
  fd: number,
  known: ArchivedFile | null,
  isStrict: boolean,
): Promise<Content | Refused | null> {
  const { disk, weaving } = world
  const sizeBytes = disk.sizeOf(fd)
  const grown = known !== null && known.sizeBytes <= sizeBytes ? await grownFrom(world, fd, known) : null
  if (grown instanceof Refused) return grown
  const hash = grown?.hash ?? createHash('sha256')
  const from = grown === null ? 0 : (known?.sizeBytes ?? 0)
  if (from === sizeBytes)
    return { sizeBytes, sha256: hash.digest('hex'), base: null, before: [], woven: [], ...grown?.begin }
  const weaver = weaving.weaver()
  let at = from
  while (at < sizeBytes) {
    const offset = at
    const window = read(() => disk.read(fd, offset, Math.min(WINDOW_BYTES, sizeBytes - offset)))
    if (window instanceof Refused) return window
    if (window.length === 0) break
    const bytes = Buffer.from(window.buffer, window.byteOffset, window.byteLength)
    hash.update(bytes)
    weaver.push(bytes)
    at += bytes.length
    world.onBytes(bytes.length)
    await weaving.room()
  }
  if (at < sizeBytes && isStrict) return null
  const begin = grown?.begin ?? { base: null, before: [] }
  return { sizeBytes: at, sha256: hash.digest('hex'), ...begin, woven: weaver.stretches }
}

interface Grown {
  /** Of all that the earlier version had. */
  readonly hash: Hash
  readonly begin: Pick<KeptFile, 'base' | 'before'>
}

/** When a file begins with all of its earlier version, that is where its beginning is. Null when it does not. */
async function grownFrom(world: KeepWorld, fd: number, known: ArchivedFile): Promise<Grown | Refused | null> {
  const { disk, weaving, snapshots } = world
  if (known.sizeBytes === 0) return null
  const hash = createHash('sha256')
  for (let at = 0; at < known.sizeBytes; ) {
    const offset = at
    const window = read(() => disk.read(fd, offset, Math.min(WINDOW_BYTES, known.sizeBytes - offset)))
    if (window instanceof Refused) return window
    if (window.length === 0) return null
    hash.update(window)
    at += window.length
    world.onBytes(window.length)
  }
  if (hash.copy().digest('hex') !== known.sha256) return null
  const { snapshotId, position, sizeBytes } = known
  const depth = 1 + (snapshots.byId.get(snapshotId)?.files[position]?.base?.depth ?? 0)
  const stretches = stretchesOf(snapshots, known)
  if (stretches.some(({ packId }) => weaving.isAvoided(packId))) return null
  if (depth > DEPTH_MAX) return { hash, begin: { base: null, before: stretches } }
  return { hash, begin: { base: { snapshotId, position, sizeBytes, depth }, before: [] } }
}

/** What the system did not let us read. Failures to write are not of this kind: they end the snapshot. */
class Refused {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

function read<Value>(act: () => Value): Value | Refused {
  try {
    return act()
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    return new Refused(code)
  }
}
