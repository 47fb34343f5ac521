// A page of Envelopes as bytes and back, equal to the last field: in columns, some thirty-six bytes a record, of which
// twenty-five are ids. Opening a session from the index means reading its pages instead of its file.

import type { Envelope } from '../record/model.ts'
import { packPage } from './pack-page.ts'
import { splitPage } from './page-bytes.ts'
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
