// The options with what stands in for those that were not given.

import { safeToSend } from './lines.ts'
import type { ProseOptions } from './model.ts'
import { cutToTokens } from './tokens.ts'

/** Two answers fit into it, so that joining always comes to an end. */
const PART_TOKENS_MIN = 4000
const PART_TOKENS = 20_000
const WISHES_TOKENS_MAX = 1000
const LANGUAGE_TOKENS_MAX = 30

export interface Settings {
  readonly partTokensMax: number
  readonly concurrency: number
  readonly retries: number
  readonly pauseMs: number
  readonly timeoutMs: number
  /** What the reader wants, fit to be sent. */
  readonly wishes: { readonly language: string | null; readonly instructions: string | null }
}

export function settings(options: ProseOptions): Settings {
  const { language, instructions, redactor } = options
  const wish = (text: string | undefined, tokensMax: number): string | null =>
    cutToTokens(safeToSend(text ?? '', redactor), tokensMax) || null
  return {
    partTokensMax: Math.max(PART_TOKENS_MIN, options.partTokensMax ?? PART_TOKENS),
    concurrency: Math.max(1, options.concurrency ?? 2),
    retries: options.retries ?? 3,
    pauseMs: options.pauseMs ?? 1000,
    timeoutMs: options.timeoutMs ?? 120_000,
    wishes: { language: wish(language, LANGUAGE_TOKENS_MAX), instructions: wish(instructions, WISHES_TOKENS_MAX) },
  }
}
