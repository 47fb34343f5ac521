// In which Turn of its conversation a Deed was done, and what was asked there. What a subagent did belongs to the Turn
// that started it.

import type { Woven } from '../conversation/build.ts'
import type { Turn } from '../conversation/model.ts'
import { contentOf } from '../conversation/parts.ts'
import { readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import type { Bodies } from '../load/bodies.ts'
import type { Dialect } from '../record/dialect.ts'
import type { Body } from '../record/model.ts'
import { typedText } from '../record/user.ts'
import type { DeedPlace } from './model.ts'

export interface TurnRef {
  readonly sessionId: string
  readonly title: string
  readonly cwd: string | null
  readonly dialect: Dialect
  /** The main transcript of its conversation. */
  readonly path: string
  readonly branch: number
  readonly turn: number
  readonly prompt: string | null
}

export type FindTurn = (place: DeedPlace) => TurnRef | null

export function turnFinder(woven: Woven, bodies: Bodies): FindTurn {
  const { main } = woven.source
  const paths = pathsOf(woven)
  const { sessionId, title, cwd, dialect, path } = summarise(woven, 0)
  const conversation = { sessionId, title, cwd, dialect, path }
  const placed = placedRecords(woven)
  const callOffsets = new Map(main.envelopes.flatMap(({ toolUses, offset }) => toolUses.map(({ id }) => [id, offset])))
  const agents = new Map(woven.agents.subagents.map((agent) => [agent.agentId, agent]))
  const calledAt = (agentId: string | null): number | null => {
    for (let agent = agents.get(agentId ?? ''), depth = 0; agent !== undefined && depth < DEPTH_MAX; depth++) {
      const called = callOffsets.get(agent.toolUseId ?? '')
      if (called !== undefined) return called
      agent = agents.get(agent.parentAgentId ?? '')
    }
    return null
  }
  return ({ agentId, transcriptPath, offset }) => {
    const own = placed.get(transcriptPath)
    const found = own === undefined ? at(placed.get(main.path), calledAt(agentId)) : at(own, offset)
    if (found === undefined) return null
    const { prompt, number } = found.turn
    const body = prompt === null ? null : bodies.read(paths[prompt.transcript] ?? '', prompt.envelope)
    return { ...conversation, branch: found.branch, turn: number, prompt: body === null ? null : saidIn(body) }
  }
}

const DEPTH_MAX = 50

function saidIn(body: Body): string {
  return typedText(contentOf(body))
}

function at(placed: PlacedByOffset | undefined, offset: number | null): Placed | undefined {
  return placed === undefined || offset === null ? undefined : placed.turns.get(nearest(placed.offsets, offset))
}

interface Placed {
  readonly branch: number
  readonly turn: Turn
}

interface PlacedByOffset {
  readonly turns: ReadonlyMap<number, Placed>
  readonly offsets: readonly number[]
}

function pathsOf({ source }: Woven): readonly string[] {
  return [source.main.path, ...source.earlier.map((one) => one.path)]
}

/** By transcript: all records that stand in a Turn of the conversation. */
function placedRecords(woven: Woven): ReadonlyMap<string, PlacedByOffset> {
  const byPath = pathsOf(woven).map((path) => ({ path, turns: new Map<number, Placed>() }))
  for (const [branch] of woven.outline.branches.entries()) {
    for (const turn of readFull(woven, branch).turns) {
      for (const { transcript, envelope } of turn.records) {
        const turns = byPath[transcript]?.turns
        if (turns !== undefined && !turns.has(envelope.offset)) turns.set(envelope.offset, { branch, turn })
      }
    }
  }
  return new Map(
    byPath.map(({ path, turns }) => [path, { turns, offsets: [...turns.keys()].sort((one, other) => one - other) }]),
  )
}

/** The last of some sorted numbers that is not after another; the first when all are. */
function nearest(sorted: readonly number[], wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sorted[middle] as number) <= wanted) low = middle
    else high = middle - 1
  }
  return sorted[low] ?? -1
}
