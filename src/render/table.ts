// Columns for a few facts a line, in as many columns of the terminal as there are. The last one takes what is left of the
// line; the others are as wide as they need. Where that is too much, paths get shorter, and then columns go.

import type { Style } from './style.ts'
import { cutStartTo, cutTo, pad, padStart, widthOf } from './width.ts'

export interface TableLayout {
  readonly columns: number
  readonly style: Style
  /** Columns of numbers, by place: set to the right. */
  readonly numeric: readonly number[]
  /** Columns of paths: of those the end says the most. */
  readonly paths?: readonly number[]
  /** Columns that a narrow table does without, those first that are missed least. */
  readonly spare?: readonly number[]
}

const CELL_MAX = 40
const PATH_MIN = 12
/** A readable stretch of the last column, and the least of it that is worth a line. */
const LAST_ENOUGH = 24
const LAST_MIN = 8

export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  layout: TableLayout,
): readonly string[] {
  const widths = widthsFor(heads, rows, layout)
  const last = heads.length - 1
  const line = (cells: readonly string[]): string =>
    cells
      .flatMap((cell, column) => {
        const width = widths[column] ?? 0
        if (width === 0) return []
        const cut = layout.paths?.includes(column) ? cutStartTo(cell, width) : cutTo(cell, width)
        if (layout.numeric.includes(column)) return padStart(cut, width)
        return column === last ? cut : pad(cut, width)
      })
      .join('  ')
      .trimEnd()
  return [layout.style.dim(line(heads)), ...rows.map(line)]
}

function widthsFor(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  layout: TableLayout,
): readonly number[] {
  const { columns, paths = [], spare = [] } = layout
  const last = heads.length - 1
  const natural = heads.map((head, column) => {
    const most = column === last ? columns : CELL_MAX
    return rows.reduce((widest, row) => Math.max(widest, Math.min(most, widthOf(row[column] ?? '', most))), head.length)
  })
  // A column in which nothing stands is the first to go.
  const empty = heads.flatMap((_, column) => (rows.some((row) => row[column]) ? [] : [column]))
  const going = [...empty.filter((column) => column !== last), ...spare]
  let widths = fitted(natural, columns, paths)
  for (let gone = 1; gone <= going.length && totalOf(widths) > columns; gone++) {
    const left = natural.map((width, column) => (going.slice(0, gone).includes(column) ? 0 : width))
    widths = fitted(left, columns, paths)
  }
  const over = Math.max(0, totalOf(widths) - columns)
  return widths.with(last, Math.max(LAST_MIN, (widths[last] ?? 0) - over))
}

/** The last column gives way first, as long as it can be read; then the paths do. */
function fitted(natural: readonly number[], columns: number, paths: readonly number[]): number[] {
  const widths = [...natural]
  const shrink = (column: number, least: number): void => {
    const width = widths[column] ?? 0
    widths[column] = Math.min(width, Math.max(least, width - Math.max(0, totalOf(widths) - columns)))
  }
  shrink(natural.length - 1, LAST_ENOUGH)
  for (const column of paths) shrink(column, PATH_MIN)
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), -2)
}
