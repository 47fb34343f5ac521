// What is wrong with files, and what will be deleted.

/** GET /api/health */
export interface Health {
  /** Those with problems, the worst first. */
  readonly files: readonly FileHealth[]
  /** Files with problems that are not sent along because there are so many. */
  readonly filesLeft: number
  readonly totals: HealthTotals
  readonly codes: readonly ProblemTally[]
  readonly drift: readonly {
    readonly kind: string
    readonly name: string
    readonly version: string
    readonly count: number
  }[]
  readonly retention: Retention
  /** What each project takes on disk, the largest first. */
  readonly disk: readonly { readonly project: string; readonly sessions: number; readonly bytes: number }[]
}

/** All problems of one kind, whether they are sent along or not. */
export interface ProblemTally {
  readonly code: string
  readonly severity: string
  readonly meaning: string
  /** What Clew does about it. */
  readonly deed: string
  readonly count: number
  readonly files: number
}

export interface HealthTotals {
  readonly files: number
  readonly bytes: number
  readonly records: number
  readonly problems: number
  readonly lostBytes: number
}

export interface FileHealth {
  /** For /api/health/line?file=ID&offset=N&length=N. */
  readonly file: string
  readonly path: string
  readonly id: string | null
  readonly agentId: string | null
  readonly title: string | null
  readonly sizeBytes: number
  readonly records: number
  /** Records that the live tip reaches. */
  readonly reached: number
  readonly problems: readonly ProblemView[]
  readonly problemsLeft: number
}

export interface ProblemView {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly line: number | null
  readonly offset: number | null
  readonly length: number | null
  readonly count: number
}

/** What the client's clean-up will delete, and where the disk went: lines as `clew doctor` says them. */
export interface Retention {
  readonly days: number | null
  readonly withinDays: number
  readonly expiring: readonly ExpiringView[]
  /** All that go within those days, sent along or not. */
  readonly expiringTotal: number
  readonly lines: readonly string[]
  /** What to write into which settings file, so that they stay. */
  readonly keep: readonly { readonly path: string; readonly line: string }[]
}

export interface ExpiringView {
  readonly id: string
  readonly title: string
  readonly project: string
  readonly sizeBytes: number
  readonly daysLeft: number
}
