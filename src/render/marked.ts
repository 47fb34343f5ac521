// One line of text with stretches of it highlighted. It is measured and cut as plain text and painted last.

import type { Range } from '../base/fold.ts'
import { graphemesOf } from '../base/graphemes.ts'
import { safe } from './terminal.ts'
import { cutTo, widthOf } from './width.ts'

export interface MarkedText {
  readonly text: string
  /** In order, none of them overlapping; of what is to be painted, whole graphemes. */
  readonly marks: readonly Range[]
}

/** Content on one line, made safe piece by piece so that the marks stay where they were. */
export function safeMarked({ text, marks }: MarkedText): MarkedText {
  const moved: Range[] = []
  let result = ''
  let at = 0
  const add = (to: number): void => {
    const piece = safe(text.slice(at, to)).replace(/\s+/g, ' ')
    result += result === '' || result.endsWith(' ') ? piece.trimStart() : piece
    at = to
  }
  for (const [from, to] of marks) {
    if (from < at || to <= from || to > text.length) continue
    add(from)
    const start = result.length
    add(to)
    moved.push([start, result.length])
  }
  add(text.length)
  return { text: result, marks: moved.length === 0 ? moved : wholeMarks(result, moved) }
}

/** Marks grow to whole graphemes: a colour inside of one would take it apart. */
function wholeMarks(text: string, marks: readonly Range[]): readonly Range[] {
  const whole: Range[] = []
  for (const { text: one, offset } of graphemesOf(text)) {
    const end = offset + one.length
    if (!marks.some(([from, to]) => from < end && to > offset)) continue
    const last = whole.at(-1)
    if (last?.[1] === offset) whole[whole.length - 1] = [last[0], end]
    else whole.push([offset, end])
  }
  return whole
}

/** Cut to fit; where the first mark would be cut off, the text begins shortly before it instead. */
export function fitMarked(marked: MarkedText, columns: number): MarkedText {
  const { text, marks } = startingNear(marked, columns)
  const cut = cutTo(text, columns)
  if (cut === text) return { text, marks }
  const kept = cut.length - 1
  return { text: cut, marks: marks.flatMap(([from, to]) => (from < kept ? [[from, Math.min(to, kept)] as const] : [])) }
}

function startingNear(marked: MarkedText, columns: number): MarkedText {
  const { text, marks } = marked
  const first = marks[0]
  if (first === undefined || widthOf(text.slice(0, first[1]), columns) < columns) return marked
  const room = Math.floor(columns / 3)
  // Nearly every grapheme is one code unit or two, so this is about a third of the line.
  const earliest = Math.max(0, first[0] - room)
  const starts = [...graphemesOf(text.slice(earliest, first[0]))].map(({ offset }) => earliest + offset)
  const isWordStart = (offset: number): boolean => text[offset - 1] === ' ' && offset <= earliest + room / 2
  // The first of them may be the second half of something.
  const start = starts.find(isWordStart) ?? starts[1] ?? first[0]
  const by = start - 1
  return {
    text: `…${text.slice(start)}`,
    marks: marks.flatMap(([from, to]) => (from >= start ? [[from - by, to - by] as const] : [])),
  }
}

type Paint = (text: string) => string

export function paintMarked({ text, marks }: MarkedText, paint: Paint, plain: Paint = (rest) => rest): string {
  let painted = ''
  let at = 0
  for (const [from, to] of marks) {
    painted += plain(text.slice(at, from)) + paint(text.slice(from, to))
    at = to
  }
  return painted + plain(text.slice(at))
}
