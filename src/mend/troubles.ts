// What the API would refuse. Only what is sent counts: the same in an abandoned branch or before a compaction is harmless.

import type { Thread, ThreadNode } from '../graph/thread.ts'
import type { Draft } from './draft.ts'
import { rowOf } from './draft.ts'
import { refusedImages } from './images.ts'
import { imagesIn } from './mend-images.ts'
import { refusedThinking } from './mend-thinking.ts'
import type { ApiTrouble, Fix, StepCode } from './model.ts'
import { pairFaults } from './pairs.ts'

export interface Troubles {
  readonly troubles: readonly ApiTrouble[]
  readonly harmless: readonly ApiTrouble[]
}

interface Found {
  readonly fix: Fix
  readonly code: StepCode
  readonly line: number
}

export function troublesOf(draft: Draft, thread: Thread, sent: readonly ThreadNode[]): Troubles {
  const isSent = new Set(sent)
  const others = thread.nodes.filter((node) => !isSent.has(node) && !node.last.isSidechain)
  return { troubles: counted(foundIn(draft, sent)), harmless: counted(foundIn(draft, others)) }
}

function foundIn(draft: Draft, nodes: readonly ThreadNode[]): readonly Found[] {
  const lineOf = (row: number): number => draft.envelopes[row]?.line ?? 0
  const pairs = pairFaults(nodes.map(({ last }) => last))
  const thinking = refusedThinking(draft, nodes)
  const images = refusedImages(imagesIn(draft, nodes))
  const halves = nodes.filter(({ last }) => draft.facts.get(rowOf(draft, last))?.hasLoneSurrogate === true)
  return [
    ...pairs.map(({ code, record }) => ({ fix: 'pairs' as const, code, line: record.line })),
    ...thinking.map(({ code, row }) => ({ fix: 'thinking' as const, code, line: lineOf(row) })),
    ...images.map(({ code, row }) => ({ fix: 'images' as const, code, line: lineOf(row) })),
    ...halves.map(({ last }) => ({ fix: 'surrogates' as const, code: 'lone-surrogate' as const, line: last.line })),
  ]
}

const LINES_TOLD = 5

function counted(found: readonly Found[]): readonly ApiTrouble[] {
  const byCode = new Map<StepCode, { fix: Fix; count: number; lines: number[] }>()
  for (const { fix, code, line } of found) {
    const known = byCode.get(code) ?? { fix, count: 0, lines: [] }
    known.count++
    if (known.lines.length < LINES_TOLD) known.lines.push(line)
    byCode.set(code, known)
  }
  return [...byCode].map(([code, { fix, count, lines }]) => ({ code, fix, count, lines }))
}
