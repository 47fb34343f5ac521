// The columns of a page in its bytes, one behind the other. Texts and uuids come first, where textFinder looks for them.

import { COLUMNS } from '../load/packed-bytes.ts'
import { ColumnReader, type ColumnWriter, packWholes, unpackWholes } from './page-column.ts'

const HEAD_BYTES = 16
const HEAD_NUMBERS = 2

/** Their order is the stored form. */
const ORDER = [
  'moulds',
  'mouldNumbers',
  'scenes',
  'gaps',
  'lengths',
  'times',
  'namedUuids',
  'idShapes',
  'namedIds',
  'linkedUuids',
  'linkedIds',
  'promptKeys',
  'tokens',
  'rare',
] as const

type ColumnName = (typeof ORDER)[number]

interface PageParts<Column> {
  /** As JSON. */
  readonly texts: Buffer
  readonly uuids: Buffer
  readonly ids: Buffer
  readonly records: number
  /** How many of the uuids are those of records. */
  readonly ownUuids: number
  readonly columns: Readonly<Record<ColumnName, Column>>
}

export type WrittenPage = PageParts<ColumnWriter>
export type PageBytes = PageParts<ColumnReader>

export function joinPage({ texts, uuids, ids, records, ownUuids, columns }: WrittenPage): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32LE(COLUMNS, 0)
  head.writeUInt32LE(texts.length, 4)
  head.writeUInt32LE(uuids.length, 8)
  head.writeUInt32LE(ids.length, 12)
  const values = ORDER.map((name) => columns[name].values)
  const numbers = packWholes([[records, ownUuids, ...values.map(({ length }) => length)], ...values])
  return Buffer.concat([head, texts, uuids, ids, numbers])
}

/** Null for a page from before there were columns. */
export function splitPage(packed: Uint8Array): PageBytes | null {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  if (bytes.readUInt32LE(0) !== COLUMNS) return null
  const textsEnd = HEAD_BYTES + bytes.readUInt32LE(4)
  const uuidsEnd = textsEnd + bytes.readUInt32LE(8)
  const idsEnd = uuidsEnd + bytes.readUInt32LE(12)
  const values = unpackWholes(bytes.subarray(idsEnd))
  const head = new ColumnReader(values, 0)
  const records = head.whole()
  const ownUuids = head.whole()
  let start = HEAD_NUMBERS + ORDER.length
  const next = (): ColumnReader => {
    const column = new ColumnReader(values, start)
    start += head.whole()
    return column
  }
  return {
    texts: bytes.subarray(HEAD_BYTES, textsEnd),
    uuids: bytes.subarray(textsEnd, uuidsEnd),
    ids: bytes.subarray(uuidsEnd, idsEnd),
    records,
    ownUuids,
    // In the order of ORDER, and written out: objects that come about in one way are quick to read.
    columns: {
      moulds: next(),
      mouldNumbers: next(),
      scenes: next(),
      gaps: next(),
      lengths: next(),
      times: next(),
      namedUuids: next(),
      idShapes: next(),
      namedIds: next(),
      linkedUuids: next(),
      linkedIds: next(),
      promptKeys: next(),
      tokens: next(),
      rare: next(),
    },
  }
}
