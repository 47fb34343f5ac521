// Envelopes → nodes: one per uuid, later copies folded onto the first. A Thread is the working structure of this stage
// (it has a Map and is not part of the model); everything that walks a transcript walks over its numbers.

import type { Envelope } from '../record/model.ts'

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
  /** Records without a uuid, in file order. */
  readonly loose: readonly LooseRecord[]
  readonly recordCount: number
}

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
  return { nodes, byUuid, loose, recordCount: order }
}

function addCopy(node: ThreadNode, envelope: Envelope, order: number): void {
  if (node.copies === NO_COPIES) node.copies = []
  node.copies.push(envelope)
  node.last = envelope
  node.lastOrder = order
}

/** Position decides, not the order in which the Envelopes came. */
function inFileOrder(envelopes: readonly Envelope[]): readonly Envelope[] {
  for (let index = 1; index < envelopes.length; index++) {
    if ((envelopes[index - 1] as Envelope).offset > (envelopes[index] as Envelope).offset) {
      return [...envelopes].sort((one, other) => one.offset - other.offset)
    }
  }
  return envelopes
}
