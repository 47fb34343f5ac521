// The token accounts: the rows of `clew usage`, and behind each of them what `--explain` says.

import type { Context, Hono } from 'hono'
import { LIST_PRICES } from '../digest/prices.ts'
import type { Calendar } from '../digest/usage-calendar.ts'
import { calendarOf } from '../digest/usage-calendar.ts'
import { chosenLines } from '../digest/usage-chosen.ts'
import type { CountedMessage } from '../digest/usage-fold.ts'
import { foldUsage } from '../digest/usage-fold.ts'
import type { UsageLedger, UsagePlace } from '../digest/usage-ledger.ts'
import { ledgerOf } from '../digest/usage-ledger.ts'
import type { UsageBound, UsageRange } from '../digest/usage-range.ts'
import { boundOf, isBackwards } from '../digest/usage-range.ts'
import type { LedgerTable, UsageBy } from '../digest/usage-rows.ts'
import { ledgerTable, rowWith, USAGE_BY } from '../digest/usage-rows.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { onlyFiles } from '../load/found.ts'
import { isProjectNamed } from '../load/project-name.ts'
import { readUsage } from '../load/usage.ts'
import { shortPath } from '../render/list.ts'
import { styleOf } from '../render/style.ts'
import { remarksOf } from '../render/usage.ts'
import { explainText } from '../render/usage-explain.ts'
import { withAgentTypes } from '../search/usage-agents.ts'
import { explainRow } from '../search/usage-explained.ts'
import type { UsageAnswer, UsageExplained } from './api/usage.ts'
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
      const { by, table, labelOf } = await tableAsked(context, known, world)
      const { messages } = known
      const key = textAsked(context, 'key')
      const row = key === null ? table.total : table.rows.find((one) => one.key === key)
      if (row === undefined) throw new Refused(`there is no row “${key}”`, 404)
      const explained = explainRow(rowWith(row, messages), {
        by,
        prices: LIST_PRICES,
        archive: known.archive,
        all: messages,
      })
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
  readonly archive: FoundTranscripts
  readonly messages: readonly CountedMessage[]
  readonly ledger: UsageLedger
  /** The same, with the types of subagents; made when somebody asks for them. */
  readonly byAgent: () => UsageLedger
  readonly titles: () => Promise<ReadonlyMap<string, string>>
}

/** From the index; files it does not know yet are read for their tokens alone. */
async function readAccounts(archive: FoundTranscripts, world: ServerWorld): Promise<Accounts> {
  const { files, stale } = world.index.usage(archive)
  const read = stale.length === 0 ? [] : await readUsage(onlyFiles(archive, stale))
  const messages = foldUsage([...files, ...read])
  const ledger = ledgerOf(messages)
  let typed: UsageLedger | null = null
  let titles: Promise<ReadonlyMap<string, string>> | null = null
  return {
    archive,
    messages,
    ledger,
    byAgent: () => {
      typed ??= withAgentTypes(ledger, archive, world.index.access().read)
      return typed
    },
    titles: () => {
      titles ??= titlesOf(archive, world)
      return titles
    },
  }
}

async function titlesOf(archive: FoundTranscripts, { index }: ServerWorld): Promise<ReadonlyMap<string, string>> {
  const gone = index.gone(archive.roots).map(({ row }) => row)
  const listed = await index.access().list(archive)
  return new Map([...gone, ...listed].map(({ sessionId, title }) => [sessionId, title]))
}

interface TableAsked {
  readonly by: UsageBy
  readonly calendar: Calendar
  readonly table: LedgerTable
  readonly labelOf: (key: string) => string
}

async function tableAsked(context: Context, accounts: Accounts, world: ServerWorld): Promise<TableAsked> {
  const by = oneAsked(context, 'by', USAGE_BY, 'day')
  const calendar = calendarOf(world.timeZone) ?? calendarOf('UTC')
  if (calendar === null) throw new Refused('there is no time zone here')
  const range = rangeAsked(context, calendar, world.nowMs())
  const project = textAsked(context, 'project')
  const ledger = by === 'agent' ? accounts.byAgent() : accounts.ledger
  const pathOf = (key: string): string => ledger.paths.get(key) ?? key
  const isMeant = ({ projectKey }: UsagePlace, name: string): boolean =>
    isProjectNamed({ project: pathOf(projectKey), path: `/${projectKey}/transcript` }, name)
  const there = project === null ? null : ledger.places.map((place) => isMeant(place, project))
  const titles = by === 'session' ? await accounts.titles() : new Map<string, string>()
  const labelOf = (key: string): string =>
    by === 'project' ? pathOf(key) : by === 'session' ? (titles.get(key) ?? key) : key
  const chosen = chosenLines(ledger, there, range, calendar)
  return { by, calendar, table: ledgerTable(ledger, chosen, by, calendar, LIST_PRICES), labelOf }
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
