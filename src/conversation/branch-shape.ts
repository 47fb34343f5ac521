// A Branch as a tree tells it: its Turns counted and the ids of their Prompts, without what was done in them.

import type { OutlineBranch } from '../graph/outline.ts'
import type { TurnContext } from './branches.ts'
import { branchOf } from './branches.ts'
import type { Branch, Segment } from './model.ts'

export interface BranchShape extends Omit<Branch, 'turns' | 'segments'> {
  readonly turns: number
  /** The ids of the Prompts that have one, in the order of their Turns. */
  readonly prompts: readonly string[]
  /** When its first Turn began. */
  readonly startedMs: number | null
  readonly segments: readonly SegmentShape[]
}

export interface SegmentShape extends Segment {
  /** How many Turns begin in it. */
  readonly turns: number
}

/** What a Turn is to the shape of its Branch. */
export interface TurnShape {
  readonly segment: number
  readonly promptUuid: string | null
  readonly startedMs: number | null
}

export function branchShape(branch: OutlineBranch, number: number, context: TurnContext): BranchShape {
  const { turns, segments, ...facts } = branchOf(branch, number, context, ({ segment, prompt, startedMs }) => ({
    segment,
    promptUuid: prompt?.envelope.uuid ?? null,
    startedMs,
  }))
  return shapeOf(facts, turns, segments)
}

export function shapeOf(
  { number, isLive, parent, forkUuid, tipUuid }: Omit<Branch, 'turns' | 'segments'>,
  turns: readonly TurnShape[],
  segments: readonly Segment[],
): BranchShape {
  const counts = new Int32Array(segments.length)
  for (const { segment } of turns) if (segment < counts.length) counts[segment] = (counts[segment] as number) + 1
  return {
    number,
    isLive,
    parent,
    forkUuid,
    tipUuid,
    turns: turns.length,
    prompts: turns.flatMap(({ promptUuid }) => promptUuid ?? []),
    startedMs: turns[0]?.startedMs ?? null,
    segments: segments.map((segment) => ({ ...segment, turns: counts[segment.number] as number })),
  }
}
