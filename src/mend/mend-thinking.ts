// Thinking that the API refuses. A signature is checked, so a Block without one, or with one that was cut short, makes it
// answer 400. A hollow Block (a signature and no text) is what clients write today and is mostly taken; it is refused
// only in some versions, and then the transcript says so itself: the refusal stands in it as an answer.

import type { ThreadNode } from '../graph/thread.ts'
import type { ThinkingFact } from './body-facts.ts'
import type { Draft } from './draft.ts'
import { addStep, dropRow, envelopeAt, rowOf, shown, threadOf } from './draft.ts'
import { sentNodes } from './live-path.ts'
import type { StepCode } from './model.ts'
import { replaceBlocks } from './row-text.ts'
import { passBy } from './take-out.ts'

const WHY = {
  'unsigned-thinking': 'it has no whole signature, and the API refuses the conversation for it',
  'refused-thinking': 'the API has refused the conversation for it, as an answer further down says',
} as const satisfies Partial<Record<StepCode, string>>

export interface RefusedThinking {
  readonly row: number
  readonly code: keyof typeof WHY
  readonly blocks: ReadonlySet<number>
}

export function mendThinking(draft: Draft): void {
  const above = new Map<string, string | null>()
  const refused = refusedThinking(draft, sentNodes(threadOf(draft)))
  for (const { row, code, blocks } of refused) {
    const { blocks: kinds, uuid, parentUuid, line, offset, length } = envelopeAt(draft, row)
    const before = [shown(draft, row, `${blocks.size} of ${kinds.length} blocks`)]
    const isWhole = blocks.size === kinds.length
    if (isWhole) {
      dropRow(draft, row, code)
      if (uuid !== null) above.set(uuid, parentUuid)
    } else {
      draft.quarantine.push({ line, offset, length, code })
      replaceBlocks(draft, row, blocks, [])
    }
    const after = isWhole ? [] : [shown(draft, row, `${kinds.length - blocks.size} blocks`)]
    addStep(draft, ['thinking', code, 'take out thinking', WHY[code]], before, after)
  }
  passBy(draft, above)
}

/** The thinking among these records that the API refuses. */
export function refusedThinking(draft: Draft, nodes: readonly ThreadNode[]): readonly RefusedThinking[] {
  const found: RefusedThinking[] = []
  let isRefused = false
  for (const { last } of [...nodes].reverse()) {
    const row = rowOf(draft, last)
    const facts = draft.facts.get(row)
    if (facts === undefined) continue
    if (facts.refusesThinking) isRefused = true
    const unsigned = blocksWhere(facts.thinking, ({ isUnsigned }) => isUnsigned)
    const all = blocksWhere(facts.thinking, () => isRefused)
    if (all.size > 0) found.push({ row, code: 'refused-thinking', blocks: all })
    else if (unsigned.size > 0) found.push({ row, code: 'unsigned-thinking', blocks: unsigned })
  }
  return found.reverse()
}

function blocksWhere(thinking: readonly ThinkingFact[], fits: (fact: ThinkingFact) => boolean): ReadonlySet<number> {
  return new Set(thinking.filter(fits).map(({ block }) => block))
}
