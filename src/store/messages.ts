// The records of a chain → the messages of the Messages API: the Blocks of one answer together again, every tool call
// with its result, users and assistants taking turns.

import type { Body } from '../record/model.ts'

export interface ApiMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Body[]
}

interface Draft {
  readonly role: 'user' | 'assistant'
  readonly messageId: string | null
  blocks: Body[]
}

/** What a client says for a tool that never answered. */
const INTERRUPTED = '[Tool use interrupted]'

export function messagesOf(records: readonly Body[]): readonly ApiMessage[] {
  const drafts: Draft[] = []
  for (const record of records) {
    const draft = draftOf(record)
    if (draft !== null) drafts.push(draft)
  }
  return merged(withPairs(gathered(drafts))).map(({ role, blocks }) => ({ role, content: contentOf(blocks) }))
}

function draftOf(record: Body): Draft | null {
  const message = record['message'] as Body | undefined
  if (record['type'] === 'attachment') {
    const attachment = record['attachment'] as Body | undefined
    // A prompt that was sent while the model worked, and that it took up at once.
    return attachment?.['type'] === 'queued_command' ? userDraft(attachment['prompt']) : null
  }
  // A command of the client's own, and what it printed, is told to the model too.
  if (record['type'] === 'system') {
    const isTold = record['subtype'] === 'local_command' && record['isDisplayOnly'] !== true
    return isTold ? userDraft(record['content']) : null
  }
  // What only the client said to the person.
  if (record['isApiErrorMessage'] === true) return null
  if (record['type'] === 'user') return userDraft(message?.['content'])
  if (record['type'] !== 'assistant') return null
  const blocks = blocksOf(message?.['content']).filter(isWhole)
  const id = message?.['id']
  return blocks.length === 0 ? null : { role: 'assistant', messageId: typeof id === 'string' ? id : null, blocks }
}

function userDraft(content: unknown): Draft | null {
  const blocks = blocksOf(content).filter(isWhole)
  return blocks.length === 0 ? null : { role: 'user', messageId: null, blocks: [...blocks] }
}

function blocksOf(content: unknown): readonly Body[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as readonly Body[]) : []
}

/** The API refuses blank texts and thinking without its signature. */
function isWhole(block: Body): boolean {
  if (block['type'] === 'text') return typeof block['text'] === 'string' && block['text'].trim() !== ''
  if (block['type'] === 'thinking') return typeof block['signature'] === 'string' && block['signature'] !== ''
  return typeof block['type'] === 'string'
}

/** A tool may have answered before the rest of the reply was written: its Blocks are one message all the same. */
function gathered(drafts: readonly Draft[]): readonly Draft[] {
  const byId = new Map<string, Draft>()
  const all: Draft[] = []
  for (const draft of drafts) {
    const known = draft.messageId === null ? undefined : byId.get(draft.messageId)
    if (known !== undefined) {
      known.blocks.push(...draft.blocks)
      continue
    }
    const own = { ...draft, blocks: [...draft.blocks] }
    if (draft.messageId !== null) byId.set(draft.messageId, own)
    all.push(own)
  }
  return all
}

/**
 * Each call right before its result, and the results as they were written. A call nobody answered is answered at the end of
 * the conversation and left out inside of it; a result nobody asked for is left out, and of two the last counts.
 */
function withPairs(drafts: readonly Draft[]): readonly Draft[] {
  const results = new Map<string, Body>()
  for (const block of drafts.flatMap(({ blocks }) => blocks))
    if (block['type'] === 'tool_result') results.set(String(block['tool_use_id']), block)
  const order = new Map([...results.keys()].map((id, place) => [id, place]))
  const placeOf = ({ id }: Body): number => order.get(String(id)) ?? order.size
  const all: Draft[] = []
  const answered = new Set<string>()
  const end = drafts.findLastIndex(({ blocks }) => blocks.some(({ type }) => type !== 'tool_result'))
  for (const [index, { role, messageId, blocks }] of drafts.entries()) {
    const isLast = index >= end
    const kept = blocks.filter(({ type, id }) => {
      if (type === 'tool_result') return false
      return type !== 'tool_use' || isLast || results.has(String(id))
    })
    // No reply may end in thinking.
    while (isThinking(kept.at(-1))) kept.pop()
    if (kept.length > 0) all.push({ role, messageId, blocks: kept })
    const calls = kept.filter(({ type, id }) => type === 'tool_use' && !answered.has(String(id)))
    for (const { id } of calls) answered.add(String(id))
    calls.sort((one, other) => placeOf(one) - placeOf(other))
    if (calls.length > 0)
      all.push({ role: 'user', messageId: null, blocks: calls.map((call) => resultFor(call, results)) })
  }
  return all
}

function isThinking(block: Body | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking'
}

function resultFor({ id }: Body, results: ReadonlyMap<string, Body>): Body {
  const found = results.get(String(id))
  return found ?? { type: 'tool_result', tool_use_id: id, content: INTERRUPTED, is_error: true }
}

function merged(drafts: readonly Draft[]): readonly Draft[] {
  const all: Draft[] = []
  for (const draft of drafts) {
    const last = all.at(-1)
    if (last?.role === draft.role) last.blocks = [...last.blocks, ...draft.blocks]
    else all.push({ ...draft })
  }
  return all
}

function contentOf(blocks: readonly Body[]): ApiMessage['content'] {
  const [only] = blocks
  return blocks.length === 1 && only?.['type'] === 'text' ? String(only['text']) : blocks
}
