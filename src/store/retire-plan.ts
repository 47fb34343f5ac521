// Which sessions a rule would retire, and what keeps some of them. Pure: rows in, a plan out.

export interface RetireRow {
  readonly sessionId: string
  readonly projectKey: string
  readonly title: string
  /** Of the last record: copying or touching a file does not make it younger. */
  readonly modifiedMs: number
  /** Transcript and folder together. */
  readonly sizeBytes: number
  readonly path: string
  /** `<session>/` beside the transcript; null when there is none. */
  readonly folder: string | null
  readonly isLive: boolean
  readonly isPinned: boolean
  readonly isArchived: boolean
}

export type RetireRule =
  | { readonly kind: 'older-than'; readonly beforeMs: number }
  | { readonly kind: 'keep-last'; readonly count: number }
  | { readonly kind: 'max-size'; readonly sizeBytes: number }
  /** Somebody said which. */
  | { readonly kind: 'named' }

export type RetireReason =
  | { readonly kind: 'older-than'; readonly ageDays: number }
  /** Its place among all, the newest being 1. */
  | { readonly kind: 'keep-last'; readonly place: number }
  /** How much too much there still was when its turn came. */
  | { readonly kind: 'max-size'; readonly overBytes: number }
  | { readonly kind: 'named' }

export type Hold = 'live' | 'pinned' | 'unarchived'

export interface RetireChoice {
  readonly row: RetireRow
  readonly reason: RetireReason
  /** Why it stays although the rule chose it; null for what goes. */
  readonly heldBy: Hold | null
}

export interface RetirePlan {
  readonly rule: RetireRule
  /** What the rule chose, the oldest first. */
  readonly choices: readonly RetireChoice[]
  readonly totalCount: number
  readonly totalBytes: number
}

export interface PlanOptions {
  readonly nowMs: number
  /** What has no second copy in an archive may go too. */
  readonly evenUnarchived: boolean
}

const DAY_MS = 86_400_000

export function planRetirement(rows: readonly RetireRow[], rule: RetireRule, options: PlanOptions): RetirePlan {
  const oldestFirst = [...rows].sort(
    (one, other) => one.modifiedMs - other.modifiedMs || (one.path < other.path ? -1 : 1),
  )
  const choices = chosenBy(rule, oldestFirst, options.nowMs).map(({ row, reason }) => ({
    row,
    reason,
    heldBy: heldBy(row, options),
  }))
  return { rule, choices, totalCount: rows.length, totalBytes: sumOf(rows) }
}

interface Chosen {
  readonly row: RetireRow
  readonly reason: RetireReason
}

function chosenBy(rule: RetireRule, oldestFirst: readonly RetireRow[], nowMs: number): readonly Chosen[] {
  switch (rule.kind) {
    case 'older-than':
      return oldestFirst
        .filter(({ modifiedMs }) => modifiedMs < rule.beforeMs)
        .map((row) => ({
          row,
          reason: { kind: rule.kind, ageDays: Math.floor((nowMs - row.modifiedMs) / DAY_MS) },
        }))
    case 'keep-last':
      return oldestFirst
        .slice(0, Math.max(0, oldestFirst.length - rule.count))
        .map((row, index) => ({ row, reason: { kind: rule.kind, place: oldestFirst.length - index } }))
    case 'max-size':
      return beyondSize(rule.sizeBytes, oldestFirst)
    case 'named':
      return oldestFirst.map((row) => ({ row, reason: rule }))
  }
}

/**
 * What is live or pinned cannot make room, so the next ones are asked. What is not archived counts as if it could: else
 * the same rule would choose other sessions once their owner allows them to go.
 */
function beyondSize(sizeBytes: number, oldestFirst: readonly RetireRow[]): readonly Chosen[] {
  const chosen: Chosen[] = []
  let overBytes = sumOf(oldestFirst) - sizeBytes
  for (const row of oldestFirst) {
    if (overBytes <= 0) break
    chosen.push({ row, reason: { kind: 'max-size', overBytes } })
    if (!row.isLive && !row.isPinned) overBytes -= row.sizeBytes
  }
  return chosen
}

function heldBy(row: RetireRow, { evenUnarchived }: PlanOptions): Hold | null {
  if (row.isLive) return 'live'
  if (row.isPinned) return 'pinned'
  return row.isArchived || evenUnarchived ? null : 'unarchived'
}

function sumOf(rows: readonly RetireRow[]): number {
  return rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
