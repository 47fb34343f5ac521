// The whole of a conversation, as the JSON export has it.

import type { Woven } from '../conversation/build.ts'
import { conversationOf } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/model.ts'
import { partsOf } from '../conversation/parts.ts'
import type { Bodies } from '../load/bodies.ts'
import { openSubagent } from '../load/session.ts'
import type { Choice } from '../render/export/choice.ts'
import { exportedTitle } from '../render/export/choice.ts'
import { chosenParts } from '../render/export/chosen-parts.ts'
import type { ConversationModel } from '../render/export/conversation-document.ts'
import type { Opened } from './export-open.ts'
import { bodiesOf } from './export-open.ts'

export function exportModel(opened: Opened, choice: Choice, bodies: Bodies): ConversationModel {
  const { session, woven } = opened
  const whole = narrowed(conversationOf(woven), opened)
  const { title } = whole
  const conversation = { ...whole, title: { ...title, text: exportedTitle(title.text, choice) } }
  const subagents = choice.subagents ? woven.agents.subagents : []
  return {
    conversation,
    parts: partsOfAll(conversation, woven, choice, bodies),
    subagents: subagents.flatMap(({ agentId }) => {
      const inner = openSubagent(session, agentId, 'resume')
      if (inner === null) return []
      const own = conversationOf(inner)
      return [{ agentId, conversation: own, parts: partsOfAll(own, inner, choice, bodies) }]
    }),
  }
}

/** Only the Turns that were asked for, as one Branch. */
function narrowed(conversation: Conversation, { isNarrowed, reading, turns }: Opened): Conversation {
  if (!isNarrowed) return conversation
  const { branch: number, tipUuid } = reading
  const segments = conversation.branches[number]?.segments ?? []
  const only = { number, isLive: number === 0, parent: null, forkUuid: null, tipUuid, turns, segments }
  return { ...conversation, branches: [only], metadata: [], replays: [], queuedPrompts: [] }
}

function partsOfAll(
  conversation: Conversation,
  woven: Woven,
  choice: Choice,
  bodies: Bodies,
): ConversationModel['parts'] {
  const bodyOf = bodiesOf(woven, bodies)
  return conversation.branches.map(({ turns }) => turns.map((turn) => chosenParts(partsOf(turn, bodyOf), choice)))
}
