// A tool call that was opened.

import type { CallLine, Text } from './rows.ts'

/** GET /api/conversations/:id/call?row=N&call=ID (and which Reading): a tool call opened. */
export interface CallView {
  readonly line: CallLine
  readonly face: CallFace
  /** As the tool wrote it, ANSI colours and all. */
  readonly output: Text
  readonly images: readonly ImageView[]
  /** The whole of an output that was too long for its record; /spill?row=N&call=ID brings it. */
  readonly spill: { readonly path: string; readonly bytes: number | null } | null
}

export interface ImageView {
  /** /image?ref=REF&number=N */
  readonly ref: string
  readonly number: number
  /** Null for a kind that is never shown, SVG say. */
  readonly kind: 'png' | 'jpeg' | 'gif' | 'webp' | null
  readonly bytes: number
}

/** How the input of a call is best shown. */
export type CallFace =
  | { readonly kind: 'shell'; readonly command: string; readonly description: string }
  | { readonly kind: 'change'; readonly path: string; readonly hunks: readonly DiffHunk[] }
  | { readonly kind: 'todos'; readonly todos: readonly { readonly text: string; readonly status: string }[] }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly QuestionView[] }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'input'; readonly json: string | null }

export interface QuestionView {
  readonly question: string
  readonly options: readonly string[]
  readonly answer: string | null
}

export interface DiffHunk {
  readonly oldStart: number | null
  readonly newStart: number | null
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[]
}
