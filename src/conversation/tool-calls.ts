// A tool_use Block joined with its result by id, wherever the result was written.

import type { PlacedRecord, ToolCall, ToolStatus } from './model.ts'

export type Results = ReadonlyMap<string, PlacedRecord>

/** The first result of each call; a client that retried may have written a second one. */
export function resultsById(records: Iterable<PlacedRecord>): Results {
  const results = new Map<string, PlacedRecord>()
  for (const record of records) {
    for (const { id } of record.envelope.toolResults) if (id !== '' && !results.has(id)) results.set(id, record)
  }
  return results
}

export function toolCallsOf(
  records: readonly PlacedRecord[],
  results: Results,
  agentOfCall: ReadonlyMap<string, string>,
): readonly ToolCall[] {
  const calls: ToolCall[] = []
  const seen = new Set<string>()
  for (const call of records) {
    for (const { id, name } of call.envelope.toolUses) {
      // A forked or replayed reply can repeat its calls.
      if (id !== '' && seen.has(id)) continue
      seen.add(id)
      const result = results.get(id) ?? null
      const spillPath = result?.envelope.links?.spillPath ?? null
      const agentId = agentOfCall.get(id) ?? result?.envelope.links?.spawnedAgentId ?? null
      calls.push({ id, name, call, result, status: statusOf(id, result), spillPath, agentId })
    }
  }
  return calls
}

export function statusOf(id: string, result: PlacedRecord | null): ToolStatus {
  if (result === null) return 'pending'
  const denial = result.envelope.links?.toolDenialKind
  if (denial === 'interrupted') return 'interrupted'
  if (denial !== undefined) return 'denied'
  return result.envelope.toolResults.some((one) => one.id === id && one.isError) ? 'error' : 'ok'
}
