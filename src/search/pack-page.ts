// Envelopes → the bytes of a page, column by column. Each column marks for every record how it is stored there; in the end
// records with the same marks and names are of one Mould.

import type { Envelope } from '../record/model.ts'
import { joinPage } from './page-bytes.ts'
import { IdWriter } from './page-ids.ts'
import { packMoulds } from './page-moulds.ts'
import { packGaps, packLengths, packTimes } from './page-places.ts'
import { packPromptKeys, packRare } from './page-rare.ts'
import { packScenes } from './page-scenes.ts'
import { TextWriter } from './page-texts.ts'
import { packTokens } from './page-tokens.ts'
import { UuidWriter } from './page-uuids.ts'

/** What looks like an id is taken for one until all of them are written; only when that fails, each is looked at first. */
export function packPage(envelopes: readonly Envelope[]): Buffer {
  return packAs(envelopes, false) ?? (packAs(envelopes, true) as Buffer)
}

function packAs(envelopes: readonly Envelope[], isExact: boolean): Buffer | null {
  const marks = new Uint16Array(envelopes.length)
  const texts = new TextWriter()
  const uuids = new UuidWriter(texts, isExact)
  const ids = new IdWriter(texts, isExact)
  uuids.add(envelopes, marks)
  ids.add(envelopes, marks)
  const times = packTimes(envelopes, marks)
  const tokens = packTokens(envelopes, marks)
  const { rare, links } = packRare(envelopes, marks, { uuids, ids, texts })
  const uuidBytes = uuids.written()
  const idBytes = ids.written()
  if (uuidBytes === null || idBytes === null) return null
  const columns = {
    ...packMoulds(envelopes, marks, links, texts),
    scenes: packScenes(envelopes, texts),
    gaps: packGaps(envelopes),
    lengths: packLengths(envelopes),
    times,
    namedUuids: uuids.named,
    idShapes: ids.shapes(),
    namedIds: ids.named,
    linkedUuids: uuids.linked,
    linkedIds: ids.linked,
    promptKeys: packPromptKeys(envelopes),
    tokens,
    rare,
  }
  const records = envelopes.length
  return joinPage({
    texts: texts.bytes(),
    uuids: uuidBytes,
    ids: idBytes,
    records,
    ownUuids: uuids.ownCount,
    columns,
  })
}
