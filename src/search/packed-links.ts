import type { ByteReader, ByteWriter } from '../load/packed-bytes.ts'
import type { Links } from '../record/model.ts'

/** Their order is part of the stored form: a new link is added at the end. */
const LINK_NAMES = [
  'logicalParentUuid',
  'forkedFromSessionId',
  'forkedFromUuid',
  'sourceToolAssistantUuid',
  'sourceToolUseId',
  'spawnedAgentId',
  'spillPath',
  'leafUuid',
  'leafIsExplicit',
  'queuedSourceUuid',
  'snapshotOfUuid',
  'parentToolUseId',
  'toolDenialKind',
  'parentSessionId',
  'relocatedCwd',
  'promptId',
  'textKey',
] as const satisfies readonly (keyof Links)[]

const LINK_NUMBERS: ReadonlyMap<string, number> = new Map(LINK_NAMES.map((name, number) => [name, number]))

export function packLinks(to: ByteWriter, links: Links | null): void {
  const present = links === null ? [] : Object.entries(links).filter(([, value]) => value !== undefined)
  to.whole(links === null ? 0 : present.length + 1)
  for (const [name, value] of present) {
    to.whole(LINK_NUMBERS.get(name) as number)
    if (typeof value === 'number') to.number(value)
    else if (typeof value === 'boolean') to.whole(value ? 1 : 0)
    else to.text(value as string)
  }
}

export function unpackLinks(from: ByteReader): Links | null {
  const count = from.whole()
  if (count === 0) return null
  const links: Record<string, string | number | boolean> = {}
  for (let index = 1; index < count; index++) {
    const name = LINK_NAMES[from.whole()] as (typeof LINK_NAMES)[number]
    if (name === 'textKey') links[name] = from.number() as number
    else if (name === 'leafIsExplicit') links[name] = from.whole() === 1
    else links[name] = from.text() as string
  }
  return links as Links
}
