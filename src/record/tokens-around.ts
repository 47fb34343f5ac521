// How many tokens a compaction was made at and left: of before, after and the difference, any two tell the third.

import { number } from './fields.ts'
import type { Body, Boundary, TokensAround } from './model.ts'

export function tokensAround(body: Body | null): TokensAround {
  const before = number(body?.['preTokens'])
  const after = number(body?.['postTokens'])
  const tokensSaved = number(body?.['tokensSaved'])
  if (tokensSaved === null) return { preTokens: before, postTokens: after, tokensSaved }
  const preTokens = before ?? (after === null ? null : after + tokensSaved)
  // Some count a summary, or another thing altogether: less than nothing is left by no compaction.
  const left = before === null || before < tokensSaved ? null : before - tokensSaved
  return { preTokens, postTokens: after ?? left, tokensSaved }
}

export const NO_TOKENS: TokensAround = { preTokens: null, postTokens: null, tokensSaved: null }

/** What a Boundary says of tokens, without the rest of it. */
export function tokensOf(boundary: Boundary | null): TokensAround {
  if (boundary === null) return NO_TOKENS
  const { preTokens, postTokens, tokensSaved } = boundary
  return { preTokens, postTokens, tokensSaved }
}
