// Envelopes → nodes: one per uuid, later copies folded onto the first. A Thread is the working structure of this stage
// (it has a Map and is not part of the model); everything that walks a transcript walks over its numbers.

import type { Envelope } from '../record/model.ts'
import { isChainType, isQueued } from '../record/roles.ts'

/** The records of one file that take part in a Thread; `transcript` says which file, for whoever needs the Body. */
export interface ThreadPart {
  readonly transcript: number
  readonly envelopes: readonly Envelope[]
}

export interface ThreadNode {
  readonly uuid: string
  readonly transcript: number
  readonly first: Envelope
  /** The official readers believe the last copy, people remember the first. Mostly the same object. */
  last: Envelope
  /** Where the last copy stands among all records of the Thread. */
  lastOrder: number
  copies: Envelope[]
}

export interface Thread {
  /** In file order of the first copies. */
  readonly nodes: readonly ThreadNode[]
  readonly byUuid: ReadonlyMap<string, number>
  /** What the first and the last copies say, in numbers; one and the same where nothing was written twice. */
  readonly first: NodeFacts
  readonly last: NodeFacts
  /** Records without a uuid, in file order. */
  readonly loose: readonly LooseRecord[]
  readonly recordCount: number
}

/** Looked up once, because every walk asks again: a million nodes are walked over some twenty times. */
export interface NodeFacts {
  /** The node that `parentUuid` names, NO_PARENT or MISSING. */
  readonly parents: Int32Array
  /** The bits below. */
  readonly flags: Uint8Array
}

export const NO_PARENT = -1
export const MISSING = -2

export const MESSAGE = 1
export const SIDECHAIN = 2
export const PROGRESS = 4
export const QUEUED = 8
/** A type the official SDK walks over. */
export const CHAIN_TYPE = 16
/** A prompt in a user record; queued ones are not meant. */
export const PROMPT = 32
/** Of a session that leads a team: the official SDK leaves it out like a sidechain, the client does not. */
export const TEAM = 64

export interface LooseRecord {
  readonly transcript: number
  readonly envelope: Envelope
  /** Where it stands among all records of the Thread. */
  readonly order: number
}

const NO_COPIES: Envelope[] = []

export function buildThread(parts: readonly ThreadPart[]): Thread {
  const nodes: ThreadNode[] = []
  const byUuid = new Map<string, number>()
  const loose: LooseRecord[] = []
  let order = 0
  for (const { transcript, envelopes } of parts) {
    for (const envelope of inFileOrder(envelopes)) {
      const { uuid } = envelope
      const known = uuid === null ? undefined : byUuid.get(uuid)
      if (uuid === null) {
        loose.push({ transcript, envelope, order })
      } else if (known === undefined) {
        byUuid.set(uuid, nodes.length)
        nodes.push({ uuid, transcript, first: envelope, last: envelope, lastOrder: order, copies: NO_COPIES })
      } else {
        addCopy(nodes[known] as ThreadNode, envelope, order)
      }
      order++
    }
  }
  const last = factsOf(nodes, byUuid, (node) => node.last)
  const hasCopies = order - loose.length > nodes.length
  const first = hasCopies ? factsOf(nodes, byUuid, (node) => node.first) : last
  return { nodes, byUuid, first, last, loose, recordCount: order }
}

function factsOf(
  nodes: readonly ThreadNode[],
  byUuid: ReadonlyMap<string, number>,
  copyOf: (node: ThreadNode) => Envelope,
): NodeFacts {
  const parents = new Int32Array(nodes.length)
  const flags = new Uint8Array(nodes.length)
  for (let index = 0; index < nodes.length; index++) {
    const envelope = copyOf(nodes[index] as ThreadNode)
    const { parentUuid } = envelope
    // Nearly always the node before it, which needs no looking up.
    if (parentUuid === null) parents[index] = NO_PARENT
    else if (parentUuid === nodes[index - 1]?.uuid) parents[index] = index - 1
    else parents[index] = byUuid.get(parentUuid) ?? MISSING
    flags[index] = flagsOf(envelope)
  }
  return { parents, flags }
}

function flagsOf(envelope: Envelope): number {
  const side = (envelope.isSidechain ? SIDECHAIN : 0) | (envelope.links?.isOfTeam === true ? TEAM : 0)
  switch (envelope.kind) {
    case 'reply':
    case 'tool-result':
    case 'recap':
      return side | MESSAGE | CHAIN_TYPE
    case 'progress':
      return side | PROGRESS | CHAIN_TYPE
    case 'prompt':
    case 'injection':
      if (isQueued(envelope)) return side | QUEUED | CHAIN_TYPE
      return side | MESSAGE | CHAIN_TYPE | (envelope.kind === 'prompt' ? PROMPT : 0)
    default:
      return side | (isChainType(envelope) ? CHAIN_TYPE : 0)
  }
}

function addCopy(node: ThreadNode, envelope: Envelope, order: number): void {
  if (node.copies === NO_COPIES) node.copies = []
  node.copies.push(envelope)
  node.last = envelope
  node.lastOrder = order
}

export function isMessageNode({ last }: Thread, index: number): boolean {
  return ((last.flags[index] as number) & MESSAGE) !== 0
}

/** How many steps may be taken over a Thread: whoever asks of very many Boundaries walks over the same records each time. */
export interface Walks {
  left: number
}

/** Compactions keep stretches of their own, so all of them together are walked over once or twice. */
export function walksOver({ nodes }: Thread): Walks {
  return { left: 8 * nodes.length }
}

/** Whether a node's parents, as they were written first, lead up to an earlier one. */
export function hangsBelow({ first: { parents } }: Thread, node: number, above: number, walks: Walks): boolean {
  let at = node
  while (at > above) {
    if (walks.left-- <= 0) return false
    const parent = parents[at] as number
    // Only upwards in the file, where no way leads in circles.
    if (parent >= at) return false
    at = parent
  }
  return at === above
}

/** Position decides, not the order in which the Envelopes came. */
export function inFileOrder(envelopes: readonly Envelope[]): readonly Envelope[] {
  for (let index = 1; index < envelopes.length; index++) {
    if ((envelopes[index - 1] as Envelope).offset > (envelopes[index] as Envelope).offset) {
      return [...envelopes].sort((one, other) => one.offset - other.offset)
    }
  }
  return envelopes
}
