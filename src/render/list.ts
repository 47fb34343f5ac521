// The list of conversations: a table for people, JSON Lines for programs.

import { excerpt } from '../base/text.ts'
import type { ConversationSummary } from '../conversation/summary.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { age, counted, iso, size } from './units.ts'
import { cutStartTo, cutTo, pad, padStart, widthOf } from './width.ts'

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

export function listTable(rows: readonly ListRow[], layout: ListLayout): string {
  const cells = rows.map((row) => cellsOf(row, layout))
  const heads = ['AGE', 'ID', 'TITLE', 'PROJECT', 'BRANCH', 'TURNS', 'SIZE', 'MODEL', 'FLAGS']
  const widths = widthsFor(heads, cells, layout.columns)
  const line = (values: readonly string[]): string => {
    let text = ''
    for (const [column, value] of values.entries()) {
      const width = widths[column] ?? 0
      if (width === 0) continue
      const cut = column === PROJECT ? cutStartTo(value, width) : cutTo(value, width)
      const padded = NUMERIC.has(column) ? padStart(cut, width) : pad(cut, width)
      text += text === '' ? padded : `  ${padded}`
    }
    return text.trimEnd()
  }
  return [layout.style.dim(line(heads)), ...cells.map(line)].join('\n')
}

const NUMERIC: ReadonlySet<number> = new Set([0, 5, 6])
const TITLE = 2
const PROJECT = 3

function cellsOf(row: ListRow, layout: ListLayout): readonly string[] {
  return [
    age(row.modifiedMs, layout.nowMs),
    safeName(excerpt(row.sessionId, 8)),
    safeLine(row.title) || '(no title)',
    shortPath(safeLine(row.project), layout.home),
    safeLine(row.gitBranch ?? ''),
    String(row.turns),
    size(row.sizeBytes),
    shortModel(safeLine(row.model ?? '')),
    flagsOf(row),
  ]
}

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
function widthsFor(
  heads: readonly string[],
  cells: readonly (readonly string[])[],
  columns: number,
): readonly number[] {
  const most = [4, 8, 200, 36, 18, 5, 7, 14, 40]
  const widths = heads.map((head, column) => {
    const longest = cells.reduce(
      (longest, row) => Math.max(longest, widthOf(row[column] ?? '', most[column])),
      head.length,
    )
    return Math.min(most[column] ?? 0, longest)
  })
  const total = (): number => widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), -2)
  widths[TITLE] = Math.max(24, Math.min(widths[TITLE] ?? 0, columns - (total() - (widths[TITLE] ?? 0))))
  if (total() > columns) widths[PROJECT] = Math.max(12, (widths[PROJECT] ?? 0) - (total() - columns))
  for (const column of [7, 4, 6, 8, 5]) if (total() > columns) widths[column] = 0
  if (total() > columns) widths[PROJECT] = 0
  if (total() > columns) widths[TITLE] = Math.max(8, (widths[TITLE] ?? 0) - (total() - columns))
  widths[TITLE] = Math.max(widths[TITLE] ?? 0, Math.min(60, (widths[TITLE] ?? 0) + columns - total()))
  return widths
}
