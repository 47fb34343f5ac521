// Columns for a few facts a line. The last one takes what is left of the line; the others are as wide as they need.

import type { Style } from './style.ts'
import { cutTo, pad, padStart, widthOf } from './width.ts'

export interface TableLayout {
  readonly columns: number
  readonly style: Style
  /** Columns of numbers, by place: set to the right. */
  readonly numeric: readonly number[]
}

const CELL_MAX = 40
const LAST_MIN = 16

export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  layout: TableLayout,
): readonly string[] {
  const last = heads.length - 1
  const widths = heads.map((head, column) =>
    rows.reduce(
      (longest, row) => Math.max(longest, Math.min(CELL_MAX, widthOf(row[column] ?? '', CELL_MAX))),
      head.length,
    ),
  )
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0)
  widths[last] = Math.max(LAST_MIN, layout.columns - before)
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        const cut = cutTo(cell, width)
        if (layout.numeric.includes(column)) return padStart(cut, width)
        return column === last ? cut : pad(cut, width)
      })
      .join('  ')
      .trimEnd()
  return [layout.style.dim(line(heads)), ...rows.map(line)]
}
