// Spill → hits, one for each physical line on which a match begins.

import { excerptAround } from './scan-excerpt.ts'
import type { ScanHit } from './scan-model.ts'
import type { Matcher, Span } from './scan-pattern.ts'
import type { PieceSizes, TextPiece } from './scan-pieces.ts'
import { textPieces } from './scan-pieces.ts'

export function* matchSpill(
  path: string,
  fd: number,
  sizeBytes: number,
  matcher: Matcher,
  sizes?: PieceSizes,
): Generator<ScanHit, void, void> {
  let line: SpillLine = { number: 1, offset: 0 }
  for (const piece of textPieces(fd, 0, sizeBytes, sizes)) {
    line = yield* matchPiece(path, piece, line, matcher)
  }
}

/** A line and the file offset where it begins. */
interface SpillLine {
  readonly number: number
  readonly offset: number
}

/** Returns the line on which the piece ends. */
function* matchPiece(
  path: string,
  piece: TextPiece,
  firstLine: SpillLine,
  matcher: Matcher,
): Generator<ScanHit, SpillLine, void> {
  const lines = openLines(piece, firstLine)
  const find = matcher(piece.text)
  const ownFind = (from: number): Span | null => {
    const span = find(from)
    return span !== null && span.start < piece.length ? span : null
  }
  for (let span = ownFind(0); span !== null; ) {
    const { number, offset, length, textEnd } = lines.lineAt(span.start)
    const excerpt = excerptAround(piece.text, span)
    let count = 0
    while (span !== null && span.start < textEnd) {
      count++
      // An empty match says enough about its line.
      span = ownFind(span.end > span.start ? span.end : textEnd)
    }
    yield {
      path,
      isSpill: true,
      line: number,
      offset,
      length,
      uuid: null,
      timestampMs: null,
      field: '',
      excerpt,
      count,
    }
  }
  return lines.lineAt(piece.length)
}

interface FoundLine extends SpillLine {
  readonly length: number
  /** Where in the text of the piece the line ends, with its line end. */
  readonly textEnd: number
}

/**
 * Lines by place in the text, asked for in rising order. Text and bytes are walked side by side, from line end to line end:
 * bytes that are no UTF-8 make characters of another length, but never a line end.
 */
function openLines(
  { text, bytes, offset: pieceOffset }: TextPiece,
  first: SpillLine,
): { readonly lineAt: (at: number) => FoundLine } {
  let { number, offset } = first
  let textEnd = lineEnd(text, 0)
  let byteEnd = lineEnd(bytes, 0)
  return {
    lineAt: (at) => {
      while (textEnd <= at && textEnd < text.length) {
        number++
        offset = pieceOffset + byteEnd
        textEnd = lineEnd(text, textEnd)
        byteEnd = lineEnd(bytes, byteEnd)
      }
      return { number, offset, length: pieceOffset + byteEnd - offset, textEnd }
    },
  }
}

function lineEnd(within: string | Buffer, from: number): number {
  const newline = within.indexOf('\n', from)
  return newline === -1 ? within.length : newline + 1
}
