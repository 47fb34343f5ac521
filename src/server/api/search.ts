// What a search found.

/** GET /api/search?q=…&in=prompts,files&since=7d&until=…&project=…&tool=…&file=…&limit=N&typing=1&deep=1 */
export interface SearchAnswer {
  readonly hits: readonly SearchHitView[]
  readonly total: number
  readonly isBounded: boolean
  /** No word matched: the text was looked for in the bytes. */
  readonly isInBytes: boolean
  readonly tookMs: number
}

export interface SearchHitView {
  readonly id: string
  readonly agentId: string | null
  readonly uuid: string | null
  /** For /place, where the record has no uuid. */
  readonly offset: number
  readonly field: string
  readonly title: string
  readonly project: string
  readonly turn: number | null
  readonly ms: number | null
  readonly snippet: { readonly text: string; readonly marks: readonly (readonly [number, number])[] } | null
  readonly more: number
  readonly isGone: boolean
  readonly isLoose: boolean
}
