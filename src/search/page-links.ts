// The rarer links of a record. Which ones it has is a part of its Mould; here are their values.

import type { Links } from '../record/model.ts'
import type { ColumnReader, ColumnWriter } from './page-column.ts'
import type { IdReader, IdWriter } from './page-ids.ts'
import type { TextReader, TextWriter } from './page-texts.ts'
import type { UuidReader, UuidWriter } from './page-uuids.ts'

/**
 * With what their values mostly are: any text may stand where a uuid or an id does. Their order is part of the stored form:
 * a new link is added at the end.
 */
const LINKS = [
  ['logicalParentUuid', 'uuid'],
  ['forkedFromSessionId', 'uuid'],
  ['forkedFromUuid', 'uuid'],
  ['sourceToolAssistantUuid', 'uuid'],
  ['sourceToolUseId', 'id'],
  ['spawnedAgentId', 'text'],
  ['spillPath', 'text'],
  ['leafUuid', 'uuid'],
  ['leafIsExplicit', 'boolean'],
  ['queuedSourceUuid', 'uuid'],
  ['snapshotOfUuid', 'uuid'],
  ['parentToolUseId', 'id'],
  ['toolDenialKind', 'text'],
  ['parentSessionId', 'uuid'],
  ['relocatedCwd', 'text'],
  ['promptId', 'uuid'],
  ['textKey', 'number'],
  ['isOfTeam', 'boolean'],
] as const satisfies readonly (readonly [keyof Links, 'uuid' | 'id' | 'text' | 'boolean' | 'number'])[]

type LinkName = (typeof LINKS)[number][0]

const LINK_NUMBERS: ReadonlyMap<string, number> = new Map(LINKS.map(([name], number) => [name, number]))

/** In the order in which they were found. */
export function linkNumbers(links: Links | null): readonly number[] | null {
  if (links === null) return null
  const numbers: number[] = []
  for (const name in links) if (links[name as LinkName] !== undefined) numbers.push(LINK_NUMBERS.get(name) as number)
  return numbers
}

export interface LinkWriters {
  readonly uuids: UuidWriter
  readonly ids: IdWriter
  readonly texts: TextWriter
  readonly rare: ColumnWriter
}

/** Before them stand so many records with a uuid. */
export function packLinks(links: Links, numbers: readonly number[], before: number, to: LinkWriters): void {
  for (const number of numbers) {
    const [name, sort] = LINKS[number] as (typeof LINKS)[number]
    const value = links[name]
    if (sort === 'uuid') to.uuids.link(value as string, before)
    else if (sort === 'id') to.ids.link(value as string)
    else if (sort === 'number') to.rare.number(value as number)
    else if (sort === 'boolean') to.rare.whole(value === true ? 1 : 0)
    else to.rare.whole(to.texts.text(value as string))
  }
}

export interface LinkReaders {
  readonly uuids: UuidReader
  readonly ids: IdReader
  readonly texts: TextReader
  readonly linkedUuids: ColumnReader
  readonly linkedIds: ColumnReader
  readonly rare: ColumnReader
}

export function unpackLinks(numbers: readonly number[], from: LinkReaders): Links {
  const links: Record<string, string | number | boolean> = {}
  for (const number of numbers) {
    const [name, sort] = LINKS[number] as (typeof LINKS)[number]
    if (sort === 'uuid') links[name] = from.uuids.name(from.linkedUuids)
    else if (sort === 'id') links[name] = from.ids.link(from.linkedIds)
    else if (sort === 'number') links[name] = from.rare.number() as number
    else if (sort === 'boolean') links[name] = from.rare.whole() === 1
    else links[name] = from.texts.text(from.rare.whole()) as string
  }
  return links as Links
}
