// The Graph as plain readonly JSON, for whoever wants to see the links themselves: nodes, and typed Edges that may name
// a target that is not there.

import type { Envelope } from '../record/model.ts'
import type { RelatedFile } from './owners.ts'
import { relate } from './relate.ts'
import { buildThread } from './thread.ts'

export interface GraphNode {
  readonly uuid: string
  /** The session whose file holds the first copy. */
  readonly sessionId: string
  readonly line: number
  readonly type: string
  /** Where the later copies of the record stand. */
  readonly copies: readonly { readonly sessionId: string; readonly line: number }[]
}

export type EdgeKind = 'parent' | 'logical-parent' | 'result' | 'spawn' | 'continues'

export interface Edge {
  readonly kind: EdgeKind
  readonly from: string
  /** A uuid; for `result` and `spawn` the id of the call or of the agent, for `continues` a session id. */
  readonly to: string
  /** The target is named but not in any of the files. */
  readonly missing: boolean
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly Edge[]
}

/** Built from all records of the files; neither the order of the files nor of their records matters. */
export function graphOf(files: readonly RelatedFile[]): Graph {
  const sorted = [...files].sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
  const nodes = new Map<string, { node: GraphNode; copies: { sessionId: string; line: number }[] }>()
  const edges: Edge[] = []
  const callers = new Map<string, string>()
  for (const { sessionId, envelopes } of sorted) {
    for (const { uuid, first, copies } of buildThread([{ transcript: 0, envelopes }]).nodes) {
      for (const { id } of first.toolUses) callers.set(id, uuid)
      const known = nodes.get(uuid)
      const again = copies.map(({ line }) => ({ sessionId, line }))
      if (known === undefined) {
        nodes.set(uuid, { node: { uuid, sessionId, line: first.line, type: first.type, copies: again }, copies: again })
      } else known.copies.push({ sessionId, line: first.line }, ...again)
    }
  }
  const seen = new Set<string>()
  for (const { envelopes } of sorted) {
    for (const envelope of envelopes) {
      for (const edge of edgesOf(envelope, (uuid) => nodes.has(uuid), callers)) {
        const key = `${edge.kind}\0${edge.from}\0${edge.to}`
        if (!seen.has(key)) edges.push(edge)
        seen.add(key)
      }
    }
  }
  for (const [index, { continues, forkOf }] of relate(sorted).entries()) {
    const to = continues ?? forkOf
    const from = sorted[index]?.sessionId ?? ''
    if (to !== null) edges.push({ kind: 'continues', from, to, missing: !sorted.some((file) => file.sessionId === to) })
  }
  const order = (edge: Edge): string => `${edge.from}\0${edge.kind}\0${edge.to}`
  edges.sort((one, other) => (order(one) < order(other) ? -1 : 1))
  return { nodes: [...nodes.values()].map(({ node }) => node), edges }
}

function* edgesOf(
  envelope: Envelope,
  isKnown: (uuid: string) => boolean,
  callers: ReadonlyMap<string, string>,
): Generator<Edge> {
  const { uuid, parentUuid, links, toolResults } = envelope
  if (uuid === null) return
  if (parentUuid !== null) yield { kind: 'parent', from: uuid, to: parentUuid, missing: !isKnown(parentUuid) }
  const logical = links?.logicalParentUuid
  if (logical !== undefined) yield { kind: 'logical-parent', from: uuid, to: logical, missing: !isKnown(logical) }
  for (const { id } of toolResults)
    yield { kind: 'result', from: callers.get(id) ?? id, to: uuid, missing: !callers.has(id) }
  const agentId = links?.spawnedAgentId
  if (agentId !== undefined) yield { kind: 'spawn', from: uuid, to: agentId, missing: false }
}
