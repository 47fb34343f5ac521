// The lines of a full screen. A line is made of pieces that each begin at a column of their own: terminals disagree about
// how wide some emoji are, and so the disagreement ends with the piece that holds them.

export interface Piece {
  /** From 0. */
  readonly column: number
  /** Safe, on one line, and not wider than what is left to the next piece. */
  readonly text: string
}

export type ScreenLine = readonly Piece[]

export interface ScreenFrame {
  readonly lines: readonly ScreenLine[]
  /** Where the cursor shows; null to hide it. */
  readonly cursor: { readonly row: number; readonly column: number } | null
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** A part of the screen. */
export interface Area extends ScreenSize {
  readonly column: number
  readonly row: number
}
