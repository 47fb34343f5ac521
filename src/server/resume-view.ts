// What the page offers to go on with a conversation: what `clew resume` says, no more.

import { existsSync } from 'node:fs'
import type { ListedConversation } from '../load/list.ts'
import { goneFolder, hindranceOf } from '../render/resumable.ts'
import { quoteWord, resumeCommand } from '../render/resume-command.ts'
import type { Resume } from './api/conversation.ts'

/** Nothing is there to go on with. */
export const NO_RESUME: Resume = { command: null, hindrance: null }

export function resumeOf(listed: ListedConversation): Resume {
  // The server may show another folder than the one that `clew` looks in unasked: a path is found from anywhere.
  const hindrance = hindranceOf(listed, quoteWord(listed.path))
  if (hindrance !== null) return { command: null, hindrance }
  return { command: resumeCommand(listed), hindrance: goneFolder(listed.cwd, existsSync) }
}
