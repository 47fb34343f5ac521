// How the screen is shared out. A wide one has the preview beside the list, a narrow one below it, a low one none.

import type { Area, ScreenSize } from './piece.ts'

export interface Geometry {
  readonly list: Area
  /** Lines for each conversation or hit. */
  readonly rowLines: number
  /** How many of them fit. */
  readonly page: number
  readonly preview: PreviewArea | null
}

export interface PreviewArea extends Area {
  readonly place: 'beside' | 'below'
  /** The lines that are left below its head. */
  readonly textRows: number
}

export const SIZE_MIN: ScreenSize = { columns: 24, rows: 6 }

const BESIDE_COLUMNS_MIN = 110
const BELOW_ROWS_MIN = 11
/** The title, what is known about it and a space between. */
const HEAD_ROWS = { beside: 4, below: 2 } as const
/** The line for typing and the rule below it; the last line is for the keys. */
const TOP_ROWS = 2

/** Null when there is no room for anything but saying so. */
export function geometryOf(size: ScreenSize, mode: 'list' | 'search', total: number): Geometry | null {
  const { columns } = size
  if (columns < SIZE_MIN.columns || size.rows < SIZE_MIN.rows) return null
  const rows = size.rows - TOP_ROWS - 1
  const rowLines = mode === 'search' && rows >= 6 ? 2 : 1
  const whole: Area = { column: 0, row: TOP_ROWS, columns, rows }
  if (columns >= BESIDE_COLUMNS_MIN) {
    const list = { ...whole, columns: Math.min(90, Math.floor(columns * 0.48)) }
    // A space, a rule and a space stand between the two.
    const column = list.columns + 3
    return shared(list, rowLines, preview({ ...whole, column, columns: columns - column }, 'beside'))
  }
  if (rows < BELOW_ROWS_MIN) return shared(whole, rowLines, null)
  const most = Math.floor(rows * (mode === 'search' ? 0.6 : 0.45))
  const list = { ...whole, rows: mode === 'search' ? most - (most % 2) : Math.min(most, Math.max(3, total)) }
  return shared(list, rowLines, preview({ ...whole, row: TOP_ROWS + list.rows, rows: rows - list.rows }, 'below'))
}

function shared(list: Area, rowLines: number, preview: PreviewArea | null): Geometry {
  return { list, rowLines, page: Math.max(1, Math.floor(list.rows / rowLines)), preview }
}

function preview(area: Area, place: 'beside' | 'below'): PreviewArea {
  return { ...area, place, textRows: Math.max(0, area.rows - HEAD_ROWS[place]) }
}
