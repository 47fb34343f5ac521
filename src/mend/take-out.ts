// A record taken off everybody's way: whatever names it names the record above it instead.

import type { Boundary, Envelope } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { envelopeAt, setEnvelope, setField, setParent } from './draft.ts'

/** `above` has the parent of each record that is taken out, by uuid. */
export function passBy(draft: Draft, above: ReadonlyMap<string, string | null>): void {
  if (above.size === 0) return
  const replacementOf = (uuid: string): string | null => {
    let at: string | null = uuid
    const seen = new Set<string>()
    while (at !== null && above.has(at) && !seen.has(at)) {
      seen.add(at)
      at = above.get(at) ?? null
    }
    return at
  }
  for (let row = 0; row < draft.envelopes.length; row++) {
    const { uuid, parentUuid, links, boundary } = envelopeAt(draft, row)
    if (draft.dropped.has(row)) continue
    if (parentUuid !== null && above.has(parentUuid) && !(uuid !== null && above.has(uuid)))
      setParent(draft, row, replacementOf(parentUuid))
    if (links !== null) passLinks(draft, row, links, above, replacementOf)
    const kept = boundary?.preserved?.uuids
    if (kept?.some((one) => above.has(one))) keepOthers(draft, row, boundary as Boundary, above)
  }
}

function passLinks(
  draft: Draft,
  row: number,
  links: NonNullable<Envelope['links']>,
  above: ReadonlyMap<string, string | null>,
  replacementOf: (uuid: string) => string | null,
): void {
  for (const key of ['logicalParentUuid', 'leafUuid'] as const) {
    const named = links[key]
    const next = named !== undefined && above.has(named) ? replacementOf(named) : null
    if (next === null) continue
    setField(draft, row, [key], next)
    setEnvelope(draft, row, { links: { ...links, [key]: next } })
  }
}

function keepOthers(draft: Draft, row: number, boundary: Boundary, above: ReadonlyMap<string, string | null>): void {
  const { preserved } = boundary
  if (preserved === null) return
  const uuids = preserved.uuids?.filter((uuid) => !above.has(uuid)) ?? null
  setField(draft, row, ['compactMetadata', 'preservedMessages', 'uuids'], uuids)
  setEnvelope(draft, row, { boundary: { ...boundary, preserved: { ...preserved, uuids } } })
}
