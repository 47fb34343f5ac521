// A page of Envelopes as bytes and back, equal to the last field: in columns, some thirty-five bytes a record, of which
// twenty-four are ids. Opening a session from the index means reading its pages instead of its file.

import { UUID_BYTES, unpackUuids } from '../load/packed-uuids.ts'
import type { Envelope } from '../record/model.ts'
import { packPage } from './pack-page.ts'
import { splitPage } from './page-bytes.ts'
import { NAMED, NO_ID, UUID, wayOf } from './page-marks.ts'
import { type Mould, unpackMoulds } from './page-moulds.ts'
import { TextReader } from './page-texts.ts'
import { unpackRows } from './row-page.ts'
import { unpackPage } from './unpack-page.ts'

/** Of a fixed number of records, so that pages do not tell how a file came to be read: at once or bit by bit. */
export const PAGE_RECORDS = 512

export function packEnvelopes(envelopes: readonly Envelope[]): Buffer {
  return packPage(envelopes)
}

export function unpackEnvelopes(packed: Uint8Array): readonly Envelope[] {
  const page = splitPage(packed)
  return page === null ? unpackRows(packed) : unpackPage(page)
}

/** The uuid of each record and nothing else of it: a search asks for those of its hits. */
export function unpackRecordUuids(packed: Uint8Array): readonly (string | null)[] {
  const page = splitPage(packed)
  const moulds = page === null ? null : unpackMoulds(page.columns.moulds, new TextReader(page.texts))
  // Those that are no uuids are found by reading everything.
  if (page === null || moulds?.some(({ marks }) => wayOf(marks, UUID) === NAMED) !== false)
    return unpackEnvelopes(packed).map(({ uuid }) => uuid)
  const own = unpackUuids(page.uuids.subarray(0, page.ownUuids * UUID_BYTES))
  const uuids: (string | null)[] = []
  let next = 0
  for (let left = page.records; left > 0; left--) {
    const { marks } = moulds[page.columns.mouldNumbers.whole()] as Mould
    uuids.push(wayOf(marks, UUID) === NO_ID ? null : (own[next++] as string))
  }
  return uuids
}
