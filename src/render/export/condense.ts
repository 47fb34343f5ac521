// Compact: what the person said stays whole, what Claude said last stays whole, and of what it said on the way the first
// paragraph is left.

import { excerpt } from '../../base/text.ts'
import type { TurnView, View } from './view.ts'

/** What Claude says last in a Turn is an answer, and few answers are longer. */
const LAST_LENGTH = 20_000
const EARLIER_LENGTH = 280

export function condenseTurn(turn: TurnView): TurnView {
  const last = turn.views.findLastIndex(({ kind }) => kind === 'text')
  return { ...turn, views: turn.views.map((view, place) => condensed(view, place === last)) }
}

function condensed(view: View, isLast: boolean): View {
  if (view.kind !== 'text') return view
  const whole = view.text.trim()
  const kept = isLast ? closed(excerpt(whole, LAST_LENGTH)) : firstParagraph(whole)
  return { ...view, text: kept, isCut: kept.length < whole.length }
}

function firstParagraph(text: string): string {
  const paragraph = text.split(/\n\s*\n|\n(?=\s*(?:```|~~~|[-*+] |\d+[.)] |\|))/, 1)[0] ?? ''
  const cut = excerpt(paragraph.trim(), EARLIER_LENGTH)
  return cut.length < paragraph.trim().length ? cut.replace(/\s+\S*$/, '') : cut
}

/** A text that was cut within a block of code would turn all that follows into code. */
function closed(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  return fences.length % 2 === 0 ? text : `${text}\n${(fences.at(-1) ?? '```').trim()}`
}
