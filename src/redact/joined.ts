// Words that were broken → the same words whole: by a hard wrap, by a backslash at the end of a line, or because a program puts
// strings together. Only the surroundings of such breaks are taken.

import type { Coded } from './coded.ts'
import type { Break } from './runs.ts'
import type { View } from './view.ts'
import { finishView, gap, keep, openView } from './view.ts'

/** `breaks` and `joins` are in order; a join is the place of a quote that closes a string. */
export function joinedView({ text, codes }: Coded, breaks: readonly Break[], joins: readonly number[]): View {
  const all = [...breaks, ...joins.flatMap((at) => joinAt(text, at))].sort((one, other) => one.end - other.end)
  const draft = openView(Math.min(text.length, all.length * PART_MAX) + 8)
  let doneTo = 0
  /** Up to where the run that was taken last goes, if it was not broken again. */
  let pendingEnd = 0
  for (const { lineStart, end, next, nextEnd } of all) {
    if (end < doneTo) continue
    if (end <= pendingEnd) keep(draft, codes, doneTo, end)
    else {
      keep(draft, codes, doneTo, pendingEnd)
      gap(draft)
      keep(draft, codes, Math.max(lineStart, pendingEnd), end)
    }
    doneTo = next
    pendingEnd = nextEnd
  }
  keep(draft, codes, doneTo, pendingEnd)
  return finishView(draft)
}

function joinAt(text: string, at: number): readonly Break[] {
  if (!isTokenCode(text.charCodeAt(at - 1))) return []
  JOIN.lastIndex = at
  if (!JOIN.test(text)) return []
  const next = JOIN.lastIndex
  let nextEnd = next
  while (nextEnd < text.length && nextEnd - next < PART_MAX && isTokenCode(text.charCodeAt(nextEnd))) nextEnd++
  if (nextEnd - next < PART_MIN) return []
  return [{ lineStart: Math.max(0, at - PART_MAX), end: at, next, nextEnd, isWithinRun: false }]
}

const JOIN = /["'`][ \t]{0,8}(?:[+.&\\][ \t]{0,8})?(?:\r?\n[ \t]{0,40})?(?:[+.&][ \t]{0,8})?["'`]/y
const PART_MAX = 200
const PART_MIN = 3

function isTokenCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 61 ||
    code === 95
  )
}
