// What every part of the page may need to know about the conversation it is a part of.

import { createContext, useContext } from 'react'
import type { ConversationHead, SubagentHead } from '../../server/api/conversation.ts'
import type { Choice } from './address.ts'
import { WHOLE } from './address.ts'

export interface Talk {
  readonly id: string
  readonly head: ConversationHead
  /** The Rows that are read on this page. */
  readonly choice: Choice
  readonly agents: ReadonlyMap<string, SubagentHead>
  readonly showRaw: (title: string, path: string) => void
  /** Opens or closes a Subagent in place, behind the Row of its call. */
  readonly toggleAgent: (agentId: string, host: string, row: number) => void
  readonly isAgentOpen: (agentId: string) => boolean
  /** Says it to those who cannot see it. */
  readonly announce: (text: string) => void
}

export const TalkContext = createContext<Talk | null>(null)

export function useTalk(): Talk {
  const talk = useContext(TalkContext)
  if (talk === null) throw new Error('a row outside of a conversation')
  return talk
}

/** What to ask for about Rows of `owner`: a Subagent that is open in place, or the page itself. */
export function choiceOf(talk: Talk, owner: string): Choice {
  return owner === '' ? talk.choice : { ...WHOLE, agent: owner }
}

export function callFold(ref: string, call: string): string {
  return `call ${ref} ${call}`
}
