// The notebook by day.

/** GET /api/journal/days and GET /api/journal?date=2026-11-14 */
export interface JournalDays {
  readonly days: readonly { readonly day: string; readonly projects: number; readonly turns: number }[]
}

export interface JournalDay {
  readonly day: string
  /** The page as the notebook has it. */
  readonly markdown: string
  readonly before: string | null
  readonly after: string | null
  /** Where a text in backticks leads to: `2ab65b76#07338147`, `claude --resume …`. */
  readonly citations: Readonly<Record<string, CitedPlace>>
}

export interface CitedPlace {
  readonly id: string
  readonly agentId: string | null
  /** A uuid or @offset; null for the conversation as a whole. */
  readonly record: string | null
}
