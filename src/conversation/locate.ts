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

/**
 * A record by its uuid, the beginning of it, or `@` and its offset in the session's own file. Null when there is none, or
 * several: `recordsNamed` says how many.
 */
export function locateRecord(woven: Woven, name: string): Located | null {
  if (recordsNamed(woven, name) !== 1) return null
  const offset = offsetIn(name) === null ? null : placedBefore(woven, offsetIn(name) as number)
  const isNamed = namedBy(woven, name)
  const branch = branchOf(woven, isNamed, offset)
  const isMeant = (uuid: string | null, place: number): boolean => (offset === null ? isNamed(uuid) : place === offset)
  for (const turn of readFull(woven, branch).turns) {
    for (const { envelope } of turn.records) {
      if (isMeant(envelope.uuid, envelope.offset)) return { branch, turn, uuid: envelope.uuid, offset: envelope.offset }
    }
  }
  return null
}

/** The Subagent that a record of the session's own file belongs to; null where it stands in the conversation itself. */
export function inlineAgentOf(woven: Woven, name: string): string | null {
  if (woven.inline.length === 0 || recordsNamed(woven, name) !== 1) return null
  const isNamed = namedBy(woven, name)
  return woven.inline.find(({ envelopes }) => envelopes.some(({ uuid }) => isNamed(uuid)))?.agentId ?? null
}

/** How many records a name fits. A whole uuid is meant as it is, though another may begin with it. */
export function recordsNamed(woven: Woven, name: string): number {
  const offset = offsetIn(name)
  if (offset !== null) return beginsAt(woven, offset) ? 1 : 0
  if (woven.joined.byUuid.has(name)) return 1
  return woven.joined.nodes.filter(({ uuid }) => uuid.startsWith(name)).length
}

function namedBy({ joined }: Woven, name: string): (uuid: string | null) => boolean {
  const isWhole = joined.byUuid.has(name)
  return (uuid) => (isWhole ? uuid === name : uuid?.startsWith(name) === true)
}

function offsetIn(name: string): number | null {
  return /^@\d+$/.test(name) ? Number(name.slice(1)) : null
}

/** A record, damaged bytes, or a last line that is still being written: search finds words in all of them. */
function beginsAt({ source }: Woven, offset: number): boolean {
  const { envelopes, problems } = source.main
  if (envelopes.some((envelope) => envelope.offset === offset)) return true
  if (problems.some(({ position }) => position !== null && position.line > 0 && position.offset === offset)) return true
  const last = envelopes.at(-1)
  return last !== undefined && offset === last.offset + last.length
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
function branchOf({ joined, outline }: Woven, isNamed: (uuid: string) => boolean, offset: number | null): number {
  const nodes = new Set<number>()
  for (const [index, { uuid, first, transcript }] of joined.nodes.entries()) {
    const isMeant = offset === null ? isNamed(uuid) : transcript === 0 && first.offset === offset
    if (isMeant) nodes.add(index)
  }
  const holds = (branch: (typeof outline.branches)[number]): boolean =>
    branch.path.some((node) => nodes.has(node)) ||
    [...branch.beside.values()].some((beside) => beside.some((node) => nodes.has(node)))
  return Math.max(0, outline.branches.findIndex(holds))
}
