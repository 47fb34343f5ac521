// The bytes of a page → Envelopes. What records have in common comes out of their Mould and their Scene.

import { unpackUuids } from '../load/packed-uuids.ts'
import type { Envelope, ToolResultRef, ToolUseRef } from '../record/model.ts'
import { unpackIds } from './id-strings.ts'
import type { PageBytes } from './page-bytes.ts'
import type { ColumnReader } from './page-column.ts'
import { IdReader } from './page-ids.ts'
import { unpackLinks } from './page-links.ts'
import {
  CALLS_ARE_NAMED,
  HAS_BOUNDARY,
  HAS_TIME,
  IS_META,
  MESSAGE,
  NAMED,
  NEXT,
  NO_ID,
  PARENT,
  REQUEST,
  USAGE,
  UUID,
  wayOf,
} from './page-marks.ts'
import { ELSEWHERE, type Mould, type MouldCall, unpackMoulds } from './page-moulds.ts'
import { PlaceReader, TimeReader } from './page-places.ts'
import { unpackBoundary } from './page-rare.ts'
import { SceneReader } from './page-scenes.ts'
import { TextReader } from './page-texts.ts'
import { TokenReader } from './page-tokens.ts'
import { UuidReader } from './page-uuids.ts'

export function unpackPage(page: PageBytes): readonly Envelope[] {
  const { records, columns } = page
  const { mouldNumbers, namedUuids, namedIds, linkedUuids, linkedIds, promptKeys, rare } = columns
  const texts = new TextReader(page.texts)
  const moulds = unpackMoulds(columns.moulds, texts)
  const scenes = new SceneReader(columns.scenes, texts)
  const place = new PlaceReader(columns.gaps, columns.lengths)
  const times = new TimeReader(columns.times)
  const tokens = new TokenReader(columns.tokens)
  const uuids = new UuidReader(unpackUuids(page.uuids), page.ownUuids, texts)
  const ids = new IdReader(unpackIds(columns.idShapes, page.ids, texts), texts)
  return envelopesOf({
    records,
    mouldNumbers,
    texts,
    moulds,
    scenes,
    place,
    times,
    tokens,
    uuids,
    ids,
    namedUuids,
    namedIds,
    linkedUuids,
    linkedIds,
    promptKeys,
    rare,
  })
}

interface Readers {
  readonly records: number
  readonly mouldNumbers: ColumnReader
  readonly texts: TextReader
  readonly moulds: readonly Mould[]
  readonly scenes: SceneReader
  readonly place: PlaceReader
  readonly times: TimeReader
  readonly tokens: TokenReader
  readonly uuids: UuidReader
  readonly ids: IdReader
  readonly namedUuids: ColumnReader
  readonly namedIds: ColumnReader
  readonly linkedUuids: ColumnReader
  readonly linkedIds: ColumnReader
  readonly promptKeys: ColumnReader
  readonly rare: ColumnReader
}

function envelopesOf(from: Readers): readonly Envelope[] {
  const { records, moulds, mouldNumbers, scenes, place, times, tokens, uuids, ids, namedUuids, namedIds, rare } = from
  const envelopes: Envelope[] = []
  let lastUuid: string | null = null
  let message: string | null = null
  let request: string | null = null
  for (let left = records; left > 0; left--) {
    const mould = moulds[mouldNumbers.whole()] as Mould
    const { marks } = mould
    const scene = scenes.next()
    place.next()
    const parentWay = wayOf(marks, PARENT)
    const uuidWay = wayOf(marks, UUID)
    const messageWay = wayOf(marks, MESSAGE)
    const requestWay = wayOf(marks, REQUEST)
    let parentUuid: string | null = null
    if (parentWay !== NO_ID) parentUuid = parentWay === NEXT ? lastUuid : uuids.name(namedUuids)
    if (uuidWay !== NO_ID) lastUuid = uuidWay === NEXT ? uuids.next() : uuids.name(namedUuids)
    if (messageWay === NEXT) message = ids.next()
    else if (messageWay === NAMED) message = ids.name(namedIds)
    if (requestWay === NEXT) request = ids.next()
    else if (requestWay === NAMED) request = ids.name(namedIds)
    envelopes.push({
      line: place.line,
      offset: place.offset,
      length: place.length,
      type: mould.type,
      subtype: mould.subtype,
      kind: mould.kind,
      injection: mould.injection,
      author: mould.author,
      uuid: uuidWay === NO_ID ? null : lastUuid,
      parentUuid,
      sessionId: scene.sessionId,
      agentId: scene.agentId,
      timestampMs: (marks & HAS_TIME) === 0 ? null : times.next(),
      isSidechain: scene.isSidechain,
      isMeta: (marks & IS_META) !== 0,
      cwd: scene.cwd,
      gitBranch: scene.gitBranch,
      version: scene.version,
      messageId: messageWay === NO_ID ? null : message,
      requestId: requestWay === NO_ID ? null : request,
      blockIndex: mould.blockIndex === ELSEWHERE ? rare.number() : mould.blockIndex,
      model: mould.model,
      stopReason: mould.stopReason,
      blocks: mould.blocks,
      toolUses: mould.hasCalls ? callsOf(mould, from) : NONE,
      toolResults: mould.hasResults ? resultsOf(mould, from) : NONE,
      usage: tokens.next(wayOf(marks, USAGE)),
      boundary: (marks & HAS_BOUNDARY) === 0 ? null : unpackBoundary(rare, from.texts),
      links: mould.links === null ? null : unpackLinks(mould.links, from),
    })
  }
  return envelopes
}

const NONE: readonly never[] = []

/** A list that is written as a whole has room for what is in it and no more, which a list that grows has not. */
function callsOf({ marks, toolUses }: Mould, from: Readers): readonly ToolUseRef[] {
  const areNamed = (marks & CALLS_ARE_NAMED) !== 0
  if (toolUses.length === 1) return [callOf(toolUses[0] as MouldCall, areNamed, from)]
  return toolUses.map((called) => callOf(called, areNamed, from))
}

function callOf(call: MouldCall, isNamed: boolean, { ids, namedIds, promptKeys }: Readers): ToolUseRef {
  const { name, hasKey, agentType } = call
  const id = isNamed ? ids.name(namedIds) : ids.next()
  if (agentType === undefined) return hasKey ? { id, name, promptKey: promptKeys.number() as number } : { id, name }
  return hasKey ? { id, name, promptKey: promptKeys.number() as number, agentType } : { id, name, agentType }
}

function resultsOf({ toolResults }: Mould, { ids, namedIds }: Readers): readonly ToolResultRef[] {
  if (toolResults.length === 1) return [{ id: ids.name(namedIds), isError: toolResults[0] as boolean }]
  return toolResults.map((isError) => ({ id: ids.name(namedIds), isError }))
}
