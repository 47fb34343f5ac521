import type { TokensAround } from '../record/model.ts'
import { count } from './units.ts'

/** `22,614 → 16,640 tokens`; null where the record of the compaction says nothing of them. */
export function tokensAroundText({ preTokens, postTokens, tokensSaved }: TokensAround): string | null {
  if (preTokens !== null && postTokens !== null) return `${count(preTokens)} → ${count(postTokens)} tokens`
  if (preTokens !== null) return `${count(preTokens)} tokens before`
  if (postTokens !== null) return `${count(postTokens)} tokens after`
  return tokensSaved === null ? null : `${count(tokensSaved)} tokens saved`
}
