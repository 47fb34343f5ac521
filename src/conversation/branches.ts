// Outline → Branches with their Turns and Segments. Inside a Turn records stand in file order, except that none stands
// before the one it answers: up to 2.1.100 clients sometimes wrote a child before its parent.

import type { Outline, OutlineBranch } from '../graph/outline.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import type { Envelope } from '../record/model.ts'
import { NO_TOKENS, tokensOf } from '../record/tokens-around.ts'
import type { Branch, PlacedRecord, Segment, Turn } from './model.ts'
import { repliesOf } from './replies.ts'
import type { Results } from './tool-calls.ts'
import { toolCallsOf } from './tool-calls.ts'

/** Which records stand in which Turn. */
export interface TurnContext {
  readonly thread: Thread
  readonly parents: Int32Array
  /** Records without a uuid that belong into a Turn of the live Branch, by the node they follow. */
  readonly looseAfter: ReadonlyMap<number, readonly PlacedRecord[]>
}

export interface BranchContext extends TurnContext {
  readonly results: Results
  readonly agentOfCall: ReadonlyMap<string, string>
}

export type TurnHead = Omit<Turn, 'replies' | 'toolCalls'>

/** A Branch with as much of its Turns as somebody wants. */
export type BranchOf<Made> = Omit<Branch, 'turns'> & { readonly turns: readonly Made[] }

export function branchesOf(outline: Outline, context: BranchContext): readonly Branch[] {
  return outline.branches.map((branch, number) => branchOf(branch, number, context, (head) => turnOf(head, context)))
}

/** `make` says what is kept of each Turn. */
export function branchOf<Made>(
  branch: OutlineBranch,
  number: number,
  context: TurnContext,
  make: (head: TurnHead) => Made,
): BranchOf<Made> {
  const { thread } = context
  const groups = groupByPrompt(branch, thread)
  let onPath: ReadonlySet<number> | null = null
  const segments: Segment[] = [{ number: 0, boundaryUuid: null, trigger: null, ...NO_TOKENS }]
  const turns: Made[] = []
  for (const nodes of groups) {
    const segment = segments.length - 1
    const ordered = parentsFirst(nodes, context.parents)
    turns.push(make(headOf(ordered, turns.length + 1, segment, context)))
    for (const index of ordered) {
      const { first } = nodeAt(thread, index)
      if (first.kind !== 'boundary') continue
      onPath ??= new Set(branch.path)
      addSegment(segments, first, onPath.has(index))
    }
  }
  const tip = branch.path.at(-1)
  return {
    number,
    isLive: number === 0,
    parent: branch.parent,
    forkUuid: branch.fork === null ? null : nodeAt(thread, branch.fork).uuid,
    tipUuid: tip === undefined ? null : nodeAt(thread, tip).uuid,
    turns,
    segments,
  }
}

/** Turns of nodes that are in order already: the context Reading is a list, not a path through a tree. */
export function turnsInOrder(nodes: readonly number[], context: BranchContext): readonly Turn[] {
  const flat: OutlineBranch = { parent: null, fork: null, path: nodes, beside: new Map() }
  return groupByPrompt(flat, context.thread).map((group, index) =>
    turnOf(headOf(group, index + 1, 0, context), context),
  )
}

/**
 * Node numbers from one Prompt on the path to the next, with what hangs beside them. A result that comes behind a Prompt
 * sent while its call ran stands where the call does.
 */
export function groupByPrompt(branch: OutlineBranch, thread: Thread): readonly (readonly number[])[] {
  const groups: number[][] = []
  const waiting = new Map<string, number[]>()
  let current: number[] = []
  let isOpen = false
  for (const index of branch.path) {
    const { first } = nodeAt(thread, index)
    if (first.kind === 'prompt') {
      // Hook output and listings before the first prompt are its preparations; a reply before it is a Turn of its own.
      if (isOpen || current.some((before) => nodeAt(thread, before).first.kind === 'reply')) {
        groups.push(current)
        current = []
      }
      isOpen = true
    }
    groupOf(first, current, waiting).push(index)
    const beside = branch.beside.get(index)
    if (beside === undefined) continue
    for (const one of beside) groupOf(nodeAt(thread, one).first, current, waiting).push(one)
  }
  if (current.length > 0) groups.push(current)
  return groups
}

/** `waiting`: the calls without a result so far, and in which group they are. */
function groupOf({ toolUses, toolResults }: Envelope, current: number[], waiting: Map<string, number[]>): number[] {
  for (const { id } of toolUses) if (id !== '') waiting.set(id, current)
  let group: number[] | null = null
  for (const { id } of toolResults) {
    group ??= waiting.get(id) ?? null
    waiting.delete(id)
  }
  return group ?? current
}

function parentsFirst(nodes: readonly number[], parents: Int32Array): readonly number[] {
  if (areInOrder(nodes, parents)) return nodes
  const sorted = [...nodes].sort((one, other) => one - other)
  const waiting = new Set(sorted)
  const ordered: number[] = []
  for (const start of sorted) {
    const path: number[] = []
    for (let at = start; at >= 0 && waiting.has(at); at = parents[at] as number) {
      waiting.delete(at)
      path.push(at)
    }
    for (let place = path.length - 1; place >= 0; place--) ordered.push(path[place] as number)
  }
  return ordered
}

/** In file order, and each behind its parent: nearly always. */
function areInOrder(nodes: readonly number[], parents: Int32Array): boolean {
  let before = -1
  for (const node of nodes) {
    if (node <= before || (parents[node] as number) >= node) return false
    before = node
  }
  return true
}

function headOf(nodes: readonly number[], number: number, segment: number, context: TurnContext): TurnHead {
  const records: PlacedRecord[] = []
  for (const index of nodes) {
    const { transcript, first } = nodeAt(context.thread, index)
    records.push({ transcript, envelope: first })
    const loose = context.looseAfter.get(index)
    if (loose !== undefined) for (const one of loose) records.push(one)
  }
  const prompt = records.find((record) => record.envelope.kind === 'prompt') ?? null
  let startedMs: number | null = null
  let endedMs: number | null = null
  for (const { envelope } of records) {
    const { timestampMs } = envelope
    if (timestampMs === null) continue
    if (startedMs === null || timestampMs < startedMs) startedMs = timestampMs
    if (endedMs === null || timestampMs > endedMs) endedMs = timestampMs
  }
  return { number, segment, prompt, records, startedMs: prompt?.envelope.timestampMs ?? startedMs, endedMs }
}

function turnOf(
  { number, segment, prompt, records, startedMs, endedMs }: TurnHead,
  { results, agentOfCall }: BranchContext,
): Turn {
  const replies = repliesOf(records)
  const toolCalls = toolCallsOf(records, results, agentOfCall)
  return { number, segment, prompt, records, replies, toolCalls, startedMs, endedMs }
}

function addSegment(segments: Segment[], envelope: Envelope, isOnPath: boolean): void {
  const { boundary, uuid } = envelope
  // Beside the path only a compaction that kept messages still shaped what came after it.
  if (!isOnPath && boundary?.preserved == null) return
  segments.push({
    number: segments.length,
    boundaryUuid: uuid,
    trigger: boundary?.trigger ?? null,
    ...tokensOf(boundary),
  })
}

function nodeAt(thread: Thread, index: number): ThreadNode {
  return thread.nodes[index] as ThreadNode
}
