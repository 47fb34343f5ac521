// What `--exact` and `--regex` ask and what they answer. Types only: they cross threads, so they are plain JSON.

import type { Problem } from '../base/problem.ts'

export interface ScanPattern {
  readonly kind: 'exact' | 'regex'
  readonly text: string
  readonly ignoreCase: boolean
}

/** A Transcript, or a Spill: tool output as plain text. */
export interface ScanTarget {
  readonly path: string
  readonly sizeBytes: number
  readonly isSpill: boolean
}

/** A Record some text of which matches; in a Spill, a physical line on which a match begins. */
export interface ScanHit {
  readonly path: string
  readonly isSpill: boolean
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly uuid: string | null
  readonly timestampMs: number | null
  /** Dotted path of the text inside the Record; '' where only bytes could be searched. */
  readonly field: string
  readonly excerpt: Excerpt
  /** Matches in what a reader sees of the Record, or, if there are none, in the rest of it. */
  readonly count: number
}

/** A piece of the text and where in it the match stands. A match longer than the piece ends where the piece does. */
export interface Excerpt {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface ScanLimits {
  readonly limitPerFile?: number
  readonly limit?: number
}

export interface ScanOptions extends ScanLimits {
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void
  /** Ends the scan: its promise is rejected with the reason. */
  readonly signal?: AbortSignal
}

export interface ScanResult {
  /** In the order of the targets, and of the lines in each. */
  readonly hits: readonly ScanHit[]
  /** There are more than the limits let through, or the pattern was given up. */
  readonly isCut: boolean
  readonly problems: readonly Problem[]
}
