// What the address of a conversation says: which Rows are meant, what is looked for in them, and at which record to
// begin. The same words as the server's queries.

import type { ReadingChoice } from '../../server/api/conversation.ts'
import { queryOf } from '../ask.ts'

/** As ReadingChoice, where null leaves the Branch to the server: it takes the live one. */
export interface Choice extends Omit<ReadingChoice, 'branch'> {
  readonly branch: number | null
}

export interface TalkAddress {
  readonly id: string
  readonly choice: Choice
  readonly words: string
}

export const WHOLE: Choice = { reading: 'full', branch: null, agent: null, at: null }

export function parseAddress(id: string, agent: string | undefined, search: string): TalkAddress {
  const query = new URLSearchParams(search)
  const branch = query.get('branch')
  return {
    id,
    choice: {
      reading: query.get('reading') === 'context' ? 'context' : 'full',
      branch: branch !== null && /^\d{1,6}$/.test(branch) ? Number(branch) : null,
      agent: agent ?? null,
      at: query.get('at'),
    },
    words: query.get('q') ?? '',
  }
}

/** The page of these Rows; `record` is a uuid or @offset. */
export function pageOf(id: string, choice: Partial<Choice> = {}, record: string | null = null, words = ''): string {
  const agent = choice.agent ?? null
  const path = `/c/${inAddress(id)}${agent === null ? '' : `/${inAddress(agent)}`}`
  const isContext = choice.reading === 'context'
  const query = queryOf({
    reading: isContext ? 'context' : null,
    // What the model saw follows one way back from its end.
    branch: isContext ? null : (choice.branch ?? null),
    at: choice.at ?? null,
    q: words === '' ? null : words,
  })
  return `${path}${query}${record === null ? '' : `#${inAddress(record)}`}`
}

/** An address below /api/conversations/ID that takes a choice. */
export function apiOf(
  id: string,
  topic: string,
  choice: Choice,
  more: Readonly<Record<string, string | number | null>> = {},
): string {
  const query = queryOf({
    reading: choice.reading === 'context' ? 'context' : null,
    branch: choice.branch,
    agent: choice.agent,
    at: choice.at,
    ...more,
  })
  return `conversations/${inAddress(id)}/${topic}${query}`
}

/** `#<uuid>` or `#@<offset>`: the record a permalink names. */
export function recordOf(hash: string): string | null {
  const name = hash.replace(/^#/, '')
  if (name === '' || name === 'main') return null
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}

/** Ids come from transcripts, and half a character cannot be written in an address. */
export function inAddress(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
