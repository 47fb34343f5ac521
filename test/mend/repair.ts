// A repair as the tests want it: ids that are counted, everything in memory.

import type { Repair, RepairOptions } from '../../src/mend/plan.ts'
import { planRepair } from '../../src/mend/plan.ts'
import { proveRepair } from '../../src/mend/prove.ts'
import { bytesInMemory } from '../../src/mend/transcript-bytes.ts'

export interface Repaired extends Repair {
  readonly result: Buffer
  readonly broken: readonly string[]
}

export function repair(source: Buffer, options: Partial<RepairOptions> = {}): Repaired {
  let made = 0
  const all: RepairOptions = { nowMs: 1_790_000_000_000, newId: () => `made-${++made}`, ...options }
  const planned = planRepair(bytesInMemory(source), all)
  const result = Buffer.concat([...planned.bytes({ kind: 'in-place' })])
  const broken = proveRepair(bytesInMemory(source), bytesInMemory(result), all)
  return { ...planned, result, broken: broken.map(({ code, message }) => `${code}: ${message}`) }
}

/** `code line` of each step. */
export function stepsOf({ plan }: Repair): readonly string[] {
  return plan.steps.map(({ code, before }) => `${code} ${before[0]?.line}`)
}
