// The conversation that is selected: its head, and as much of its text as there is room for.

import type { Range } from '../base/fold.ts'
import { fold, foldedRanges, foldedWords } from '../base/fold.ts'
import { flagsOf, shortModel, shortPath } from './list.ts'
import { paintMarked } from './marked.ts'
import type { PreviewArea } from './picker-geometry.ts'
import type { PickerHit, PickerLayout, PickerView } from './picker-view.ts'
import type { ScreenLine } from './piece.ts'
import { safe, safeLine, safeName } from './terminal.ts'
import { age, counted, size } from './units.ts'
import { cutTo, expandTabs, widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

export interface PreviewLine {
  readonly text: string
  readonly tone: 'plain' | 'prompt' | 'rule'
}

/** More than anybody scrolls through in a preview. */
const LINES_MAX = 2000
const CHARACTERS_MAX = 200_000

/** The text of a conversation, as wide as the preview. */
export function previewLines(text: string, columns: number): readonly PreviewLine[] {
  const lines: PreviewLine[] = []
  const shown = expandTabs(safe(text.slice(0, CHARACTERS_MAX)))
  for (const line of shown.replace(/^\n+|\n+$/g, '').split('\n')) {
    const tone = toneOf(line)
    // A rule is as long as there is room for, whatever it was made for.
    const wrapped = tone === 'rule' ? [ruleTo(line, columns)] : wrapLine(line.trimEnd(), columns, LINES_MAX)
    for (const one of wrapped) lines.push({ text: one, tone })
    if (lines.length >= LINES_MAX) break
  }
  const isWhole = lines.length < LINES_MAX && text.length <= CHARACTERS_MAX
  return isWhole ? lines : [...lines, { text: cutTo('… Enter shows the rest', columns), tone: 'rule' }]
}

function toneOf(line: string): PreviewLine['tone'] {
  if (line.startsWith('❯ ')) return 'prompt'
  return /^(?:──|━━) /.test(line) ? 'rule' : 'plain'
}

function ruleTo(line: string, columns: number): string {
  const words = cutTo(line.replace(/[─━]+$/, ''), columns)
  return words + (line.startsWith('━') ? '━' : '─').repeat(Math.max(0, columns - widthOf(words)))
}

/** The line a hit is about, so that the preview can begin there; the first one when it cannot be told. */
export function lineOfHit(lines: readonly PreviewLine[], hit: PickerHit): number {
  const [from, to] = hit.marks[0] ?? [0, 0]
  if (to <= from) return 0
  const folded = lines.map((line) => fold(line.text))
  // What stands around it tells apart the many places that have the same word.
  for (const around of [24, 12, 0]) {
    const near = hit.snippet.slice(Math.max(0, from - around), to + around)
    const needle = fold(safeLine(near))
    const found = needle === '' ? -1 : folded.findIndex((line) => line.includes(needle))
    if (found >= 0) return found
  }
  return 0
}

export function previewPane(view: PickerView, area: PreviewArea, layout: PickerLayout): readonly ScreenLine[] {
  const { style } = layout
  const at = (text: string): ScreenLine => (text === '' ? [] : [{ column: area.column, text }])
  const title = titleOf(view)
  if (title === null) return []
  const facts = factsOf(view, layout)
  const head =
    area.place === 'beside'
      ? [style.bold(cutTo(title, area.columns)), ...factLines(facts, area.columns).map(style.dim), '']
      : [titleRule(title, area.columns, layout), style.dim(cutTo(facts.join(' · '), area.columns))]
  return [...head, ...textLines(view, area, layout)].slice(0, area.rows).map(at)
}

function titleOf({ mode, search, selected, row }: PickerView): string | null {
  const title = mode === 'search' ? search.hits[selected]?.title : row?.title
  return title === undefined ? null : safeLine(title) || '(no title)'
}

function titleRule(title: string, columns: number, { style }: PickerLayout): string {
  const words = cutTo(title, columns - 6)
  return `${style.dim('──')} ${style.bold(words)} ${style.dim('─'.repeat(Math.max(0, columns - widthOf(words) - 4)))}`
}

/** Broken between facts, never inside of one. */
function factLines(facts: readonly string[], columns: number): readonly string[] {
  const whole = facts.map((fact) => fact.replaceAll(' ', NO_BREAK)).join(`${NO_BREAK}· `)
  return wrapLine(whole, columns, 2).map((line) => line.replaceAll(NO_BREAK, ' '))
}

const NO_BREAK = '\u00a0'

function factsOf({ row, mode, search, selected }: PickerView, { nowMs, home }: PickerLayout): readonly string[] {
  if (row !== null) {
    const facts = [
      shortPath(safeLine(row.project), home),
      safeLine(row.gitBranch ?? ''),
      `${age(row.modifiedMs, nowMs)} ago`,
      counted(row.turns, 'turn'),
      size(row.sizeBytes),
      shortModel(safeLine(row.model ?? '')),
      flagsOf(row),
      safeName(row.sessionId.slice(0, 8)),
    ]
    return facts.filter((fact) => fact !== '')
  }
  const hit = mode === 'search' ? search.hits[selected] : undefined
  return hit === undefined ? [] : [shortPath(safeLine(hit.project), home)]
}

function textLines(view: PickerView, area: PreviewArea, { style }: PickerLayout): readonly string[] {
  const { preview } = view
  if (preview.state === 'reading') return [style.dim('reading…')]
  if (preview.state === 'failed')
    return [style.bad(cutTo(`It cannot be shown: ${safeLine(preview.message)}`, area.columns))]
  const words = wordsOf(view)
  return preview.lines.slice(preview.top, preview.top + area.textRows).map(({ text, tone }) => {
    const marks: readonly Range[] = tone === 'rule' ? [] : foldedRanges(text, words)
    const plain = tone === 'prompt' ? style.prompt : tone === 'rule' ? style.dim : (rest: string) => rest
    return paintMarked({ text, marks }, style.note, plain)
  })
}

/** What a hit marks is highlighted wherever else it stands; the words of a query may be more than words. */
function wordsOf({ mode, search, selected, typed }: PickerView): readonly string[] {
  if (mode === 'list') return foldedWords(typed)
  const hit = search.hits[selected]
  return foldedWords(hit?.marks.map(([from, to]) => hit.snippet.slice(from, to)).join(' ') ?? '')
}
