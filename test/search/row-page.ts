// Pages as they were written before they were columns: an index may still have some.

import { ByteWriter } from '../../src/load/packed-bytes.ts'
import type { Boundary, Envelope, Links, Usage } from '../../src/record/model.ts'

export function packRows(envelopes: readonly Envelope[]): Buffer {
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

function packUsage(to: ByteWriter, usage: Usage | null): void {
  to.whole(usage === null ? 0 : 1)
  if (usage === null) return
  to.number(usage.inputTokens)
  to.number(usage.outputTokens)
  to.number(usage.cacheReadTokens)
  to.number(usage.cacheWriteTokens)
  to.number(usage.cacheWrite1hTokens)
}

/** They are rare, so JSON will do; but for numbers, of which it cannot write all. */
function packBoundary(to: ByteWriter, boundary: Boundary | null): void {
  to.text(boundary === null ? null : JSON.stringify([boundary.trigger, boundary.preserved]))
  if (boundary === null) return
  to.number(boundary.preTokens)
  to.number(boundary.postTokens)
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

const LINK_NUMBERS: ReadonlyMap<string, number> = new Map(LINK_NAMES.map((name, number) => [name, number]))

function packLinks(to: ByteWriter, links: Links | null): void {
  const present = links === null ? [] : Object.entries(links).filter(([, value]) => value !== undefined)
  to.whole(links === null ? 0 : present.length + 1)
  for (const [name, value] of present) {
    to.whole(LINK_NUMBERS.get(name) as number)
    if (typeof value === 'number') to.number(value)
    else if (typeof value === 'boolean') to.whole(value ? 1 : 0)
    else to.text(value as string)
  }
}
