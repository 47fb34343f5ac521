// The file of a carried session, read as a stream and checked on the way: the manifest, every size, every hash, and that
// nothing comes behind the last file. No more is unpacked than the manifest says.

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import type { CarriedFile, CarryManifest } from './carry-format.ts'
import { checkManifest } from './carry-format.ts'
import { passThrough } from './pass-through.ts'

/** What is wrong with the file, in words for its owner. */
export class CarryError extends Error {}

export interface CarryVisit {
  readonly manifest: (manifest: CarryManifest) => void
  /** Bytes of a file, in order. */
  readonly bytes: (file: CarriedFile, part: Buffer) => void
  /** All of it was there and has its hash. */
  readonly end: (file: CarriedFile) => void
}

const MANIFEST_BYTES_MAX = 64 << 20

export async function readCarried(disk: Disk, path: string, visit: CarryVisit): Promise<CarryManifest> {
  const packedBytes = disk.stat(path)?.sizeBytes ?? 0
  const state: Reading = { head: [], headBytes: 0, manifest: null, place: 0, left: 0, hash: createHash('sha256') }
  try {
    await passThrough(packedParts(disk, path), createGunzip(), (part) =>
      take(state, part, { path, packedBytes }, visit),
    )
  } catch (error) {
    if (error instanceof CarryError) throw error
    const code = systemCode(error)
    if (code === null || !code.startsWith('Z_')) throw error
    const what = state.headBytes === 0 ? 'it was not made by clew carry' : `it is damaged or cut off (${code})`
    throw new CarryError(`${path}: ${what}`, { cause: error })
  }
  const { manifest } = state
  if (manifest === null || state.place < manifest.files.length) throw new CarryError(`${path}: it is cut off`)
  return manifest
}

interface Reading {
  head: Buffer[]
  headBytes: number
  manifest: CarryManifest | null
  /** Which file the next byte belongs to, and how much of it is still to come. */
  place: number
  left: number
  hash: ReturnType<typeof createHash>
}

interface Packed {
  readonly path: string
  readonly packedBytes: number
}

function take(state: Reading, part: Buffer, { path, packedBytes }: Packed, visit: CarryVisit): void {
  let rest = part
  if (state.manifest === null) {
    const end = rest.indexOf(0x0a)
    state.head.push(end === -1 ? rest : rest.subarray(0, end))
    state.headBytes += rest.length
    if (end === -1) {
      if (state.headBytes > MANIFEST_BYTES_MAX) throw new CarryError('it does not begin with a manifest')
      return
    }
    const manifest = checkManifest(Buffer.concat(state.head).toString('utf8'), packedBytes)
    if (typeof manifest === 'string') throw new CarryError(`${path}: this is no session to import: ${manifest}`)
    state.manifest = manifest
    state.head = []
    visit.manifest(manifest)
    rest = rest.subarray(end + 1)
    begin(state, manifest, visit)
  }
  const { files } = state.manifest
  while (rest.length > 0) {
    const file = files[state.place]
    if (file === undefined) throw new CarryError('there is more in it than its manifest says')
    const own = rest.subarray(0, state.left)
    state.hash.update(own)
    visit.bytes(file, own)
    state.left -= own.length
    rest = rest.subarray(own.length)
    if (state.left === 0) {
      finish(state, file, visit)
      begin(state, state.manifest, visit)
    }
  }
}

/** Files with nothing in them are done at once. */
function begin(state: Reading, { files }: CarryManifest, visit: CarryVisit): void {
  state.left = files[state.place]?.sizeBytes ?? 0
  for (let file = files[state.place]; file !== undefined && state.left === 0; file = files[state.place]) {
    finish(state, file, visit)
    state.left = files[state.place]?.sizeBytes ?? 0
  }
}

function finish(state: Reading, file: CarriedFile, visit: CarryVisit): void {
  if (state.hash.digest('hex') !== file.sha256) throw new CarryError(`${file.name} in it is damaged`)
  state.hash = createHash('sha256')
  state.place++
  visit.end(file)
}

function* packedParts(disk: Disk, path: string): Generator<Buffer, void, void> {
  const fd = disk.openToRead(path)
  try {
    for (let at = 0; ; ) {
      const part = disk.read(fd, at, 1 << 18)
      if (part.length === 0) return
      yield Buffer.from(part)
      at += part.length
    }
  } finally {
    disk.close(fd)
  }
}
