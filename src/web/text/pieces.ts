// A long text in pieces of whole lines.

export interface Piece {
  readonly text: string
  readonly offset: number
}

export function linesInPieces(text: string, linesMax: number): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines++
    if (lines < linesMax) continue
    pieces.push({ text: text.slice(start, at + 1), offset: start })
    start = at + 1
    lines = 0
  }
  if (start < text.length || pieces.length === 0) pieces.push({ text: text.slice(start), offset: start })
  return pieces
}
