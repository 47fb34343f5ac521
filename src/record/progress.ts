// Progress records tell what a tool is doing while it runs. They carry chain links up to 2.1.42, so they are never dropped.

import { object, text } from './fields.ts'
import type { Body, Links } from './model.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'

/** Two lines of five are progress in older archives, and they differ in nothing but this. */
const BY_SUBTYPE = new Map<string | null, TypeFacts>()

export function progressFacts(body: Body): TypeFacts {
  const progress = object(body['data'])
  // Only an agent's progress says something that no other record does: which call it runs for.
  const agentId = text(progress?.['agentId'])
  const links = agentId === null ? null : agentLinks(agentId, text(body['parentToolUseID']))
  const subtype = text(progress?.['type'])
  if (links !== null) return { ...NO_FACTS, kind: 'progress', subtype, author: 'harness', links }
  const known = BY_SUBTYPE.get(subtype)
  if (known !== undefined) return known
  const facts: TypeFacts = { ...NO_FACTS, kind: 'progress', subtype, author: 'harness' }
  if (BY_SUBTYPE.size < 64) BY_SUBTYPE.set(subtype, facts)
  return facts
}

function agentLinks(spawnedAgentId: string, parentToolUseId: string | null): Links {
  return parentToolUseId === null ? { spawnedAgentId } : { spawnedAgentId, parentToolUseId }
}
