// A page of Envelopes as bytes and back, equal to the last field: about sixty bytes a record instead of six hundred.
// Opening a session from the index means reading its pages instead of its file.

import { ByteReader, ByteWriter } from '../load/packed-bytes.ts'
import type {
  Boundary,
  Envelope,
  InjectionKind,
  RecordKind,
  ToolResultRef,
  ToolUseRef,
  Usage,
} from '../record/model.ts'
import { packLinks, unpackLinks } from './packed-links.ts'

/** Of a fixed number of records, so that pages do not tell how a file came to be read: at once or bit by bit. */
export const PAGE_RECORDS = 512

export function packEnvelopes(envelopes: readonly Envelope[]): Buffer {
  const to = new ByteWriter()
  to.whole(envelopes.length)
  let end = 0
  let line = 0
  let ms = 0
  for (const one of envelopes) {
    // Records mostly follow each other; after a stretch of bytes that are none the gap is what counts.
    to.number(one.offset - end)
    to.number(one.line - line)
    to.whole(one.length)
    end = one.offset + one.length
    line = one.line
    packTime(to, one.timestampMs, ms)
    ms = one.timestampMs ?? ms
    to.whole((one.isSidechain ? 1 : 0) | (one.isMeta ? 2 : 0))
    to.text(one.type)
    to.text(one.subtype)
    to.text(one.kind)
    to.text(one.injection)
    to.text(one.author)
    to.text(one.uuid)
    to.text(one.parentUuid)
    to.text(one.sessionId)
    to.text(one.agentId)
    to.text(one.cwd)
    to.text(one.gitBranch)
    to.text(one.version)
    to.text(one.messageId)
    to.text(one.requestId)
    to.number(one.blockIndex)
    to.text(one.model)
    to.text(one.stopReason)
    to.whole(one.blocks.length)
    for (const block of one.blocks) to.text(block)
    packTools(to, one)
    packUsage(to, one.usage)
    packBoundary(to, one.boundary)
    packLinks(to, one.links)
  }
  return to.finish()
}

export function unpackEnvelopes(packed: Uint8Array): Envelope[] {
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

/** 0 for none, 1 for one that is no whole number near the one before, else the step, its sign in the lowest bit. */
function packTime(to: ByteWriter, timestampMs: number | null, before: number): void {
  if (timestampMs === null) {
    to.whole(0)
    return
  }
  const step = timestampMs - before
  if (Number.isSafeInteger(step) && Math.abs(step) < 2 ** 50 && Object.is(before + step, timestampMs))
    to.whole(2 + (step < 0 ? -step * 2 + 1 : step * 2))
  else {
    to.whole(1)
    to.number(timestampMs)
  }
}

function unpackTime(from: ByteReader, before: number): number | null {
  const code = from.whole()
  if (code === 0) return null
  if (code === 1) return from.number()
  const step = Math.floor((code - 2) / 2)
  return code % 2 === 0 ? before + step : before - step
}

function packTools(to: ByteWriter, { toolUses, toolResults }: Envelope): void {
  to.whole(toolUses.length)
  for (const { id, name, promptKey } of toolUses) {
    to.text(id)
    to.text(name)
    to.number(promptKey ?? null)
  }
  to.whole(toolResults.length)
  for (const { id, isError } of toolResults) {
    to.text(id)
    to.whole(isError ? 1 : 0)
  }
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

function packUsage(to: ByteWriter, usage: Usage | null): void {
  to.whole(usage === null ? 0 : 1)
  if (usage === null) return
  to.number(usage.inputTokens)
  to.number(usage.outputTokens)
  to.number(usage.cacheReadTokens)
  to.number(usage.cacheWriteTokens)
  to.number(usage.cacheWrite1hTokens)
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

/** They are rare, so JSON will do; but for numbers, of which it cannot write all. */
function packBoundary(to: ByteWriter, boundary: Boundary | null): void {
  to.text(boundary === null ? null : JSON.stringify([boundary.trigger, boundary.preserved]))
  if (boundary === null) return
  to.number(boundary.preTokens)
  to.number(boundary.postTokens)
}

function unpackBoundary(from: ByteReader): Boundary | null {
  const text = from.text()
  if (text === null) return null
  const [trigger, preserved] = JSON.parse(text) as [Boundary['trigger'], Boundary['preserved']]
  return { trigger, preTokens: from.number(), postTokens: from.number(), preserved }
}
