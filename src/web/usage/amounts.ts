// Numbers of the accounts as a page writes them.

import type { UsageRow } from '../../server/api/usage.ts'
import { count, lastName, money } from '../parts/units.ts'
import { longKey } from './time-keys.ts'
import type { By, Column, Measure } from './view.ts'
import { isTime } from './view.ts'

export function tokensOf(row: UsageRow): number {
  return row.inputTokens + row.outputTokens + row.cacheReadTokens + writesOf(row)
}

export function writesOf({ cacheWrite5mTokens, cacheWrite1hTokens }: UsageRow): number {
  return cacheWrite5mTokens + cacheWrite1hTokens
}

/** What has a price, with a plus where something has none; nothing but a question mark where all of it has none. */
export function costText({ costUsd, pricedCostUsd }: Pick<UsageRow, 'costUsd' | 'pricedCostUsd'>): string {
  if (costUsd === null && pricedCostUsd === 0) return '?'
  return `${money(pricedCostUsd)}${costUsd === null ? '+' : ''}`
}

export function amountOf(row: UsageRow, column: Column | Measure): number {
  switch (column) {
    case 'cost':
      return row.pricedCostUsd
    case 'tokens':
      return tokensOf(row)
    case 'messages':
      return row.messages
    case 'input':
      return row.inputTokens
    case 'output':
      return row.outputTokens
    case 'read':
      return row.cacheReadTokens
    case 'write':
      return writesOf(row)
    default:
      return 0
  }
}

/** `950`, `12 k`, `3.4 M`, `2.6 G` */
export function shortCount(number: number): string {
  if (number < 1000) return String(Math.round(number))
  const units = ['k', 'M', 'G', 'T']
  let value = number / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : count(Math.round(value))} ${units[unit]}`
}

export function labelOf(by: By, { key, label }: Pick<UsageRow, 'key' | 'label'>): string {
  if (key === '') return by === 'session' ? 'No session' : 'Total'
  if (isTime(by)) return longKey(by, key)
  if (by === 'project') return lastName(label)
  return label === '' ? key : label
}
