// Pages of an index that was made before they were columns: Envelopes one after the other. What is known of a deleted file
// may stand in one for as long as the index is there, so they are read and never written.

import { ByteReader } from '../load/packed-bytes.ts'
import type {
  Boundary,
  Envelope,
  InjectionKind,
  Links,
  RecordKind,
  ToolResultRef,
  ToolUseRef,
  Usage,
} from '../record/model.ts'

export function unpackRows(packed: Uint8Array): readonly Envelope[] {
  const from = new ByteReader(packed)
  const count = from.whole()
  const envelopes: Envelope[] = []
  const kinds = new Map<string, readonly string[]>()
  let end = 0
  let line = 0
  let ms = 0
  for (let index = 0; index < count; index++) {
    const offset = end + (from.number() as number)
    line += from.number() as number
    const length = from.whole()
    end = offset + length
    const timestampMs = unpackTime(from, ms)
    ms = timestampMs ?? ms
    const flags = from.whole()
    envelopes.push({
      line,
      offset,
      length,
      type: from.text() as string,
      subtype: from.text(),
      kind: from.text() as RecordKind,
      injection: from.text() as InjectionKind | null,
      author: from.text() as Envelope['author'],
      uuid: from.text(),
      parentUuid: from.text(),
      sessionId: from.text(),
      agentId: from.text(),
      timestampMs,
      isSidechain: (flags & 1) !== 0,
      isMeta: (flags & 2) !== 0,
      cwd: from.text(),
      gitBranch: from.text(),
      version: from.text(),
      messageId: from.text(),
      requestId: from.text(),
      blockIndex: from.number(),
      model: from.text(),
      stopReason: from.text(),
      blocks: unpackBlocks(from, kinds),
      toolUses: unpackList(from, unpackToolUse),
      toolResults: unpackList(from, unpackToolResult),
      usage: unpackUsage(from),
      boundary: unpackBoundary(from),
      links: unpackLinks(from),
    })
  }
  return envelopes
}

function unpackTime(from: ByteReader, before: number): number | null {
  const code = from.whole()
  if (code === 0) return null
  if (code === 1) return from.number()
  const step = Math.floor((code - 2) / 2)
  return code % 2 === 0 ? before + step : before - step
}

function unpackToolUse(from: ByteReader): ToolUseRef {
  const id = from.text() as string
  const name = from.text() as string
  const promptKey = from.number()
  return promptKey === null ? { id, name } : { id, name, promptKey }
}

function unpackToolResult(from: ByteReader): ToolResultRef {
  return { id: from.text() as string, isError: from.whole() === 1 }
}

const NONE: readonly never[] = []

function unpackList<Value>(from: ByteReader, unpack: (from: ByteReader) => Value): readonly Value[] {
  const count = from.whole()
  if (count === 0) return NONE
  const values: Value[] = []
  for (let index = 0; index < count; index++) values.push(unpack(from))
  return values
}

/** Almost every record has one Block of one of five kinds: they share their list. */
function unpackBlocks(from: ByteReader, kinds: Map<string, readonly string[]>): readonly string[] {
  const blocks = unpackList(from, (one) => one.text() as string)
  if (blocks.length !== 1) return blocks
  const kind = blocks[0] as string
  const known = kinds.get(kind)
  if (known !== undefined) return known
  kinds.set(kind, blocks)
  return blocks
}

function unpackUsage(from: ByteReader): Usage | null {
  if (from.whole() === 0) return null
  return {
    inputTokens: from.number() as number,
    outputTokens: from.number() as number,
    cacheReadTokens: from.number() as number,
    cacheWriteTokens: from.number() as number,
    cacheWrite1hTokens: from.number() as number,
  }
}

function unpackBoundary(from: ByteReader): Boundary | null {
  const text = from.text()
  if (text === null) return null
  const [trigger, preserved] = JSON.parse(text) as [Boundary['trigger'], Boundary['preserved']]
  return { trigger, preTokens: from.number(), postTokens: from.number(), tokensSaved: null, preserved }
}

const LINK_NAMES = [
  'logicalParentUuid',
  'forkedFromSessionId',
  'forkedFromUuid',
  'sourceToolAssistantUuid',
  'sourceToolUseId',
  'spawnedAgentId',
  'spillPath',
  'leafUuid',
  'leafIsExplicit',
  'queuedSourceUuid',
  'snapshotOfUuid',
  'parentToolUseId',
  'toolDenialKind',
  'parentSessionId',
  'relocatedCwd',
  'promptId',
  'textKey',
] as const satisfies readonly (keyof Links)[]

function unpackLinks(from: ByteReader): Links | null {
  const count = from.whole()
  if (count === 0) return null
  const links: Record<string, string | number | boolean> = {}
  for (let index = 1; index < count; index++) {
    const name = LINK_NAMES[from.whole()] as (typeof LINK_NAMES)[number]
    if (name === 'textKey') links[name] = from.number() as number
    else if (name === 'leafIsExplicit') links[name] = from.whole() === 1
    else links[name] = from.text() as string
  }
  return links as Links
}
