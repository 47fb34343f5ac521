// A snapshot as bytes: a line of JSON with a row for every file it brought, then where their bytes are, in numbers, all
// compressed. Its name has the hash of all of it. The numbers of a row are read when somebody wants its bytes.

import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Stretch } from './model.ts'
import { damaged } from './pack-format.ts'
import { VarintReader, VarintWriter } from './varints.ts'

/** One version of one file, as a snapshot has it. */
export interface ManifestFile {
  readonly root: string
  readonly name: string
  readonly sessionId: string | null
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly sha256: string
  /** The version that this one begins with, byte for byte: a transcript that has grown. */
  readonly base: ManifestBase | null
  /** What follows the base. */
  readonly stretches: readonly Stretch[]
}

export interface ManifestBase {
  readonly snapshotId: string
  readonly position: number
  readonly sizeBytes: number
  /** How many bases there are below it. */
  readonly depth: number
}

export interface Manifest {
  readonly takenMs: number
  /** What it took in the archive, without itself. */
  readonly storedBytes: number
  readonly files: readonly ManifestFile[]
}

/** A manifest that was read; stretches are taken out of it one file at a time. */
export interface OpenManifest {
  readonly takenMs: number
  readonly storedBytes: number
  readonly packIds: readonly string[]
  readonly roots: readonly string[]
  readonly files: readonly Omit<ManifestFile, 'stretches'>[]
  readonly stretches: (position: number) => readonly Stretch[]
}

const HEAD = Buffer.from('clew snapshot 1\n', 'latin1')
/** A manifest of a million files is smaller. */
const SIZE_BYTES_MAX = 1 << 30
const SHA256 = /^[0-9a-f]{64}$/

type Row = readonly [
  root: number,
  name: string,
  sessionId: string | null,
  sizeBytes: number,
  modifiedMs: number,
  mode: number,
  sha256: string,
  base: readonly [snapshot: number, position: number, sizeBytes: number, depth: number] | null,
  stretchesAt: number,
]

interface Json {
  readonly takenMs: number
  readonly storedBytes: number
  readonly packs: readonly string[]
  readonly snapshots: readonly string[]
  readonly roots: readonly string[]
  readonly files: readonly Row[]
}

export function manifestBytes(manifest: Manifest): Buffer {
  const [packs, snapshots, roots] = [new Numbering(), new Numbering(), new Numbering()]
  const numbers = new VarintWriter()
  const files = manifest.files.map((file): Row => {
    const { root, name, sessionId, sizeBytes, modifiedMs, mode, sha256, base, stretches } = file
    const stretchesAt = numbers.length
    pushStretches(numbers, stretches, packs)
    const below = base && ([snapshots.of(base.snapshotId), base.position, base.sizeBytes, base.depth] as const)
    return [roots.of(root), name, sessionId, sizeBytes, modifiedMs, mode, sha256, below, stretchesAt]
  })
  const { takenMs, storedBytes } = manifest
  const json: Json = { takenMs, storedBytes, packs: packs.names, snapshots: snapshots.names, roots: roots.names, files }
  const text = Buffer.from(`${JSON.stringify(json)}\n`, 'utf8')
  const bytes = Buffer.concat([text, numbers.bytes()])
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1 << 20 ? 9 : 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return Buffer.concat([HEAD, brotliCompressSync(bytes, { params })])
}

/** Its place among the others, by name: when it was taken, then the hash of its bytes. */
export function snapshotIdOf(takenMs: number, bytes: Uint8Array): string {
  return `${String(takenMs).padStart(15, '0')}-${createHash('sha256').update(bytes).digest('hex')}`
}

export function openManifest(id: string, bytes: Buffer): OpenManifest {
  if (!bytes.subarray(0, HEAD.length).equals(HEAD)) throw damaged(id)
  if (createHash('sha256').update(bytes).digest('hex') !== id.slice(-64)) throw damaged(id)
  let json: Json
  let numbers: Buffer
  try {
    const unpacked = brotliDecompressSync(bytes.subarray(HEAD.length), { maxOutputLength: SIZE_BYTES_MAX })
    const end = unpacked.indexOf(10)
    json = JSON.parse(unpacked.toString('utf8', 0, end)) as Json
    numbers = unpacked.subarray(end + 1)
  } catch {
    throw damaged(id)
  }
  const { takenMs, storedBytes, packs, snapshots, roots } = json
  const text = (names: readonly string[], at: number): string => names[at] ?? ''
  return {
    takenMs,
    storedBytes,
    packIds: packs,
    roots,
    files: json.files.map(([root, name, sessionId, sizeBytes, modifiedMs, mode, sha256, below]) => ({
      root: text(roots, root),
      name,
      sessionId,
      sizeBytes,
      modifiedMs,
      mode,
      sha256: SHA256.test(sha256) ? sha256 : '',
      base: below && {
        snapshotId: text(snapshots, below[0]),
        position: below[1],
        sizeBytes: below[2],
        depth: below[3],
      },
    })),
    stretches: (position) => {
      const row = json.files[position]
      return row === undefined ? [] : readStretches(new VarintReader(numbers, row[8]), packs)
    },
  }
}

/**
 * In columns, each number as the difference to what is expected: a fork goes back and forth between its origin and what
 * is new, so a stretch mostly goes on where the one before the last ended.
 */
function pushStretches(numbers: VarintWriter, stretches: readonly Stretch[], packs: Numbering): void {
  numbers.push(stretches.length)
  for (const { packId } of stretches) numbers.push(packs.of(packId))
  for (const { length } of stretches) numbers.push(length)
  stretches.forEach(({ packId, offset }, at) => {
    const before = stretches[at - 2]
    numbers.pushSigned(offset - (before?.packId === packId ? before.offset + before.length : 0))
  })
}

function readStretches(numbers: VarintReader, packs: readonly string[]): readonly Stretch[] {
  const count = numbers.next()
  const packIds = Array.from({ length: count }, () => packs[numbers.next()] ?? '')
  const lengths = packIds.map(() => numbers.next())
  const stretches: Stretch[] = []
  for (const [at, packId] of packIds.entries()) {
    const before = stretches[at - 2]
    const offset = numbers.nextSigned() + (before?.packId === packId ? before.offset + before.length : 0)
    stretches.push({ packId, offset, length: lengths[at] ?? 0 })
  }
  return stretches
}

/** Names that stand in a list once, by their place in it. */
class Numbering {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()

  of(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}
