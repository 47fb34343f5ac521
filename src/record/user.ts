import { textKey } from '../base/text.ts'
import { isHumanText, userAuthorship } from './authorship.ts'
import { contentFacts } from './content.ts'
import { DENIAL_LENGTH_MAX, deniedInWords } from './denial.ts'
import { list, object, text } from './fields.ts'
import type { Body, Links, RecordKind } from './model.ts'
import type { TypeFacts } from './type-facts.ts'

export function userFacts(body: Body): TypeFacts {
  const message = object(body['message'])
  const content = message === null ? body['message'] : message['content']
  const { blocks, toolUses, toolResults } = contentFacts(content)
  const { kind, injection, author } = userAuthorship(body, content)
  const links = userLinks(body, kind, content)
  // Written out, because it runs for a fifth of all lines and a spread costs more than the rest of this function.
  return {
    kind,
    subtype: null,
    injection,
    author,
    uuid: null,
    parentUuid: null,
    isMeta: false,
    messageId: null,
    model: null,
    stopReason: null,
    blocks,
    toolUses,
    toolResults,
    usage: null,
    boundary: null,
    links,
  }
}

function userLinks(body: Body, kind: RecordKind, content: unknown): Links | null {
  const links: { -readonly [Key in keyof Links]: Links[Key] } = {}
  const logicalParent = text(body['logicalParentUuid'])
  if (logicalParent !== null) links.logicalParentUuid = logicalParent
  const source = text(body['sourceToolAssistantUUID'])
  // Mostly the parent itself: then the same string serves both.
  if (source !== null)
    links.sourceToolAssistantUuid = source === body['parentUuid'] ? (body['parentUuid'] as string) : source
  const sourceToolUse = text(body['sourceToolUseID'])
  if (sourceToolUse !== null) links.sourceToolUseId = sourceToolUse
  const denial = text(body['toolDenialKind']) ?? deniedInWords(errorsIn(content))
  if (denial !== null) links.toolDenialKind = denial
  const promptId = text(body['promptId'])
  if (promptId !== null && kind === 'prompt') links.promptId = promptId
  addFork(body, links)
  if (kind === 'tool-result') addToolResultLinks(body, content, links)
  if (kind === 'prompt') links.textKey = textKey(promptText(content))
  for (const _ in links) return links
  return null
}

/** The text of a prompt as one string: Blocks of text joined by line ends. */
export function promptText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts: string[] = []
  for (const block of list(content) ?? []) {
    const part = typeof block === 'string' ? block : text(object(block)?.['text'])
    if (part !== null) texts.push(part)
  }
  return texts.join('\n')
}

/** Of a prompt only what a person typed. Where all of it looks like the client's, the client said otherwise. */
export function typedText(content: unknown): string {
  const typed = list(content)?.filter((block) => isHumanText([block])) ?? []
  return promptText(typed.length === 0 ? content : typed)
}

export function addFork(body: Body, links: { -readonly [Key in keyof Links]: Links[Key] }): void {
  const forkedFrom = object(body['forkedFrom'])
  if (forkedFrom === null) return
  const sessionId = text(forkedFrom['sessionId'])
  const uuid = text(forkedFrom['messageUuid'])
  if (sessionId !== null) links.forkedFromSessionId = sessionId
  if (uuid !== null) links.forkedFromUuid = uuid
}

const AGENT_ID_IN_TEXT = /agentId:\s*([a-f0-9]{6,})/

function addToolResultLinks(body: Body, content: unknown, links: { -readonly [Key in keyof Links]: Links[Key] }): void {
  const result = object(body['toolUseResult'])
  const agentId = text(result?.['agentId']) ?? agentIdInText(content)
  if (agentId !== null) links.spawnedAgentId = agentId
  const spill = text(result?.['persistedOutputPath'])
  if (spill !== null) links.spillPath = spill
}

function* errorsIn(content: unknown): Generator<string | null> {
  for (const block of list(content) ?? []) {
    const result = object(block)
    if (result?.['type'] !== 'tool_result') continue
    const said = list(result['content'])?.[0] ?? result['content']
    const whole = text(said) ?? text(object(said)?.['text'])
    yield result['is_error'] === true ? (whole ?? '').slice(0, DENIAL_LENGTH_MAX) : null
  }
}

const TAIL_LENGTH = 400

/** Clients before toolUseResult.agentId said it only in the text, near its end. */
function agentIdInText(content: unknown): string | null {
  for (const value of resultTexts(content)) {
    const tail = value.slice(-TAIL_LENGTH)
    // Hardly any result has one, and looking for a word is much quicker than for a pattern.
    const found = tail.includes('agentId:') ? AGENT_ID_IN_TEXT.exec(tail)?.[1] : undefined
    if (found !== undefined) return found
  }
  return null
}

function resultTexts(content: unknown): readonly string[] {
  const texts: string[] = []
  for (const block of list(content) ?? []) {
    const inner = object(block)?.['content']
    if (typeof inner === 'string') texts.push(inner)
    for (const part of list(inner) ?? []) {
      const value = typeof part === 'string' ? part : text(object(part)?.['text'])
      if (value !== null) texts.push(value)
    }
  }
  return texts
}
