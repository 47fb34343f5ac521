// A Reading of one Branch: its Turns and its chain of message ids. *full* is what was said, Recaps hidden; *context* is
// what the model saw.

import { messageUuids, readContext } from '../graph/context.ts'
import { readListedAgent } from '../graph/listed-agent.ts'
import type { OutlineBranch } from '../graph/outline.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { isMessage, isQueued, messageUuid } from '../record/roles.ts'
import type { BranchShape } from './branch-shape.ts'
import { branchShape } from './branch-shape.ts'
import type { BranchContext, TurnContext } from './branches.ts'
import { branchesOf, turnsInOrder } from './branches.ts'
import type { Woven } from './build.ts'
import type { Branch, PlacedRecord, Turn } from './model.ts'
import { resultsById } from './tool-calls.ts'

export type ReadingRule = 'full' | 'context'

export interface Reading {
  readonly rule: ReadingRule
  readonly branch: number
  readonly tipUuid: string | null
  readonly turns: readonly Turn[]
  /** The user and assistant records in order, a queued prompt under its source id; isMeta only in a subagent's. */
  readonly chain: readonly string[]
}

export function readFull(woven: Woven, branch = 0): Reading {
  const read = readTurns(woven, branch)
  return { ...read, chain: fullChain(read.turns, woven.source.isSubagent) }
}

/** The same without the chain, which a Layout does not need. */
export function readTurns(woven: Woven, branch = 0): Omit<Reading, 'chain'> {
  const path = wholePath(woven, branch)
  const whole = branchesOf({ branches: [path], sidechain: [] }, contextOf(woven, woven.joined, branch === 0))[0]
  return { rule: 'full', branch, tipUuid: whole?.tipUuid ?? null, turns: whole?.turns ?? [] }
}

/** The context Reading follows the live tip; other Branches have none of their own. */
export function readContextTurns(woven: Woven): Reading {
  const { own, tipRule, source } = woven
  const isListed = source.isSubagent === true && tipRule === 'file'
  const { tip, nodes } = isListed ? readListedAgent(own) : readContext(own, tipRule)
  const tipUuid = tip === null ? null : (own.nodes[tip] as ThreadNode).uuid
  const turns = turnsInOrder(nodes, contextOf(woven, own, false))
  const chain = messageUuids(own, nodes, tipRule, source.isSubagent)
  return { rule: 'context', branch: 0, tipUuid, turns, chain }
}

/** All Branches, each with only what is its own. */
export function branchesOfConversation(woven: Woven): readonly Branch[] {
  return branchesOf(woven.outline, contextOf(woven, woven.joined, true))
}

/** The same, with their Turns only counted. */
export function branchShapes(woven: Woven): readonly BranchShape[] {
  const context = turnContext(woven, woven.joined, true)
  return woven.outline.branches.map((branch, number) => branchShape(branch, number, context))
}

function contextOf(woven: Woven, thread: Thread, isLive: boolean): BranchContext {
  return {
    ...turnContext(woven, thread, isLive),
    results: resultsById(resultRecords(thread)),
    agentOfCall: woven.agents.agentOfCall,
  }
}

function turnContext(woven: Woven, thread: Thread, isLive: boolean): TurnContext {
  const parents = thread === woven.joined ? woven.links.parents : new Int32Array(thread.nodes.length).fill(-1)
  return { thread, parents, looseAfter: isLive ? looseAfter(woven) : new Map() }
}

function* resultRecords(thread: Thread): Generator<PlacedRecord> {
  for (const { transcript, first } of thread.nodes) {
    if (first.toolResults.length > 0) yield { transcript, envelope: first }
  }
}

/** From the root to the tip of a Branch, through the Branches it leaves. */
function wholePath(woven: Woven, branch: number): OutlineBranch {
  const { branches } = woven.outline
  const root = branches[branch]
  if (root?.parent === null) return { ...root, fork: null }
  const beside = new Map<number, readonly number[]>()
  const stretches: (readonly number[])[] = []
  let end: number | null = null
  for (let at: number | null = branch; at !== null; ) {
    const one: OutlineBranch | undefined = branches[at]
    if (one === undefined) break
    const cut: number = end === null ? one.path.length : one.path.indexOf(end) + 1
    const stretch = one.path.slice(0, cut)
    stretches.push(stretch)
    for (const node of stretch) {
      const hanging = one.beside.get(node)
      if (hanging !== undefined) beside.set(node, hanging)
    }
    end = one.fork
    at = one.parent
  }
  return { parent: null, fork: null, path: stretches.reverse().flat(), beside }
}

/** Prompts that only the queue's records hold stand behind the last record that was written before them. */
export function looseAfter(woven: Woven): ReadonlyMap<number, readonly PlacedRecord[]> {
  const { outline, joined, undelivered } = woven
  const after = new Map<number, PlacedRecord[]>()
  if (undelivered.length === 0) return after
  const path = outline.branches[0]?.path ?? []
  const nodeOf = (step: number): ThreadNode => joined.nodes[path[step] as number] as ThreadNode
  const steps = [...path.keys()].filter((step) => nodeOf(step).transcript === 0)
  steps.sort((one, other) => nodeOf(one).first.offset - nodeOf(other).first.offset)
  let next = 0
  let last = 0
  for (const { transcript, envelope } of undelivered) {
    for (; next < steps.length && nodeOf(steps[next] as number).first.offset < envelope.offset; next++) {
      last = Math.max(last, steps[next] as number)
    }
    const place = path[last]
    if (place === undefined) continue
    const prompt: PlacedRecord = { transcript, envelope: { ...envelope, kind: 'prompt', author: 'human' } }
    const known = after.get(place)
    if (known === undefined) after.set(place, [prompt])
    else known.push(prompt)
  }
  return after
}

function fullChain(turns: readonly Turn[], isSubagent = false): readonly string[] {
  const written = new Set<number>()
  for (const { records } of turns) {
    for (const { envelope } of records) {
      if (envelope.type === 'user' && envelope.links?.textKey !== undefined) written.add(envelope.links.textKey)
    }
  }
  const chain: string[] = []
  const seen = new Set<string>()
  for (const { records } of turns) {
    for (const { envelope } of records) {
      if (envelope.uuid === null || envelope.kind === 'recap' || (envelope.isMeta && !isSubagent)) continue
      const isDelivered = isQueued(envelope) && written.has(envelope.links?.textKey ?? -1)
      if (isDelivered || !(isMessage(envelope) || isQueued(envelope))) continue
      const uuid = messageUuid(envelope)
      if (seen.has(uuid)) continue
      seen.add(uuid)
      chain.push(uuid)
    }
  }
  return chain
}
