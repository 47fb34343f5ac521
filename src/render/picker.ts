// The picker as lines of a screen: a line for typing, the list, the preview beside or below it, and the keys. Whatever
// was read or typed goes through safeLine and is cut to its place; nothing is wider than the screen.

import { footerText } from './picker-footer.ts'
import type { Geometry } from './picker-geometry.ts'
import { geometryOf, SIZE_MIN } from './picker-geometry.ts'
import { listPane } from './picker-list.ts'
import { previewPane } from './picker-preview.ts'
import type { PickerLayout, PickerView } from './picker-view.ts'
import type { Piece, ScreenFrame, ScreenLine } from './piece.ts'
import { safeLine, safeName } from './terminal.ts'
import { count, counted } from './units.ts'
import { cutStartTo, cutTo, widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

export function pickerFrame(view: PickerView, layout: PickerLayout): ScreenFrame {
  const { size } = layout
  const geometry = geometryOf(size, view.mode, view.total)
  if (geometry === null) return { lines: tinyLines(layout), cursor: null }
  const lines: Piece[][] = Array.from({ length: size.rows }, () => [])
  const place = (row: number, pieces: ScreenLine): void => {
    lines[row]?.push(...pieces)
  }
  const top = topLine(view, layout)
  place(0, top.pieces)
  place(1, [{ column: 0, text: layout.style.dim(topRule(size.columns, geometry)) }])
  const listed = listPane(view, geometry, layout)
  const body = listed.length > 0 ? listed : emptyLines(view, geometry, layout)
  for (const [row, line] of body.entries()) place(geometry.list.row + row, line)
  if (geometry.preview !== null) {
    const { row, rows, place: where, column } = geometry.preview
    if (where === 'beside')
      for (let line = row; line < row + rows; line++) place(line, [{ column: column - 2, text: layout.style.dim('│') }])
    for (const [line, pieces] of previewPane(view, geometry.preview, layout).entries()) place(row + line, pieces)
  }
  place(size.rows - 1, [{ column: 0, text: footerText(view, size.columns, layout.style) }])
  return { lines: lines.map((line) => line.filter(({ text }) => text !== '')), cursor: top.cursor }
}

function tinyLines({ size }: PickerLayout): readonly ScreenLine[] {
  const text = `This terminal is too small (${size.columns}×${size.rows}); ${SIZE_MIN.columns}×${SIZE_MIN.rows} is enough. Esc leaves.`
  return wrapLine(text, size.columns, size.rows).map((line) => [{ column: 0, text: line }])
}

function topRule(columns: number, { preview }: Geometry): string {
  if (preview?.place !== 'beside') return '─'.repeat(columns)
  return `${'─'.repeat(preview.column - 2)}┬${'─'.repeat(preview.columns + 1)}`
}

interface TopLine {
  readonly pieces: readonly Piece[]
  readonly cursor: ScreenFrame['cursor']
}

const TYPED_COLUMNS_MIN = 8

function topLine(view: PickerView, { size, style }: PickerLayout): TopLine {
  const label = view.mode === 'search' ? 'Full text: ' : 'Filter: '
  const isTyping = view.focus === 'filter'
  const start = widthOf(label)
  const counts = countsText(view)
  const countsColumn = size.columns - widthOf(counts)
  const hasCounts = countsColumn - start - 2 >= TYPED_COLUMNS_MIN
  // One column is the cursor's.
  const room = (hasCounts ? countsColumn - 2 : size.columns) - start - 1
  const typed = cutStartTo(safeName(view.typed), room)
  const hint = view.typed === '' ? cutTo(hintFor(view), room) : ''
  const pieces = [
    { column: 0, text: (isTyping ? style.prompt : style.dim)(label.trimEnd()) },
    { column: start, text: hint === '' ? typed : style.dim(hint) },
    { column: countsColumn, text: hasCounts ? style.dim(counts) : '' },
  ]
  return { pieces, cursor: isTyping ? { row: 0, column: start + widthOf(typed) } : null }
}

function hintFor(view: PickerView): string {
  if (view.focus === 'list') return ''
  return view.mode === 'search' ? 'type what was said' : 'type to narrow titles, prompts, projects'
}

function countsText({ mode, search, matches, total, typed }: PickerView): string {
  if (mode === 'list')
    return typed.trim() === '' ? counted(total, 'conversation') : `${count(matches.length)} of ${count(total)}`
  if (search.state === 'running') return 'searching…'
  return search.state === 'done' ? `${count(search.hits.length)} found` : ''
}

function emptyLines(view: PickerView, { list }: Geometry, { style }: PickerLayout): readonly ScreenLine[] {
  const sentences = emptySentences(view)
  return sentences
    .slice(0, list.rows)
    .map((text, row) => [{ column: 2, text: (row === 0 ? style.bold : style.dim)(cutTo(text, list.columns - 2)) }])
}

function emptySentences({ mode, search, typed, total }: PickerView): readonly string[] {
  const words = safeLine(typed)
  if (mode === 'list') {
    if (total === 0) return ['There are no conversations here.']
    return [`Nothing matches “${words}”.`, 'Enter searches the full text for it.']
  }
  if (search.state === 'running') return ['Searching…']
  if (search.state === 'failed') return ['The search failed.', safeLine(search.message)]
  if (search.state === 'done') return [`No conversation holds “${words}”.`, 'Esc goes back to the list.']
  return ['What was said?', 'Everything in every conversation is searched, answers and tools too.']
}
