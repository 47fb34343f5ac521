// The list of segments that FTS5 keeps of a word table: read from its record, and written back with one more. The form is
// told at “Structure Records” in fts5_index.c of SQLite.

export interface SegmentList {
  readonly head: Uint8Array
  readonly writes: number
  readonly levels: readonly SegmentLevel[]
}

interface SegmentLevel {
  readonly merging: number
  /** Each: id, first and last leaf, first and last origin, pages of deleted docs, how many those are, docs. */
  readonly segments: readonly (readonly number[])[]
}

export interface NewSegment {
  readonly id: number
  readonly leaves: number
  readonly origin: number
  readonly docs: number
}

/** The cookie of its settings, and that origins are told. */
const HEAD_BYTES = 8
const ORIGINS_ARE_TOLD = [0xff, 0, 0, 1]
const SEGMENT_NUMBERS = 8
const ID = 0
const LAST_ORIGIN = 4

/** False for whatever a later SQLite may have come to write. */
export function isSegmentList(record: Uint8Array): boolean {
  return record.length > HEAD_BYTES && ORIGINS_ARE_TOLD.every((byte, at) => record[4 + at] === byte)
}

export function readSegmentList(record: Uint8Array): SegmentList {
  let at = HEAD_BYTES
  const next = (): number => {
    const [value, end] = readVarint(record, at)
    at = end
    return value
  }
  const levelCount = next()
  next()
  const writes = next()
  const levels = Array.from({ length: levelCount }, () => {
    const merging = next()
    const count = next()
    const segments = Array.from({ length: count }, () => Array.from({ length: SEGMENT_NUMBERS }, next))
    return { merging, segments }
  })
  return { head: record.slice(0, HEAD_BYTES), writes, levels }
}

export function packSegmentList({ head, writes, levels }: SegmentList): Uint8Array {
  const count = levels.reduce((sum, { segments }) => sum + segments.length, 0)
  const numbers = [levels.length, count, writes]
  for (const { merging, segments } of levels) numbers.push(merging, segments.length, ...segments.flat())
  return Uint8Array.from([...head, ...numbers.flatMap(varintOf)])
}

/** The newest of the lowest level, as any that FTS5 itself writes. */
export function withSegment(list: SegmentList, { id, leaves, origin, docs }: NewSegment): SegmentList {
  const [lowest = { merging: 0, segments: [] }, ...others] = list.levels
  const segments = [...lowest.segments, [id, 1, leaves, origin, origin, 0, 0, docs]]
  return { ...list, levels: [{ ...lowest, segments }, ...others] }
}

export function nextOrigin({ levels }: SegmentList): number {
  return levels.reduce((most, { segments }) => segments.reduce(laterOrigin, most), 0) + 1
}

function laterOrigin(most: number, segment: readonly number[]): number {
  return Math.max(most, segment[LAST_ORIGIN] as number)
}

export function freeId({ levels }: SegmentList): number {
  const used = new Set(levels.flatMap(({ segments }) => segments.map((segment) => segment[ID])))
  let id = 1
  while (used.has(id)) id++
  return id
}

/** Seven bits a byte, the highest first. Gives the number and where it ends. */
export function readVarint(bytes: Uint8Array, from: number): readonly [value: number, end: number] {
  let value = 0
  let at = from
  for (;;) {
    const byte = bytes[at++] ?? 0
    value = value * 0x80 + (byte & 0x7f)
    if (byte < 0x80) return [value, at]
  }
}

export function varintOf(value: number): readonly number[] {
  const bytes = [value % 0x80]
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80))
    bytes.unshift((rest % 0x80) | 0x80)
  return bytes
}
