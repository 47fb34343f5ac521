// What a fork copies: everything that leads to one record, also from before compactions, and nothing of other branches.
// Records keep their uuids and say where they came from, as those of the client's own branches do.

import { fullLinks } from '../graph/full-links.ts'
import type { ThreadNode } from '../graph/thread.ts'
import type { Body, Envelope } from '../record/model.ts'
import { StoreError } from './store-error.ts'
import type { StoredTranscript } from './stored-transcript.ts'
import { lastCopy, tipOf } from './stored-transcript.ts'

export interface ForkFacts {
  readonly from: string
  readonly to: string
  /** Null for the tip. */
  readonly at: string | null
}

export function forkRecords(stored: StoredTranscript, { from, to, at }: ForkFacts): readonly Body[] {
  const tip = at ?? tipOf(stored)
  if (tip === null) throw new StoreError('unknown-record', `${from}: there is nothing in it to fork`)
  const { byUuid } = stored.thread
  if (!byUuid.has(tip)) throw new StoreError('unknown-record', `${from}: there is no record ${tip} in it`)
  const kept = pathTo(stored, tip)
  addSiblings(stored, kept, tip)
  const records: Body[] = []
  for (const node of stored.thread.nodes) {
    const body = kept.has(node.uuid) ? stored.bodyOf(lastCopy(node)) : null
    if (body !== null) records.push({ ...body, sessionId: to, forkedFrom: { sessionId: from, messageUuid: node.uuid } })
  }
  return records
}

/**
 * Up through parents, through what a compaction says came before it, and to the messages it preserved; where what is
 * named is nowhere, to the record that is shown before it. The original may be deleted before its fork.
 */
function pathTo({ thread }: StoredTranscript, tip: string): Set<string> {
  const { parents, bridges } = fullLinks(thread)
  const bridged = new Map(bridges.map(({ node }) => [node, thread.nodes[parents[node] ?? -1]?.uuid]))
  const kept = new Set<string>()
  const waiting = [tip]
  while (waiting.length > 0) {
    const uuid = waiting.pop() as string
    const index = thread.byUuid.get(uuid)
    if (index === undefined || kept.has(uuid)) continue
    kept.add(uuid)
    const { parentUuid, links, boundary } = lastCopy(thread.nodes[index] as ThreadNode)
    const named = [parentUuid, links?.logicalParentUuid, ...(boundary?.preserved?.uuids ?? [])]
    for (const next of [...named, bridged.get(index)]) if (typeof next === 'string') waiting.push(next)
  }
  return kept
}

/**
 * Of tools that ran side by side, the chain goes through one call and its result; the others belong to it as well. Not
 * what was written later: who forks at a call has not seen its result.
 */
function addSiblings({ thread }: StoredTranscript, kept: Set<string>, tip: string): void {
  const order = thread.byUuid.get(tip) as number
  const before = thread.nodes.slice(0, order + 1).filter((node) => !lastCopy(node).isSidechain)
  const addAll = (belongs: (envelope: Envelope) => boolean): void => {
    for (const node of before) if (belongs(lastCopy(node))) kept.add(node.uuid)
  }
  const keptOnes = (): readonly Envelope[] => before.filter(({ uuid }) => kept.has(uuid)).map(lastCopy)
  const messages = new Set(keptOnes().flatMap(({ messageId }) => messageId ?? []))
  addAll(({ messageId }) => messageId !== null && messages.has(messageId))
  const calls = new Set(keptOnes().flatMap(({ toolUses }) => toolUses.map(({ id }) => id)))
  addAll(({ toolResults }) => toolResults.some(({ id }) => calls.has(id)))
}
