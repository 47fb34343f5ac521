// The Blocks of a message, seen from outside: their kinds and the ids that join a call with its result.

import { textKey } from '../base/text.ts'
import { object } from './fields.ts'
import type { ToolResultRef, ToolUseRef } from './model.ts'
import { NONE } from './type-facts.ts'

export interface ContentFacts {
  readonly blocks: readonly string[]
  readonly toolUses: readonly ToolUseRef[]
  readonly toolResults: readonly ToolResultRef[]
}

const KINDS = new Map<string, readonly string[]>()
const NO_CONTENT: ContentFacts = { blocks: NONE, toolUses: NONE, toolResults: NONE }
const ONE_TEXT: ContentFacts = { blocks: oneBlock('text'), toolUses: NONE, toolResults: NONE }

export function contentFacts(content: unknown): ContentFacts {
  if (typeof content === 'string') return content === '' ? NO_CONTENT : ONE_TEXT
  if (!Array.isArray(content) || content.length === 0) return NO_CONTENT
  let toolUses: ToolUseRef[] | null = null
  let toolResults: ToolResultRef[] | null = null
  const kinds: string[] = []
  for (const block of content as readonly unknown[]) {
    if (typeof block !== 'object' || block === null) {
      kinds.push(typeof block === 'string' ? 'text' : 'unknown')
      continue
    }
    const fields = block as Readonly<Record<string, unknown>>
    const kind = typeof fields['type'] === 'string' ? fields['type'] : 'unknown'
    kinds.push(kind)
    if (kind === 'tool_use' || kind === 'server_tool_use' || kind === 'mcp_tool_use') {
      const use = toolUseOf(fields)
      if (toolUses === null) toolUses = [use]
      else toolUses.push(use)
    } else if (kind === 'tool_result') {
      const id = fields['tool_use_id']
      const result = { id: typeof id === 'string' ? id : '', isError: fields['is_error'] === true }
      if (toolResults === null) toolResults = [result]
      else toolResults.push(result)
    }
  }
  return {
    blocks: kinds.length === 1 ? oneBlock(kinds[0] as string) : kinds,
    toolUses: toolUses ?? NONE,
    toolResults: toolResults ?? NONE,
  }
}

function toolUseOf(fields: Readonly<Record<string, unknown>>): ToolUseRef {
  const id = typeof fields['id'] === 'string' ? fields['id'] : ''
  const name = typeof fields['name'] === 'string' ? fields['name'] : ''
  return startsAgent(name) ? agentCall(id, name, fields['input']) : { id, name }
}

/** The tools that start a subagent. */
export function startsAgent(name: string): boolean {
  return name === 'Task' || name === 'Agent'
}

export function agentCall(id: string, name: string, given: unknown): ToolUseRef {
  const input = object(given)
  const prompt = input?.['prompt']
  const type = input?.['subagent_type']
  return {
    id,
    name,
    ...(typeof prompt === 'string' ? { promptKey: textKey(prompt) } : {}),
    ...(typeof type === 'string' && type !== '' ? { agentType: type } : {}),
  }
}

/** Almost every record has one Block of one of five kinds: they share their list. */
export function oneBlock(kind: string): readonly string[] {
  const known = KINDS.get(kind)
  if (known !== undefined) return known
  const one = Object.freeze([kind])
  if (KINDS.size < 64) KINDS.set(kind, one)
  return one
}
