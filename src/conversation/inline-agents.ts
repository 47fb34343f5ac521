// Subagents of 1.0.x: their records stand in the main transcript, marked as sidechains, without any agent id. Each
// connected part of them is one run.

import type { FullLinks } from '../graph/full-links.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import type { Envelope } from '../record/model.ts'
import type { AgentTranscript } from './subagents.ts'

export function inlineAgents(
  thread: Thread,
  links: FullLinks,
  sidechain: readonly number[],
  path: string,
): readonly AgentTranscript[] {
  const groups = new Map<number, Envelope[]>()
  const roots = new Map<number, number>()
  for (const index of sidechain) {
    const node = thread.nodes[index] as ThreadNode
    if (node.transcript !== 0) continue
    const root = sidechainRoot(thread, links, roots, index)
    const group = groups.get(root)
    // As records of a subagent of their own they are its main thread.
    const envelope = { ...node.first, isSidechain: false }
    if (group === undefined) groups.set(root, [envelope])
    else group.push(envelope)
  }
  return [...groups].map(([root, envelopes]) => ({
    agentId: `inline-${(thread.nodes[root] as ThreadNode).uuid.slice(0, 8)}`,
    path,
    isInline: true,
    workflowId: null,
    sizeBytes: envelopes.reduce((sum, envelope) => sum + envelope.length, 0),
    meta: null,
    envelopes,
  }))
}

/** `parts` names the root before anything was bridged; a sidechain that hangs below a main record starts its own run. */
function sidechainRoot(thread: Thread, links: FullLinks, roots: Map<number, number>, index: number): number {
  const path: number[] = []
  let at = index
  while (!roots.has(at)) {
    path.push(at)
    const parent = links.parents[at] as number
    const isTop =
      parent < 0 || links.parts[parent] !== links.parts[at] || !(thread.nodes[parent] as ThreadNode).first.isSidechain
    if (isTop) break
    at = parent
  }
  const root = roots.get(at) ?? at
  for (const member of path) roots.set(member, root)
  return root
}
