// The conversations that match, and the hits of a search: only those that are on the screen are looked at.

import { fold, foldedRanges, foldedWords } from '../base/fold.ts'
import type { ListRow } from './list.ts'
import { shortPath } from './list.ts'
import type { MarkedText } from './marked.ts'
import { fitMarked, paintMarked, safeMarked } from './marked.ts'
import type { Geometry } from './picker-geometry.ts'
import type { PickerHit, PickerLayout, PickerView, WidestCells } from './picker-view.ts'
import type { Piece, ScreenLine } from './piece.ts'
import { safeLine } from './terminal.ts'
import { age } from './units.ts'
import { cutStartTo, cutTo, padStart, widthOf } from './width.ts'

const TITLE_COLUMN = 8
const MARKER = '❯'

/** The lines of the list, from the first visible one on. */
export function listPane(view: PickerView, geometry: Geometry, layout: PickerLayout): readonly ScreenLine[] {
  const { page, list } = geometry
  const length = view.mode === 'search' ? view.search.hits.length : view.matches.length
  const top = topFor(view.selected, page, length)
  const lines: ScreenLine[] = []
  for (let place = top; place < Math.min(length, top + page); place++) {
    const isSelected = place === view.selected
    if (view.mode === 'search') {
      const hit = view.search.hits[place]
      if (hit !== undefined) lines.push(...hitLines(hit, isSelected, view, geometry, layout))
    } else {
      const match = view.matches[place]
      if (match !== undefined) lines.push(rowLine(match.row, isSelected, view, list.columns, layout))
    }
  }
  return lines
}

/** The selected one stays in the middle, so that its neighbours show on both sides. */
function topFor(selected: number, page: number, length: number): number {
  return Math.max(0, Math.min(selected - Math.floor(page / 2), length - page))
}

interface Cells {
  readonly title: number
  readonly project: number
  readonly branch: number
}

/** The title keeps what project and branch leave it; a narrow list does without them. */
function cellsFor(columns: number, widest: WidestCells): Cells {
  const room = columns - TITLE_COLUMN
  const project = room < 34 ? 0 : Math.min(widest.project, Math.floor(room * 0.32))
  const branch = room < 60 ? 0 : Math.min(widest.branch, Math.floor(room * 0.22))
  const taken = [project, branch].reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0)
  return { title: room - taken, project, branch }
}

export function widestCells(rows: readonly ListRow[], home: string): WidestCells {
  const widest = (texts: Iterable<string>): number => {
    let most = 0
    for (const text of texts) most = Math.max(most, widthOf(safeLine(text), CELL_MAX))
    return Math.min(most, CELL_MAX)
  }
  return {
    project: widest(new Set(rows.map((row) => shortPath(row.project, home)))),
    branch: widest(new Set(rows.map((row) => row.gitBranch ?? ''))),
  }
}

const CELL_MAX = 36

function rowLine(
  row: ListRow,
  isSelected: boolean,
  view: PickerView,
  columns: number,
  layout: PickerLayout,
): ScreenLine {
  const { style, nowMs, home, widest } = layout
  const words = foldedWords(view.typed)
  const marked = (text: string): MarkedText => ({ text, marks: foldedRanges(text, words) })
  const cells = cellsFor(columns, widest)
  const branchColumn = columns - cells.branch
  const projectColumn = (cells.branch === 0 ? columns : branchColumn - 2) - cells.project
  const project = shortPath(safeLine(row.project), home)
  const branch = safeLine(row.gitBranch ?? '')
  const titles = titlePieces(row, isSelected, words, cells.title, layout)
  return [
    ...leadOf(age(row.modifiedMs, nowMs), isSelected, layout),
    ...titles,
    ...piece(projectColumn, paintMarked(marked(cutStartTo(project, cells.project)), style.note)),
    ...piece(branchColumn, paintMarked(marked(cutTo(branch, cells.branch)), style.note, style.dim)),
  ]
}

function leadOf(when: string, isSelected: boolean, { style }: PickerLayout): readonly Piece[] {
  return [...(isSelected ? piece(0, style.prompt(MARKER)) : []), ...piece(2, style.dim(padStart(cutTo(when, 4), 4)))]
}

/** The title and, when something matched that is not to be seen in the row, where that stands. */
function titlePieces(
  row: ListRow,
  isSelected: boolean,
  words: readonly string[],
  columns: number,
  { style }: PickerLayout,
): readonly Piece[] {
  const title = safeLine(row.title) || '(no title)'
  const reason = reasonFor(row, title, words)
  const room =
    reason === null ? columns : Math.max(Math.floor(columns * 0.6), columns - 2 - widthOf(reason.text, columns))
  const shown = cutTo(title, room)
  const marks = foldedRanges(shown, words)
  const mark = (text: string): string => (isSelected ? style.bold(style.note(text)) : style.note(text))
  const own = piece(TITLE_COLUMN, paintMarked({ text: shown, marks }, mark, isSelected ? style.bold : undefined))
  if (reason === null) return own
  const used = widthOf(shown) + 2
  const rest = paintMarked(fitMarked(reason, columns - used), style.note, style.dim)
  return [...own, ...piece(TITLE_COLUMN + used, rest)]
}

function reasonFor(row: ListRow, title: string, words: readonly string[]): MarkedText | null {
  const seen = fold([title, row.project, row.gitBranch ?? ''].join('\n'))
  const unseen = words.filter((word) => !seen.includes(word))
  if (unseen.length === 0) return null
  for (const text of [safeLine(row.firstPrompt ?? ''), safeLine(row.sessionId)]) {
    const marks = foldedRanges(text, unseen)
    if (marks.length > 0) return { text, marks }
  }
  return null
}

function hitLines(
  hit: PickerHit,
  isSelected: boolean,
  view: PickerView,
  { list, rowLines }: Geometry,
  layout: PickerLayout,
): readonly ScreenLine[] {
  const { style, home, widest } = layout
  // What is there while the next search runs belongs to the one before.
  const isOld = view.search.state === 'running'
  const cells = cellsFor(list.columns, { ...widest, branch: 0 })
  const title = cutTo(safeLine(hit.title) || '(no title)', cells.title)
  const project = cutStartTo(shortPath(safeLine(hit.project), home), cells.project)
  const first = [
    ...leadOf(hit.ageMs === null ? '' : age(0, hit.ageMs), isSelected, layout),
    ...piece(TITLE_COLUMN, isOld ? style.dim(title) : isSelected ? style.bold(title) : title),
    ...piece(list.columns - cells.project, isOld ? style.dim(project) : project),
  ]
  if (rowLines === 1) return [first]
  const snippet = fitMarked(safeMarked({ text: hit.snippet, marks: hit.marks }), list.columns - TITLE_COLUMN)
  return [first, piece(TITLE_COLUMN, paintMarked(snippet, isOld ? style.dim : style.note, style.dim))]
}

function piece(column: number, text: string): readonly Piece[] {
  return text === '' ? [] : [{ column, text }]
}
