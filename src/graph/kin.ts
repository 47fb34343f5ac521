// Which Transcripts of a Project may tell something of each other: those that hold or name the same record or session.
// Others can be related and woven without them, so that a large Project need never be in memory as a whole.

import { textKey } from '../base/text.ts'
import type { RelatedFile } from './owners.ts'
import { isMadeUp, oldReplyId } from './owners.ts'

/**
 * The places of files that belong together, in their order. Files are taken one at a time and not kept. Where two names are
 * of one key (of a million, hardly ever), files are taken for kin that are not: that costs memory and nothing else.
 */
export function kinOf(files: Iterable<RelatedFile>): readonly (readonly number[])[] {
  /** The first of its kin that is known, for each file. */
  const heads: number[] = []
  const firstWith = new Map<number, number>()
  let place = 0
  for (const file of files) {
    heads.push(place)
    eachName(file, (name) => {
      const key = textKey(name)
      const known = firstWith.get(key)
      if (known === undefined) firstWith.set(key, place)
      else join(heads, known, place)
    })
    place++
  }
  return gather(heads)
}

/** Everything by which relations and conversations are looked up in other files (relate.ts, conversation/ancestors.ts). */
function eachName({ sessionId, envelopes }: RelatedFile, visit: (name: string) => void): void {
  const visitId = (id: string | null | undefined): void => {
    if (id !== null && id !== undefined && !isMadeUp(id)) visit(id)
  }
  visit(sessionName(sessionId))
  let before: string | null = null
  for (const envelope of envelopes) {
    const { uuid, parentUuid, links } = envelope
    // Nearly always the record before it, whose name was told just now.
    if (parentUuid !== before) visitId(parentUuid)
    visitId(uuid)
    before = uuid
    visitId(links?.logicalParentUuid)
    if (links?.parentSessionId !== undefined) visit(sessionName(links.parentSessionId))
    visitId(oldReplyId(envelope))
  }
}

function sessionName(sessionId: string): string {
  return `session ${sessionId}`
}

function join(heads: number[], one: number, other: number): void {
  const [first, second] = [headOf(heads, one), headOf(heads, other)]
  heads[Math.max(first, second)] = Math.min(first, second)
}

/** The way there is made shorter for those who come next. */
function headOf(heads: number[], place: number): number {
  let at = place
  while (heads[at] !== at) {
    const above = heads[heads[at] as number] as number
    heads[at] = above
    at = above
  }
  return at
}

function gather(heads: number[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>()
  for (let place = 0; place < heads.length; place++) {
    const head = headOf(heads, place)
    const group = groups.get(head)
    if (group === undefined) groups.set(head, [place])
    else group.push(place)
  }
  return [...groups.values()]
}
