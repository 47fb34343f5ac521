// The bytes of a page → Envelopes. What records have in common comes out of their Mould and their Scene.

import { unpackUuids } from '../load/packed-uuids.ts'
import type { Envelope, ToolResultRef, ToolUseRef } from '../record/model.ts'
import { unpackIds } from './id-strings.ts'
import type { PageBytes } from './page-bytes.ts'
import { IdReader } from './page-ids.ts'
import { unpackLinks } from './page-links.ts'
import * as marked from './page-marks.ts'
import { ELSEWHERE, type Mould, unpackMoulds } from './page-moulds.ts'
import { PlaceReader, TimeReader } from './page-places.ts'
import { unpackBoundary } from './page-rare.ts'
import { SceneReader } from './page-scenes.ts'
import { TextReader } from './page-texts.ts'
import { TokenReader } from './page-tokens.ts'
import { UuidReader } from './page-uuids.ts'

export function unpackPage(page: PageBytes): readonly Envelope[] {
  const { columns } = page
  const texts = new TextReader(page.texts)
  const uuids = new UuidReader(unpackUuids(page.uuids), page.ownUuids, texts)
  const ids = new IdReader(unpackIds(columns.idShapes, page.ids, texts), texts)
  return envelopesOf(
    {
      ...columns,
      texts,
      moulds: unpackMoulds(columns.moulds, texts),
      scenes: new SceneReader(columns.scenes, texts),
      place: new PlaceReader(columns.gaps, columns.lengths),
      times: new TimeReader(columns.times),
      tokens: new TokenReader(columns.tokens),
      uuids,
      ids,
    },
    page.records,
  )
}

interface Readers extends Omit<PageBytes['columns'], 'moulds' | 'scenes' | 'times' | 'tokens'> {
  readonly texts: TextReader
  readonly moulds: readonly Mould[]
  readonly scenes: SceneReader
  readonly place: PlaceReader
  readonly times: TimeReader
  readonly tokens: TokenReader
  readonly uuids: UuidReader
  readonly ids: IdReader
}

function envelopesOf(from: Readers, records: number): readonly Envelope[] {
  const { moulds, mouldNumbers, scenes, place, times, tokens, uuids, ids, namedUuids, namedIds, rare } = from
  const envelopes: Envelope[] = []
  let lastUuid: string | null = null
  let message: string | null = null
  let request: string | null = null
  for (let left = records; left > 0; left--) {
    const mould = moulds[mouldNumbers.whole()] as Mould
    const { marks } = mould
    const scene = scenes.next()
    place.next()
    const parentWay = marked.wayOf(marks, marked.PARENT)
    const uuidWay = marked.wayOf(marks, marked.UUID)
    const messageWay = marked.wayOf(marks, marked.MESSAGE)
    const requestWay = marked.wayOf(marks, marked.REQUEST)
    let parentUuid: string | null = null
    if (parentWay !== marked.NO_ID) parentUuid = parentWay === marked.NEXT ? lastUuid : uuids.name(namedUuids)
    if (uuidWay !== marked.NO_ID) lastUuid = uuidWay === marked.NEXT ? uuids.next() : uuids.name(namedUuids)
    if (messageWay === marked.NEXT) message = ids.next()
    else if (messageWay === marked.NAMED) message = ids.name(namedIds)
    if (requestWay === marked.NEXT) request = ids.next()
    else if (requestWay === marked.NAMED) request = ids.name(namedIds)
    envelopes.push({
      line: place.line,
      offset: place.offset,
      length: place.length,
      type: mould.type,
      subtype: mould.subtype,
      kind: mould.kind,
      injection: mould.injection,
      author: mould.author,
      uuid: uuidWay === marked.NO_ID ? null : lastUuid,
      parentUuid,
      sessionId: scene.sessionId,
      agentId: scene.agentId,
      timestampMs: (marks & marked.HAS_TIME) === 0 ? null : times.next(),
      isSidechain: scene.isSidechain,
      isMeta: (marks & marked.IS_META) !== 0,
      cwd: scene.cwd,
      gitBranch: scene.gitBranch,
      version: scene.version,
      messageId: messageWay === marked.NO_ID ? null : message,
      requestId: requestWay === marked.NO_ID ? null : request,
      blockIndex: mould.blockIndex === ELSEWHERE ? rare.number() : mould.blockIndex,
      model: mould.model,
      stopReason: mould.stopReason,
      blocks: mould.blocks,
      toolUses: mould.toolUses.length === 0 ? NONE : callsOf(mould, from),
      toolResults: mould.toolResults.length === 0 ? NONE : resultsOf(mould, from),
      usage: tokens.next(marked.wayOf(marks, marked.USAGE)),
      boundary: (marks & marked.HAS_BOUNDARY) === 0 ? null : unpackBoundary(rare, from.texts),
      links: mould.links === null ? null : unpackLinks(mould.links, from),
    })
  }
  return envelopes
}

const NONE: readonly never[] = []

function callsOf({ marks, toolUses }: Mould, { ids, namedIds, promptKeys }: Readers): readonly ToolUseRef[] {
  const areNamed = (marks & marked.CALLS_ARE_NAMED) !== 0
  const calls: ToolUseRef[] = []
  for (const { name, hasKey } of toolUses) {
    const id = areNamed ? ids.name(namedIds) : ids.next()
    calls.push(hasKey ? { id, name, promptKey: promptKeys.number() as number } : { id, name })
  }
  return calls
}

function resultsOf({ toolResults }: Mould, { ids, namedIds }: Readers): readonly ToolResultRef[] {
  const results: ToolResultRef[] = []
  for (const isError of toolResults) results.push({ id: ids.name(namedIds), isError })
  return results
}
