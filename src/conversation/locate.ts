// Where a record stands in a Conversation: on which Branch, in which Turn of that Branch's whole Reading.

import type { Woven } from './build.ts'
import type { Turn } from './model.ts'
import { readFull } from './reading.ts'

export interface Located {
  readonly branch: number
  readonly turn: Turn
  readonly uuid: string | null
  readonly offset: number
}

/** A record by its uuid, the beginning of it, or `@` and its offset in the session's own file; null when there is none. */
export function locateRecord(woven: Woven, name: string): Located | null {
  const offset = /^@\d+$/.test(name) ? placedBefore(woven, Number(name.slice(1))) : null
  const branch = branchOf(woven, name, offset)
  const isMeant = (uuid: string | null, place: number): boolean =>
    offset === null ? uuid?.startsWith(name) === true : place === offset
  for (const turn of readFull(woven, branch).turns) {
    for (const { envelope } of turn.records) {
      if (isMeant(envelope.uuid, envelope.offset)) return { branch, turn, uuid: envelope.uuid, offset: envelope.offset }
    }
  }
  return null
}

/** Titles and damaged bytes stand in no Turn: they are shown with the last record before them that does. */
function placedBefore({ own }: Woven, offset: number): number {
  let nearest = -1
  let first = offset
  for (const { first: envelope } of own.nodes) {
    if (envelope.isSidechain) continue
    if (first === offset || envelope.offset < first) first = envelope.offset
    if (envelope.offset <= offset && envelope.offset > nearest) nearest = envelope.offset
  }
  return nearest < 0 ? first : nearest
}

/** The Branch that has the record for its own. */
function branchOf({ joined, outline }: Woven, name: string, offset: number | null): number {
  const nodes = new Set<number>()
  for (const [index, { uuid, first, transcript }] of joined.nodes.entries()) {
    const isMeant = offset === null ? uuid.startsWith(name) : transcript === 0 && first.offset === offset
    if (isMeant) nodes.add(index)
  }
  const holds = (branch: (typeof outline.branches)[number]): boolean =>
    branch.path.some((node) => nodes.has(node)) ||
    [...branch.beside.values()].some((beside) => beside.some((node) => nodes.has(node)))
  return Math.max(0, outline.branches.findIndex(holds))
}
