// Hand-made records → what their conversation must look like. Whatever the parents say, every record stands in it once.

import { describe, expect, test } from 'vitest'
import { reachOf } from '../../src/conversation/reach.ts'
import { readFull } from '../../src/conversation/reading.ts'
import type { Written } from '../graph/transcript-of.ts'
import { textOf } from '../graph/transcript-of.ts'
import { codesOf, readCase, sorted } from './read-case.ts'

export interface GraphCase {
  readonly name: string
  readonly written: readonly Written[]
  /** The messages of the full Reading. */
  readonly full: string
  readonly problems?: string
  readonly branches?: number
  readonly islands?: number
}

export function testGraphs(group: string, cases: readonly GraphCase[]): void {
  describe(group, () => {
    for (const { name, written, full, problems = '', branches = 1, islands = 0 } of cases)
      test(name, () => {
        const found = readCase(textOf(written))
        const reach = reachOf(found.woven)
        expect({
          full: readFull(found.woven).chain.join(' '),
          problems: codesOf(found),
          branches: reach.branches,
          islands: reach.islands.length,
        }).toEqual({ full, problems: sorted(problems), branches, islands })
      })
  })
}
