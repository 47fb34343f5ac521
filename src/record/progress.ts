// Progress records tell what a tool is doing while it runs. They carry chain links up to 2.1.42, so they are never dropped.

import { object, text } from './fields.ts'
import type { Body, Links } from './model.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'

export function progressFacts(body: Body): TypeFacts {
  const progress = object(body['data'])
  const links: { -readonly [Key in keyof Links]: Links[Key] } = {}
  const parentToolUseId = text(body['parentToolUseID'])
  if (parentToolUseId !== null) links.parentToolUseId = parentToolUseId
  const agentId = text(progress?.['agentId'])
  if (agentId !== null) links.spawnedAgentId = agentId
  return { ...NO_FACTS, kind: 'progress', subtype: text(progress?.['type']), author: 'harness', links }
}
