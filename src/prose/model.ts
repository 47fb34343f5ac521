// Prose from cited lines. In: lines that name the Records they rest on. Out: paragraphs that still do. Between the two
// stands a language model, reached by a Route; everything it is sent has passed the Redactor.

import type { Citation } from '../digest/model.ts'
import type { Redactor } from '../redact/model.ts'

export interface CitedLine {
  readonly text: string
  /** None: the model gave no source for it, and whoever shows it should say so. */
  readonly cites: readonly Citation[]
}

/** What becomes one piece of prose: one project of one day, say. */
export interface ProseTask {
  readonly id: string
  readonly heading: string
  readonly lines: readonly CitedLine[]
}

export interface Price {
  readonly inputPerMillion: number
  readonly outputPerMillion: number
}

/** What is known of a call, or of many. */
export interface Spending {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** In US dollars. Null: tokens without a price. */
  readonly costUsd: number | null
}

/** One question to a model. */
export interface Ask {
  readonly system: string
  readonly prompt: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** For a Route that can stop by itself; null where there is no price to count with. */
  readonly budgetUsd: number | null
}

export interface Answer {
  readonly text: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** What the Route itself says it cost; null where it does not say. */
  readonly costUsd: number | null
  /** The model stopped because it may say no more. */
  readonly isCut: boolean
}

export type RouteKind = 'claude' | 'anthropic' | 'openai'

export interface RouteOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Without one, the small model of the Route. */
  readonly model?: string
}

/** A way to a model. */
export interface Route {
  readonly kind: RouteKind
  readonly model: string
  /** The full name behind a short one, for a table of prices. */
  readonly pricedAs: string
  /** What is asked, told in the cache key: the same model name means another thing at another address. */
  readonly address: string
  /** A server of one's own, on this machine or its network: nobody sends a bill. */
  readonly isLocal: boolean
  /** The most it may say, thinking included. */
  readonly answerTokensMax: number
  /** Tokens it adds to each call by itself. */
  readonly overheadTokens: number
  /** Throws a ProseError and nothing else. Tries once: repeating is done in one place for all Routes. */
  readonly ask: (ask: Ask) => Promise<Answer>
}

export interface ProseProgress {
  readonly done: number
  readonly total: number
}

export interface ProseOptions {
  readonly route: Route
  readonly redactor: Redactor
  readonly priceOf: (model: string) => Price | null
  readonly maxCostUsd: number
  /** Input and output together; null for no bound but the cost. Needed where the model has no known price. */
  readonly maxTokens: number | null
  /** Null keeps nothing. */
  readonly cacheFolder: string | null
  /** The language to write in: “German”. */
  readonly language?: string
  /** The reader's own wishes about form and tone. */
  readonly instructions?: string
  /** What goes to the model at once; longer tasks are split. */
  readonly partTokensMax?: number
  readonly concurrency?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ProseProgress) => void
  /** How often a call is made again after a failure that may pass. */
  readonly retries?: number
  /** For one attempt. */
  readonly timeoutMs?: number
  /** The first pause before another attempt; it doubles. */
  readonly pauseMs?: number
}

export type ProseState = 'written' | 'cached' | 'failed' | 'skipped'

/** With what was spent on it in this run. */
export interface ProseResult extends Spending {
  readonly id: string
  readonly state: ProseState
  readonly paragraphs: readonly CitedLine[]
  /** One line; null when there are paragraphs. */
  readonly error: string | null
}

export interface ProseReport {
  /** One for each task, in their order. */
  readonly results: readonly ProseResult[]
  /** What was expected, at most, of the tasks that were begun. */
  readonly estimate: Spending
  readonly spent: Spending
  /** Why nothing could be kept for the next time; null when it could. */
  readonly cacheProblem: string | null
}
