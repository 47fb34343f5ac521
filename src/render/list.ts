// The list of conversations: a table for people, JSON Lines for programs.

import { excerpt } from '../base/text.ts'
import type { ConversationSummary } from '../conversation/summary.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { age, counted, iso, size } from './units.ts'
import { cutStartTo, cutTo, isPlain, widthOf } from './width.ts'

export interface ListRow extends ConversationSummary {
  readonly modifiedMs: number
  readonly sizeBytes: number
  readonly isCopy: boolean
}

export interface ListLayout {
  readonly columns: number
  readonly nowMs: number
  readonly home: string
  readonly style: Style
}

export function listJson(row: ListRow): string {
  const { createdMs, modifiedMs, lastRecordMs: _, ...facts } = row
  return toJson({ ...facts, createdAt: iso(createdMs), modifiedAt: iso(modifiedMs) })
}

/** What a line of the table says, whenever and wherever it is shown. */
export interface ListCells {
  readonly modifiedMs: number
  /** Of every column; the age is not known yet, and the project is a whole path. */
  readonly cells: readonly string[]
  /** Every cell is as wide as it is long. */
  readonly isPlain: boolean
}

export function listCells(row: ListRow): ListCells {
  const cells = [
    '',
    safeName(excerpt(row.sessionId, 8)),
    safeLine(row.title) || '(no title)',
    safeLine(row.project),
    safeLine(row.gitBranch ?? ''),
    String(row.turns),
    size(row.sizeBytes),
    shortModel(safeLine(row.model ?? '')),
    flagsOf(row),
  ]
  // Asked once a line: to measure cell by cell takes longer than to read them all from the index.
  return { modifiedMs: row.modifiedMs, cells, isPlain: isPlain(cells.join('')) }
}

export function listTable(rows: readonly ListCells[], { columns, nowMs, home, style }: ListLayout): string {
  const lines: Line[] = [{ cells: HEADS, isPlain: true }]
  for (const row of rows) {
    const cells = row.cells.slice()
    cells[AGE] = age(row.modifiedMs, nowMs)
    cells[PROJECT] = shortPath(cells[PROJECT] ?? '', home)
    lines.push({ cells, isPlain: row.isPlain })
  }
  const widths = widthsFor(lines, columns)
  const [head = '', ...others] = lines.map((line) => lineText(line, widths))
  return [style.dim(head), ...others].join('\n')
}

const HEADS: readonly string[] = ['AGE', 'ID', 'TITLE', 'PROJECT', 'BRANCH', 'TURNS', 'SIZE', 'MODEL', 'FLAGS']

type Line = Pick<ListCells, 'cells' | 'isPlain'>

function lineText({ cells, isPlain }: Line, widths: readonly number[]): string {
  let text = ''
  for (let column = 0; column < widths.length; column++) {
    const width = widths[column] as number
    if (width === 0) continue
    const cell = cells[column] as string
    // Most are: nothing has to be measured or cut.
    const fits = isPlain && cell.length <= width
    const shown = fits ? cell : cutCell(cell, column, width)
    const columns = fits ? width : width + shown.length - widthOf(shown)
    text += isNumeric(column) ? `${shown.padStart(columns)}  ` : shown.padEnd(columns + 2)
  }
  return text.trimEnd()
}

function cutCell(cell: string, column: number, width: number): string {
  return column === PROJECT ? cutStartTo(cell, width) : cutTo(cell, width)
}

function isNumeric(column: number): boolean {
  return column === AGE || column === TURNS || column === SIZE
}

/** How wide a column may be. */
const MOST: readonly number[] = [4, 8, 200, 36, 18, 5, 7, 14, 40]
const AGE = 0
const TITLE = 2
const PROJECT = 3
const TURNS = 5
const SIZE = 6

export function flagsOf(row: ListRow): string {
  const flags: string[] = []
  if (row.isCopy) flags.push('archive copy')
  if (row.forkOf !== null) flags.push('fork')
  if (row.continues !== null) flags.push('continued')
  if (row.segments > 1) flags.push(counted(row.segments - 1, 'compaction'))
  if (row.branches > 1) flags.push(`${row.branches} branches`)
  if (row.subagents > 0) flags.push(counted(row.subagents, 'agent'))
  if (row.problems > 0) flags.push(counted(row.problems, 'problem'))
  return flags.join(', ')
}

export function shortPath(path: string, home: string): string {
  return home !== '' && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path
}

export function shortModel(model: string): string {
  return model.replace(/^claude-/, '').replace(/-\d{8}$/, '')
}

/** Columns shrink from the right; the title keeps what is left, and never less than a readable stretch. */
function widthsFor(lines: readonly Line[], columns: number): readonly number[] {
  const widths = MOST.map(() => 0)
  for (const [column, most] of MOST.entries()) {
    let widest = 0
    for (let index = 0; index < lines.length && widest < most; index++) {
      const { cells, isPlain } = lines[index] as Line
      const cell = cells[column] as string
      const width = isPlain ? cell.length : widthOf(cell, most)
      if (width > widest) widest = Math.min(most, width)
    }
    widths[column] = widest
  }
  const total = (): number => widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), -2)
  widths[TITLE] = Math.max(24, Math.min(widths[TITLE] ?? 0, columns - (total() - (widths[TITLE] ?? 0))))
  if (total() > columns) widths[PROJECT] = Math.max(12, (widths[PROJECT] ?? 0) - (total() - columns))
  for (const column of [7, 4, 6, 8, 5]) if (total() > columns) widths[column] = 0
  if (total() > columns) widths[PROJECT] = 0
  if (total() > columns) widths[TITLE] = Math.max(8, (widths[TITLE] ?? 0) - (total() - columns))
  widths[TITLE] = Math.max(widths[TITLE] ?? 0, Math.min(60, (widths[TITLE] ?? 0) + columns - total()))
  return widths
}
