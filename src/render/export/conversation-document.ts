// A Conversation with all its Parts as one JSON document, and back again. Records stand in it once, in a list, and are
// named by their place there: in the model one Envelope is part of a Turn, of a Reply and of a ToolCall.

import type { Branch, Conversation, PlacedRecord, Turn } from '../../conversation/model.ts'
import type { Part } from '../../conversation/parts.ts'
import { list, object } from '../../record/fields.ts'
import type { Envelope } from '../../record/model.ts'

/** What a document is made from, and what comes back out of it. */
export interface ConversationModel {
  readonly conversation: Conversation
  /** Of each Turn of each Branch. */
  readonly parts: readonly (readonly (readonly Part[])[])[]
  readonly subagents: readonly SubagentModel[]
}

export interface SubagentModel {
  readonly agentId: string
  /** The Subagent seen as a Conversation of its own. */
  readonly conversation: Conversation
  readonly parts: ConversationModel['parts']
}

export const DOCUMENT_MARK = { format: 'conversation', version: 1 } as const

/** `about` is for readers of the document; the way back does not need it. */
export function conversationDocument(model: ConversationModel, about: Readonly<Record<string, unknown>>): unknown {
  return {
    clew: DOCUMENT_MARK,
    ...about,
    conversation: written(model.conversation, model.parts),
    subagents: model.subagents.map(({ agentId, conversation, parts }) => ({
      agentId,
      conversation: written(conversation, parts),
    })),
  }
}

/** The model a document was made from; null for anything that is no such document. */
export function importConversation(document: unknown): ConversationModel | null {
  const mark = object(object(document)?.['clew'])
  if (mark?.['format'] !== DOCUMENT_MARK.format || mark['version'] !== DOCUMENT_MARK.version) return null
  const main = readBack(object(document)?.['conversation'])
  if (main === null) return null
  const subagents = (list(object(document)?.['subagents']) ?? []).flatMap((value) => {
    const fields = object(value)
    const inner = readBack(fields?.['conversation'])
    return inner === null ? [] : [{ agentId: String(fields?.['agentId']), ...inner }]
  })
  return { ...main, subagents }
}

type Written = ReturnType<typeof written>

function written(conversation: Conversation, parts: ConversationModel['parts']) {
  const records: PlacedRecord[] = []
  const places = new Map<Envelope, number>()
  const place = (record: PlacedRecord): number => {
    const known = places.get(record.envelope)
    if (known !== undefined && records[known]?.transcript === record.transcript) return known
    places.set(record.envelope, records.length)
    return records.push(record) - 1
  }
  const { branches, metadata, replays, queuedPrompts, ...facts } = conversation
  const turnOf = ({ prompt, records: own, replies, toolCalls, ...turn }: Turn, said: readonly Part[]) => ({
    ...turn,
    prompt: prompt === null ? null : place(prompt),
    records: own.map(place),
    replies: replies.map((reply) => ({ ...reply, records: reply.records.map(place) })),
    toolCalls: toolCalls.map(({ call, result, ...rest }) => ({
      ...rest,
      call: place(call),
      result: result === null ? null : place(result),
    })),
    parts: said,
  })
  return {
    ...facts,
    branches: branches.map(({ turns, ...branch }, number) => ({
      ...branch,
      turns: turns.map((turn, at) => turnOf(turn, parts[number]?.[at] ?? [])),
    })),
    metadata: metadata.map(place),
    replays: replays.map(place),
    queuedPrompts: queuedPrompts.map(place),
    records,
  }
}

function readBack(value: unknown): Pick<ConversationModel, 'conversation' | 'parts'> | null {
  if (object(value) === null || list(object(value)?.['branches']) === null) return null
  // From here on it is what `written` has made, or made up by somebody who wants a wrong model.
  const { branches, metadata, replays, queuedPrompts, records, ...facts } = value as Written
  const at = (place: number): PlacedRecord => records[place] as PlacedRecord
  const turnOf = ({ parts: _, prompt, records: own, replies, toolCalls, ...turn }: WrittenTurn): Turn => ({
    ...turn,
    prompt: prompt === null ? null : at(prompt),
    records: own.map(at),
    replies: replies.map((reply) => ({ ...reply, records: reply.records.map(at) })),
    toolCalls: toolCalls.map(({ call, result, ...rest }) => ({
      ...rest,
      call: at(call),
      result: result === null ? null : at(result),
    })),
  })
  const conversation: Conversation = {
    ...facts,
    branches: branches.map(({ turns, ...branch }): Branch => ({ ...branch, turns: turns.map(turnOf) })),
    metadata: metadata.map(at),
    replays: replays.map(at),
    queuedPrompts: queuedPrompts.map(at),
  }
  return { conversation, parts: branches.map(({ turns }) => turns.map(({ parts }) => parts)) }
}

type WrittenTurn = Written['branches'][number]['turns'][number]
