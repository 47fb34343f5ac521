// The token accounts: the rows of `clew usage`, and behind each of them what `--explain` says.

import type { Context, Hono } from 'hono'
import { LIST_PRICES } from '../digest/prices.ts'
import type { Calendar } from '../digest/usage-calendar.ts'
import { calendarOf } from '../digest/usage-calendar.ts'
import type { CountedMessage } from '../digest/usage-fold.ts'
import { foldUsage } from '../digest/usage-fold.ts'
import { projectPaths } from '../digest/usage-projects.ts'
import type { UsageBound, UsageRange } from '../digest/usage-range.ts'
import { boundOf, isBackwards, isInRange } from '../digest/usage-range.ts'
import type { UsageBy, UsageTable } from '../digest/usage-rows.ts'
import { USAGE_BY, usageTable } from '../digest/usage-rows.ts'
import type { FoundArchive } from '../load/archive.ts'
import { onlyFiles } from '../load/archive.ts'
import { isProjectNamed } from '../load/project-name.ts'
import { readUsage } from '../load/usage.ts'
import { shortPath } from '../render/list.ts'
import { styleOf } from '../render/style.ts'
import { remarksOf } from '../render/usage.ts'
import { explainText } from '../render/usage-explain.ts'
import { withAgentTypes } from '../search/usage-agents.ts'
import { explainRow } from '../search/usage-explained.ts'
import type { UsageAnswer, UsageExplained } from './api.ts'
import { answered, oneAsked, Refused, textAsked } from './asked.ts'
import { remembered } from './remembered.ts'
import type { ServerWorld } from './server-world.ts'
import { usageRowView } from './usage-view.ts'

const ROWS_MAX = 2000
const LINES_MAX = 500
const LINE_MAX = 600

export function usageRoutes(app: Hono, world: ServerWorld): void {
  const accounts = remembered(world, (archive) => readAccounts(archive, world))

  app.get(
    '/api/usage',
    answered(async (context): Promise<UsageAnswer> => {
      const { by, calendar, table, labelOf } = await tableAsked(context, await accounts(), world)
      const { rows, total } = table
      const { date: priceDate, source: priceSource } = LIST_PRICES
      return {
        by,
        rows: rows.slice(0, ROWS_MAX).map((row) => usageRowView(row, labelOf)),
        total: usageRowView(total, labelOf),
        rowsLeft: Math.max(0, rows.length - ROWS_MAX),
        notes: remarksOf(total),
        priceDate,
        priceSource,
        timeZone: calendar.timeZone,
      }
    }),
  )

  app.get(
    '/api/usage/explain',
    answered(async (context): Promise<UsageExplained> => {
      const known = await accounts()
      const { by, table, all, labelOf } = await tableAsked(context, known, world)
      const key = textAsked(context, 'key')
      const row = key === null ? table.total : table.rows.find((one) => one.key === key)
      if (row === undefined) throw new Refused(`there is no row “${key}”`, 404)
      const explained = explainRow(row, { by, prices: LIST_PRICES, archive: known.archive, all })
      const text = explainText(explained, {
        style: styleOf(false),
        title: row.key ?? 'total',
        shortPath: (path) => shortPath(path, world.home),
      })
      const lines = text.split('\n')
      return {
        row: usageRowView(row, labelOf),
        lines: lines.slice(0, LINES_MAX).map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line)),
        isCut: lines.length > LINES_MAX,
      }
    }),
  )
}

interface Accounts {
  readonly archive: FoundArchive
  readonly messages: readonly CountedMessage[]
  /** The same, with the types of subagents; made when somebody asks for them. */
  readonly byAgent: () => readonly CountedMessage[]
  readonly paths: ReadonlyMap<string, string>
  readonly titles: () => Promise<ReadonlyMap<string, string>>
}

/** From the index; files it does not know yet are read for their tokens alone. */
async function readAccounts(archive: FoundArchive, world: ServerWorld): Promise<Accounts> {
  const { files, stale } = world.index.usage(archive)
  const read = stale.length === 0 ? [] : await readUsage(onlyFiles(archive, stale))
  const messages = foldUsage([...files, ...read])
  let typed: readonly CountedMessage[] | null = null
  let titles: Promise<ReadonlyMap<string, string>> | null = null
  return {
    archive,
    messages,
    byAgent: () => {
      typed ??= withAgentTypes(messages, archive)
      return typed
    },
    paths: projectPaths(messages),
    titles: () => {
      titles ??= titlesOf(archive, world)
      return titles
    },
  }
}

async function titlesOf(archive: FoundArchive, { index }: ServerWorld): Promise<ReadonlyMap<string, string>> {
  const gone = index.gone(archive.roots).map(({ row }) => row)
  const listed = await index.access().list(archive)
  return new Map([...gone, ...listed].map(({ sessionId, title }) => [sessionId, title]))
}

interface TableAsked {
  readonly by: UsageBy
  readonly calendar: Calendar
  readonly table: UsageTable
  readonly all: readonly CountedMessage[]
  readonly labelOf: (key: string) => string
}

async function tableAsked(context: Context, accounts: Accounts, world: ServerWorld): Promise<TableAsked> {
  const by = oneAsked(context, 'by', USAGE_BY, 'day')
  const calendar = calendarOf(world.timeZone) ?? calendarOf('UTC')
  if (calendar === null) throw new Refused('there is no time zone here')
  const range = rangeAsked(context, calendar, world.nowMs())
  const project = textAsked(context, 'project')
  const { paths } = accounts
  const pathOf = (key: string): string => paths.get(key) ?? key
  const all = by === 'agent' ? accounts.byAgent() : accounts.messages
  const isWanted = ({ source: { projectKey } }: CountedMessage): boolean =>
    project === null || isProjectNamed({ project: pathOf(projectKey), path: `/${projectKey}/transcript` }, project)
  const isWhole = project === null && range.since === null && range.until === null
  const messages = isWhole
    ? all
    : all.filter((message) => isInRange(message.folded.timestampMs, range, calendar) && isWanted(message))
  const titles = by === 'session' ? await accounts.titles() : new Map<string, string>()
  const labelOf = (key: string): string =>
    by === 'project' ? pathOf(key) : by === 'session' ? (titles.get(key) ?? key) : key
  return { by, calendar, table: usageTable(messages, by, calendar, LIST_PRICES), all, labelOf }
}

function rangeAsked(context: Context, calendar: Calendar, nowMs: number): UsageRange {
  const range = { since: boundAsked(context, 'since', nowMs), until: boundAsked(context, 'until', nowMs) }
  if (isBackwards(range, calendar)) throw new Refused('until is before since')
  return range
}

function boundAsked(context: Context, name: string, nowMs: number): UsageBound | null {
  const typed = textAsked(context, name)
  if (typed === null) return null
  const bound = boundOf(typed, nowMs)
  if (bound === null) throw new Refused(`${name} takes a date like 2026-11-14, or 30m, 12h, 7d, 2w`)
  return bound
}
