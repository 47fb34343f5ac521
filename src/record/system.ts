import { list, object, text } from './fields.ts'
import type { Body, Boundary, Links, Preserved } from './model.ts'
import { tokensAround } from './tokens-around.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { addFork } from './user.ts'

export function systemFacts(body: Body): TypeFacts {
  const subtype = text(body['subtype'])
  const links = systemLinks(body)
  if (subtype === 'compact_boundary') {
    return {
      ...NO_FACTS,
      kind: 'boundary',
      subtype,
      author: 'harness',
      boundary: boundaryOf(body['compactMetadata']),
      links,
    }
  }
  if (subtype === 'microcompact_boundary') {
    const boundary = boundaryOf(body['microcompactMetadata'])
    return { ...NO_FACTS, kind: 'micro-boundary', subtype, author: 'harness', boundary, links }
  }
  return { ...NO_FACTS, kind: 'system', subtype, author: 'harness', links }
}

function boundaryOf(value: unknown): Boundary {
  const metadata = object(value)
  return {
    trigger: text(metadata?.['trigger']),
    ...tokensAround(metadata),
    preserved: preservedOf(metadata),
  }
}

function preservedOf(metadata: Body | null): Preserved | null {
  const messages = object(metadata?.['preservedMessages'])
  const segment = object(metadata?.['preservedSegment'])
  const anchorUuid = text(messages?.['anchorUuid']) ?? text(segment?.['anchorUuid'])
  if (anchorUuid === null) return null
  const uuids = list(messages?.['uuids'])
  return {
    anchorUuid,
    uuids: uuids === null ? null : uuids.filter((uuid): uuid is string => typeof uuid === 'string'),
    headUuid: text(segment?.['headUuid']),
    tailUuid: text(segment?.['tailUuid']),
  }
}

function systemLinks(body: Body): Links | null {
  const links: { -readonly [Key in keyof Links]: Links[Key] } = {}
  const logicalParent = text(body['logicalParentUuid'])
  if (logicalParent !== null) links.logicalParentUuid = logicalParent
  addFork(body, links)
  for (const _ in links) return links
  return null
}
