// Typing narrows the list at once, however long it is: what is compared was folded when the picker opened.

import { fold, foldedWords } from '../base/fold.ts'
import type { ListedConversation } from '../load/list.ts'
import { shortPath } from '../render/list.ts'

export interface Candidate {
  readonly row: ListedConversation
  readonly folded: string
}

export function candidatesOf(rows: readonly ListedConversation[], home: string): readonly Candidate[] {
  return rows.map((row) => ({ row, folded: foldedTexts(row, home) }))
}

/** Words hold no line end, so none can match across two texts. A project is found as it is written and as it is shown. */
function foldedTexts(row: ListedConversation, home: string): string {
  const { title, firstPrompt, project, gitBranch, sessionId } = row
  const short = shortPath(project, home)
  return fold([title, firstPrompt, project, short === project ? '' : short, gitBranch, sessionId].join('\n'))
}

/** Those that contain every typed word, in the order they came in. */
export function matchesOf(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const words = foldedWords(typed)
  if (words.length === 0) return candidates
  return candidates.filter(({ folded }) => words.every((word) => folded.includes(word)))
}
