// Where the client compacted the conversation: a rule across the page. What was before it is still above it.

import type { JSX } from 'react'
import type { RowView } from '../../server/api/rows.ts'
import { tokensOf } from './words.ts'

type Boundary = Pick<
  Extract<RowView, { kind: 'boundary' }>,
  'isMicro' | 'trigger' | 'preTokens' | 'postTokens' | 'tokensSaved'
>

export function BoundaryRule(boundary: Boundary): JSX.Element {
  return (
    <div className="boundary">
      <span>{boundaryWords(boundary)}</span>
    </div>
  )
}

/** Compacted · 155 k → 12 k tokens (auto) */
export function boundaryWords({ isMicro, trigger, preTokens, postTokens, tokensSaved }: Boundary): string {
  const name = isMicro ? 'Old tool results cleared' : 'Compacted'
  const before = preTokens === null ? null : tokensOf(preTokens)
  const after = postTokens === null ? null : tokensOf(postTokens)
  const tokens =
    before !== null && after !== null
      ? ` · ${before} → ${after} tokens`
      : before !== null
        ? ` · at ${before} tokens`
        : after !== null
          ? ` · to ${after} tokens`
          : tokensSaved !== null
            ? ` · ${tokensOf(tokensSaved)} tokens saved`
            : ''
  return `${name}${tokens}${trigger === null ? '' : ` (${trigger})`}`
}
