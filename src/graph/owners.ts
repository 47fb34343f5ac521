// Which transcripts hold which records. What copies of a record have in common is its uuid, or, where a client gave copies
// new ones, the id of the model's reply.

import type { Envelope } from '../record/model.ts'

export interface RelatedFile {
  /** The session the file is named after. */
  readonly sessionId: string
  readonly envelopes: readonly Envelope[]
}

/** Which files hold a uuid, in their order; a bare number for the usual case of one. */
export type Owners = ReadonlyMap<string, number | readonly number[]>

/** Counted from the file, and so the same in any two of that dialect. */
export function isMadeUp(uuid: string): boolean {
  return uuid.startsWith('event-log:')
}

export function ownersOf(files: readonly RelatedFile[]): Owners {
  const owners = new Map<string, number | number[]>()
  for (const [index, { envelopes }] of files.entries()) {
    for (const envelope of envelopes) {
      if (envelope.uuid !== null) addOwner(owners, envelope.uuid, index)
      const replyId = oldReplyId(envelope)
      if (replyId !== null) addOwner(owners, replyId, index)
    }
  }
  return owners
}

function addOwner(owners: Map<string, number | number[]>, id: string, index: number): void {
  const known = owners.get(id)
  if (known === undefined) owners.set(id, index)
  else if (typeof known === 'number') {
    if (known !== index) owners.set(id, [known, index])
  } else if (known.at(-1) !== index) known.push(index)
}

/** The files that hold a record; null when only its own does. */
export function sharersOf(owners: Owners, envelope: Envelope): readonly number[] | null {
  const { uuid } = envelope
  if (uuid === null || isMadeUp(uuid)) return null
  const known = owners.get(uuid)
  if (known !== undefined && typeof known !== 'number') return known
  const byReply = owners.get(oldReplyId(envelope) ?? '')
  return byReply === undefined || typeof byReply === 'number' ? null : byReply
}

/** The clients that gave copies new uuids left the ids of the model's replies as they were. */
export function oldReplyId({ kind, messageId, version }: Envelope): string | null {
  return kind === 'reply' && messageId !== null && isBeforeForks(version) ? messageId : null
}

/** `--fork-session` came with client 1.0.119. Before it, to resume was to get a new file with all that was said so far. */
export function isBeforeForks(version: string | null): boolean {
  if (version === null || !version.startsWith('1.0.')) return false
  return Number.parseInt(version.slice('1.0.'.length), 10) < 119
}

/** Those that hold a record which another one holds too. */
export function sharingFiles(owners: Owners): ReadonlySet<number> {
  const sharing = new Set<number>()
  for (const known of owners.values()) if (typeof known !== 'number') for (const index of known) sharing.add(index)
  return sharing
}

const COMPARED_MAX = 16

/** Of a record that is in very many files, the first few and those next to this one: all of them would take forever. */
export function nearby(owners: readonly number[], index: number): readonly number[] {
  const others =
    owners.length <= COMPARED_MAX
      ? owners
      : [...owners.slice(0, 8), ...owners.slice(Math.max(8, owners.indexOf(index) - 4)).slice(0, 8)]
  return others.filter((other) => other !== index)
}

/** The first file that holds a record which this one does not. */
export function otherOwner(owners: Owners, uuid: string | null | undefined, index: number): number | null {
  const known = uuid === null || uuid === undefined ? undefined : owners.get(uuid)
  if (known === undefined || known === index || (uuid != null && isMadeUp(uuid))) return null
  if (typeof known === 'number') return known
  return known.includes(index) ? null : (known[0] ?? null)
}
