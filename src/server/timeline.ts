// Time on a line: when each Turn began and ended, and each call of a tool, also those that Subagents made.

import type { Row } from '../conversation/layout.ts'
import type { ToolCall } from '../conversation/model.ts'
import { readFull } from '../conversation/reading.ts'
import type { OpenSession } from '../load/session.ts'
import { openSubagent } from '../load/session.ts'
import { agentHeads } from './agent-heads.ts'
import type { Span, Timeline } from './api/timeline.ts'
import { wovenOf } from './open-conversations.ts'
import type { OpenReading } from './open-reading.ts'

/** Far more than can be told apart on a screen. */
const SPANS_MAX = 20_000

export function timelineOf(session: OpenSession, reading: OpenReading): Timeline {
  const { version, choice } = reading
  const rows = reading.rowsAt(0, reading.rows)
  const rowAt = new Map(rows.map(({ record }, index) => [`${record.transcript}:${record.offset}`, index]))
  const turns = reading.allTurns().flatMap(({ number, row, startedMs, endedMs }) => {
    if (startedMs === null) return []
    return [{ number, row, startedMs, endedMs: Math.max(startedMs, endedMs ?? startedMs) }]
  })
  const calls = [...ownSpans(session, reading, rowAt), ...agentSpans(session, choice.agent, rowAt)]
  const times = [...turns, ...calls]
  return {
    version,
    startedMs: times.reduce<number | null>((first, { startedMs }) => Math.min(first ?? startedMs, startedMs), null),
    endedMs: times.reduce<number | null>((last, { endedMs }) => Math.max(last ?? endedMs, endedMs), null),
    turns,
    calls: calls.slice(0, SPANS_MAX),
    boundaries: reading.boundaries.flatMap(({ row }) => markOf(rows, row)),
  }
}

function markOf(rows: readonly Row[], row: number): readonly { readonly row: number; readonly ms: number }[] {
  const ms = rows[row]?.ms ?? null
  return ms === null ? [] : [{ row, ms }]
}

function ownSpans(session: OpenSession, { choice }: OpenReading, rowAt: ReadonlyMap<string, number>): readonly Span[] {
  const woven = wovenOf(session, choice.agent)
  if (woven === null) return []
  return readFull(woven, choice.branch).turns.flatMap(({ toolCalls }) =>
    toolCalls.flatMap((call) => {
      const row = rowAt.get(`${call.call.transcript}:${call.call.envelope.offset}`)
      return row === undefined ? [] : spanOf(call, row, choice.agent)
    }),
  )
}

/** What Subagents did stands on the Row of the call that started them. */
function agentSpans(session: OpenSession, agent: string | null, rowAt: ReadonlyMap<string, number>): readonly Span[] {
  const woven = wovenOf(session, agent)
  if (woven === null) return []
  const rowOfCall = new Map<string, number>()
  for (const { first, transcript } of woven.joined.nodes) {
    const row = rowAt.get(`${transcript}:${first.offset}`)
    if (row !== undefined) for (const { id } of first.toolUses) rowOfCall.set(id, row)
  }
  const spans: Span[] = []
  const rowOfAgent = new Map<string, number>()
  for (const head of agentHeads(woven)) {
    const { agentId, toolUseId, parentAgentId, startedMs, endedMs, description, type } = head
    const row = rowOfCall.get(toolUseId ?? '') ?? rowOfAgent.get(parentAgentId ?? '')
    if (row === undefined || startedMs === null || endedMs === null) continue
    rowOfAgent.set(agentId, row)
    const title = description ?? type ?? ''
    spans.push({ row, name: 'Agent', title, status: 'ok', startedMs, endedMs, agentId, owner: agentId })
    const inner = spans.length < SPANS_MAX ? openSubagent(session, agentId, 'resume') : null
    if (inner === null) continue
    for (const { toolCalls } of readFull(inner).turns)
      for (const call of toolCalls) spans.push(...spanOf(call, row, agentId))
  }
  return spans
}

function spanOf({ name, status, call, result, agentId }: ToolCall, row: number, owner: string | null): readonly Span[] {
  const startedMs = call.envelope.timestampMs
  if (startedMs === null) return []
  const endedMs = Math.max(startedMs, result?.envelope.timestampMs ?? startedMs)
  return [{ row, name, title: '', status, startedMs, endedMs, agentId, owner }]
}
