// Rows in time → bars of several parts, one for each of the models that matter most in them.

import type { UsageRow } from '../../server/api/usage.ts'
import { shortModel } from '../parts/units.ts'
import type { Measure } from './view.ts'

export interface Stacks {
  readonly keys: readonly string[]
  /** The lowest first. */
  readonly parts: readonly StackPart[]
  readonly totals: readonly number[]
}

export interface StackPart {
  readonly name: string
  readonly values: readonly number[]
}

const PARTS_MAX = 5

export function stacksOf(keys: readonly string[], rows: readonly UsageRow[], measure: Measure): Stacks {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const shown = keys.map((key) => byKey.get(key))
  const sums = new Map<string, number>()
  for (const row of shown) {
    for (const [name, value] of partsOf(row, measure)) sums.set(name, (sums.get(name) ?? 0) + value)
  }
  const names = [...sums].sort((one, other) => other[1] - one[1]).map(([name]) => name)
  const own = names.length > PARTS_MAX ? names.slice(0, PARTS_MAX - 1) : names
  const others = names.slice(own.length)
  const valuesOf = (wanted: readonly string[]): readonly number[] =>
    shown.map((row) =>
      partsOf(row, measure).reduce((sum, [name, value]) => sum + (wanted.includes(name) ? value : 0), 0),
    )
  const parts = [
    ...own.map((name) => ({ name: shortModel(name), values: valuesOf([name]) })),
    ...(others.length === 0 ? [] : [{ name: `${others.length} more`, values: valuesOf(others) }]),
  ]
  return {
    keys,
    parts,
    totals: keys.map((_, place) => parts.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)),
  }
}

function partsOf(row: UsageRow | undefined, measure: Measure): readonly (readonly [string, number])[] {
  return (row?.parts ?? []).map(({ model, costUsd, tokens }) => [model, measure === 'cost' ? (costUsd ?? 0) : tokens])
}
