// The token accounts: a table with a bar for each row, or JSON Lines with the API's own names for tokens.

import type { UsageAmounts, UsageBy } from '../digest/usage-rows.ts'
import { tokensOf } from '../digest/usage-sums.ts'
import type { Usage } from '../record/model.ts'
import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeLine, toJson } from './terminal.ts'
import { count, counted, iso } from './units.ts'
import { cutStartTo, cutTo, pad, padStart, widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

interface ShownTable {
  readonly rows: readonly UsageAmounts[]
  readonly total: UsageAmounts
}

export interface UsageLayout {
  readonly by: UsageBy
  readonly columns: number
  readonly home: string
  readonly style: Style
  /** Bars are for eyes; a pipe gets none. */
  readonly hasBars: boolean
  readonly pathOf: (projectKey: string) => string
}

export function usageText({ rows, total }: ShownTable, layout: UsageLayout): string {
  const { style } = layout
  const heads = [layout.by.toUpperCase(), 'MESSAGES', 'INPUT', 'OUTPUT', 'CACHE READ', '5M WRITE', '1H WRITE', 'COST']
  const cells = [...rows, total].map((row) => cellsOf(row, layout))
  const widths = widthsFor(heads, cells, layout.columns)
  const line = (values: readonly string[]): string =>
    values
      .flatMap((value, column) => {
        const width = widths[column] ?? 0
        if (width === 0) return []
        if (column > 0) return [padStart(value, width)]
        return [pad(layout.by === 'project' ? cutStartTo(value, width) : cutTo(value, width), width)]
      })
      .join('  ')
  const left = layout.columns - totalOf(widths) - 2
  const bars = layout.hasBars && left >= BAR_MIN ? barsOf(rows, Math.min(left, BAR_MAX)) : rows.map(() => '')
  return [
    style.dim(line(heads)),
    ...rows.map((_, index) => `${line(cells[index] ?? [])}  ${style.good(bars[index] ?? '')}`.trimEnd()),
    style.bold(line(cells.at(-1) ?? [])),
    ...remarksOf(total).flatMap((remark) => wrapLine(remark, Math.max(20, layout.columns), 12).map(style.note)),
  ].join('\n')
}

/** The key shrinks, then columns go, those first that few people ask for. What it is and what it cost stay. */
function widthsFor(
  heads: readonly string[],
  cells: readonly (readonly string[])[],
  columns: number,
): readonly number[] {
  const widths = heads.map((head, column) =>
    cells.reduce((longest, row) => Math.max(longest, widthOf(row[column] ?? '', KEY_MAX)), head.length),
  )
  const most = widths[0] ?? 0
  const shrink = (least: number): void => {
    widths[0] = most
    widths[0] = Math.min(most, Math.max(least, most - Math.max(0, totalOf(widths) - columns)))
  }
  shrink(KEY_MIN)
  for (const dropped of DROPPED) {
    if (totalOf(widths) <= columns) break
    for (const column of dropped) widths[column] = 0
    shrink(KEY_MIN)
  }
  shrink(KEY_LEAST)
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), -2)
}

/** The two kinds of cache writes, what was read from the cache, messages, input, output. */
const DROPPED = [[5, 6], [4], [1], [2], [3]]
const KEY_MIN = 20
const KEY_LEAST = 8
const KEY_MAX = 44
const BAR_MIN = 4
const BAR_MAX = 24

function cellsOf(row: UsageAmounts, layout: UsageLayout): readonly string[] {
  const { usage } = row
  return [
    row.key === null ? 'total' : keyText(row, row.key, layout),
    count(row.messages),
    count(usage.inputTokens),
    count(usage.outputTokens) + (row.partialMessages > 0 ? '+' : ''),
    count(usage.cacheReadTokens),
    count(usage.cacheWriteTokens - usage.cacheWrite1hTokens),
    count(usage.cacheWrite1hTokens),
    row.costUsd === null && row.pricedCostUsd === 0
      ? '?'
      : `${dollars(row.pricedCostUsd)}${row.costUsd === null ? '+' : ''}`,
  ]
}

function keyText({ projectKey }: UsageAmounts, key: string, { by, pathOf, home }: UsageLayout): string {
  if (by === 'project') return shortPath(safeLine(pathOf(key)), home)
  if (by !== 'session') return safeLine(key)
  const folder =
    safeLine(pathOf(projectKey ?? ''))
      .split('/')
      .at(-1) ?? ''
  return `${safeLine(key).slice(0, 8)}  ${folder}`
}

export function dollars(value: number): string {
  if (value !== 0 && value < 0.01) return `$${value.toFixed(4)}`
  const [whole = '', cents = ''] = value.toFixed(2).split('.')
  return `$${count(Number(whole))}.${cents}`
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** By cost, or by tokens where nothing has a price. */
function barsOf(rows: readonly UsageAmounts[], width: number): readonly string[] {
  const isPriced = rows.some(({ pricedCostUsd }) => pricedCostUsd > 0)
  const values = rows.map(({ pricedCostUsd, usage }) => (isPriced ? pricedCostUsd : tokensOf(usage)))
  const most = values.reduce((highest, value) => Math.max(highest, value), 0)
  return values.map((value) => {
    const eighths = most === 0 ? 0 : Math.round((value / most) * width * 8)
    return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
  })
}

/** What a number does not say of itself. */
export function remarksOf(total: UsageAmounts): readonly string[] {
  const remarks: string[] = []
  if (total.partialMessages > 0)
    remarks.push(
      `+ output tokens of ${counted(total.partialMessages, 'message')} are known only in part: old clients wrote them down before the response ended, and so does whoever interrupts one`,
    )
  if (total.unpricedModels.length > 0)
    remarks.push(`no price for ${total.unpricedModels.map(safeLine).join(', ')}: give one with --prices FILE`)
  if (total.goneMessages > 0)
    remarks.push(
      `${counted(total.goneMessages, 'message')} from transcripts that were deleted since; --no-gone leaves them out`,
    )
  return remarks
}

export interface UsageFrame {
  readonly by: UsageBy
  readonly timeZone: string
  readonly priceSource: string
  readonly priceDate: string
  readonly pathOf: (projectKey: string) => string
}

/** Of a row, or of the total. `explain` is there when it was asked for. */
export function usageJson(row: UsageAmounts, frame: UsageFrame, explain?: object): string {
  const { by, timeZone, priceSource, priceDate, pathOf } = frame
  const isOfProject = row.key !== null && (by === 'project' || by === 'session')
  const project = isOfProject ? pathOf(row.projectKey ?? '') : null
  const kind = row.key === null ? 'total' : 'row'
  const whole = row.key === null ? { timeZone, priceSource, priceDate } : {}
  return toJson({ kind, by, key: row.key, project, ...amounts(row), ...whole, ...(explain && { explain }) })
}

function amounts(row: UsageAmounts): object {
  return {
    messages: row.messages,
    partialMessages: row.partialMessages,
    goneMessages: row.goneMessages,
    sessions: row.sessions,
    agents: row.agents,
    ...tokenFields(row.usage),
    costUsd: row.costUsd === null ? null : exact(row.costUsd),
    pricedCostUsd: exact(row.pricedCostUsd),
    models: row.models,
    unpricedModels: row.unpricedModels,
    firstAt: iso(row.firstMs),
    lastAt: iso(row.lastMs),
  }
}

/** Dollars without the noise that sums of fractions leave behind. */
export function exact(value: number): number {
  return Number(value.toFixed(9))
}

/** The names that the API has for them. */
export function tokenFields(usage: Usage): object {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens - usage.cacheWrite1hTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
  }
}
