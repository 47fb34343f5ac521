// A pack: compressed blocks one after another, then a table of them, then landmarks, then where these two begin. All
// blocks but the last unpack to the same size, so an offset alone says which block it is in.

import { brotliDecompressSync } from 'node:zlib'
import type { Disk } from '../disk/disk.ts'
import { ArchiveError } from './archive-error.ts'
import { VarintReader, VarintWriter } from './varints.ts'

export const PACK_HEAD: Buffer = Buffer.from('clew pack 1\n', 'latin1')
export const BLOCK_BYTES = 1 << 23
/** No block unpacks to more, so what was tampered with cannot fill the memory. */
export const BLOCK_BYTES_MAX = 1 << 24
const PACK_END = Buffer.from('pack end', 'latin1')
const TAIL_BYTES = 16
const TABLE_BYTES_MAX = 1 << 28

export interface PackBlock {
  /** Where it begins in the file, and how long it is there. */
  readonly at: number
  readonly storedBytes: number
  readonly sizeBytes: number
}

/** A place in what a pack holds by which the same bytes are recognised elsewhere. */
export interface Landmark {
  readonly key: number
  /** Just behind the bytes that the key was made of. */
  readonly offset: number
}

export interface PackTable {
  readonly blockBytes: number
  readonly blocks: readonly PackBlock[]
}

/** What stands behind the blocks. */
export function packTail({ blockBytes, blocks }: PackTable, landmarks: readonly Landmark[]): Buffer {
  const table = new VarintWriter()
  table.push(blockBytes)
  table.push(blocks.length)
  for (const { storedBytes, sizeBytes } of blocks) {
    table.push(storedBytes)
    table.push(sizeBytes)
  }
  const marks = new VarintWriter()
  marks.push(landmarks.length)
  let before = 0
  for (const { key, offset } of landmarks) {
    marks.pushUint32(key)
    marks.push(offset - before)
    before = offset
  }
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(table.length, 0)
  lengths.writeUInt32LE(marks.length, 4)
  return Buffer.concat([table.bytes(), marks.bytes(), lengths, PACK_END])
}

interface Tail {
  readonly table: Buffer
  readonly marks: Buffer
}

export function readTable(disk: Disk, fd: number, name: string): PackTable {
  const reader = new VarintReader(readTail(disk, fd, name).table)
  const blockBytes = reader.next()
  const count = reader.next()
  const blocks: PackBlock[] = []
  let at = PACK_HEAD.length
  for (let index = 0; index < count && !reader.isAtEnd; index++) {
    const [storedBytes, sizeBytes] = [reader.next(), reader.next()]
    const isLast = index === count - 1
    if (sizeBytes > BLOCK_BYTES_MAX || (isLast ? sizeBytes > blockBytes : sizeBytes !== blockBytes)) throw damaged(name)
    blocks.push({ at, storedBytes, sizeBytes })
    at += storedBytes
  }
  if (blocks.length !== count || at > disk.sizeOf(fd)) throw damaged(name)
  return { blockBytes, blocks }
}

export function* readLandmarks(disk: Disk, fd: number, name: string): Generator<Landmark> {
  const reader = new VarintReader(readTail(disk, fd, name).marks)
  let offset = 0
  for (let left = reader.next(); left > 0 && !reader.isAtEnd; left--) {
    const key = reader.nextUint32()
    offset += reader.next()
    yield { key, offset }
  }
}

function readTail(disk: Disk, fd: number, name: string): Tail {
  const size = disk.sizeOf(fd)
  const end = Buffer.from(disk.read(fd, Math.max(0, size - TAIL_BYTES), TAIL_BYTES))
  if (end.length !== TAIL_BYTES || !end.subarray(8).equals(PACK_END)) throw damaged(name)
  const [tableLength, marksLength] = [end.readUInt32LE(0), end.readUInt32LE(4)]
  const length = tableLength + marksLength
  if (length > Math.min(size - TAIL_BYTES, TABLE_BYTES_MAX)) throw damaged(name)
  const bytes = Buffer.from(disk.read(fd, size - TAIL_BYTES - length, length))
  if (bytes.length !== length) throw damaged(name)
  return { table: bytes.subarray(0, tableLength), marks: bytes.subarray(tableLength) }
}

export function unpackBlock(stored: Uint8Array, sizeBytes: number, name: string): Buffer {
  let bytes: Buffer
  try {
    // In one go: parts that are joined afterwards would take the room twice.
    const room = Math.max(64, sizeBytes)
    bytes = brotliDecompressSync(stored, { maxOutputLength: room, chunkSize: room })
  } catch {
    throw damaged(name)
  }
  if (bytes.length !== sizeBytes) throw damaged(name)
  return bytes
}

export function damaged(name: string): ArchiveError {
  return new ArchiveError('damaged', `${name} is damaged: clew archive verify says what it holds`)
}
