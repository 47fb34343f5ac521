import { chosenLines } from '../digest/usage-chosen.ts'
import type { ExplainedUsage } from '../digest/usage-explain.ts'
import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { LedgerRow } from '../digest/usage-rows.ts'
import { ledgerTable, rowWith } from '../digest/usage-rows.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { shortPath } from '../render/list.ts'
import { counted } from '../render/units.ts'
import { usageJson, usageText } from '../render/usage.ts'
import { explainJson, explainText } from '../render/usage-explain.ts'
import { explainRow } from '../search/usage-explained.ts'
import type { Command, World } from './command.ts'
import { nothingNote, openTranscripts, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { usageAccounts } from './usage-accounts.ts'
import { placeFilter, usageChoice, zoneName } from './usage-choice.ts'
import { rowNamed } from './usage-row-named.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  by: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  tz: { type: 'string' },
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  project: { type: 'string' },
  explain: { type: 'boolean' },
  prices: { type: 'string' },
  'no-gone': { type: 'boolean' },
} as const

export const usage: Command = {
  name: 'usage',
  failureCode: 1,
  help: `clew usage [--by day|week|month|project|session|model|agent] [--since WHEN] [--until WHEN] [--tz ZONE]
           [--here|--repo|--project P] [--explain [KEY]] [--prices FILE] [--no-gone] [--json] [--root DIR]

Tokens and what they cost at list prices. Every API message counts once, over all transcripts.

  --by WHAT     day (default), week, month, project, session, model or agent
  --since WHEN  from a date on, or 12h, 7d, 2w back
  --until WHEN  up to and with a date
  --tz ZONE     days begin at midnight there: Europe/Berlin, UTC; default is this machine's
  --here        only what ran in this folder or below it
  --repo        only what ran in this git repository, worktrees included
  --project P   only projects whose path or folder name contains P
  --explain     how each number came about: records, what was folded, prices; with KEY only that row
  --prices FILE JSON with prices that win over the built-in ones (docs/usage.md)
  --no-gone     without what the index remembers of deleted transcripts
  --json        one JSON object a line, the total last
  --no-index    read every file, and leave the index alone
  --root DIR    a Claude directory, a folder with transcripts or one transcript; repeatable

Examples:
  clew usage --since 7d
  clew usage --by model --since 2026-11-01 --json | tail -1 | jq .costUsd
  clew usage --by session --explain 2ab65b76`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(usage, words, OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(usage.help)
    return 0
  }
  const [key, more] = positionals
  if (key !== undefined && !values.explain)
    throw new Failure(`usage takes no “${key}”. Try: clew usage --explain ${key}`)
  if (more !== undefined) throw new Failure(`--explain takes one row, not also “${more}”`)
  const question = usageChoice(values, world)
  const { by, calendar, range, prices } = question
  const archive = openTranscripts(values.root, world, { mayLookAgain: !values['no-index'] })
  const isExplained = values.explain === true
  const wanted = { noIndex: values['no-index'] === true, noGone: values['no-gone'] === true, isExplained, question }
  const { ledger: made, messages } = await usageAccounts(wanted, archive, world)
  world.progress.clear()
  const ledger = by === 'agent' ? await typedLedger(made, archive, values['no-index'], world) : made
  const pathOf = (projectKey: string): string => ledger.paths.get(projectKey) ?? projectKey
  const isThere = placeFilter(values, pathOf, world)
  const there = isThere === null ? null : ledger.places.map(isThere)
  const chosen = chosenLines(ledger, there, range, calendar)
  const whole = ledgerTable(ledger, chosen, by, calendar, prices)
  const table =
    key === undefined ? whole : ledgerTable(ledger, rowNamed(key, whole, pathOf).members, by, calendar, prices)
  const explained = (row: LedgerRow): ExplainedUsage =>
    explainRow(rowWith(row, messages ?? []), { by, prices, archive, all: messages ?? [] })
  if (values.json) {
    const { source: priceSource, date: priceDate } = prices
    const frame = { by, timeZone: zoneName(calendar), priceSource, priceDate, pathOf }
    for (const row of [...table.rows, table.total])
      output.print(usageJson(row, frame, isExplained ? explainJson(explained(row)) : undefined))
  } else if (whole.total.messages === 0) output.note(emptyNote(ledger, there, archive.roots, world))
  else if (isExplained) {
    const short = (path: string): string => shortPath(path, world.home)
    const rows = table.rows.length === 1 ? table.rows : [...table.rows, table.total]
    const text = rows.map((row) =>
      explainText(explained(row), { style: output.style, title: row.key ?? 'total', shortPath: short }),
    )
    output.page(
      [...text, `prices: ${[prices.source, prices.date].filter((part) => part !== '').join(', ')}`].join('\n\n'),
    )
  } else {
    const { columns, style, isTerminal } = output
    output.page(usageText(table, { by, columns, home: world.home, style, hasBars: isTerminal, pathOf }))
  }
  return 0
}

async function typedLedger(
  ledger: UsageLedger,
  archive: FoundTranscripts,
  noIndex: boolean | undefined,
  world: World,
): Promise<UsageLedger> {
  const { lookIntoIndex } = await import('./indexed.ts')
  const { withAgentTypes } = await import('../search/usage-agents.ts')
  return lookIntoIndex(noIndex, world, async ({ access }) => withAgentTypes(ledger, archive, access.read))
}

function emptyNote(
  ledger: UsageLedger,
  there: readonly boolean[] | null,
  roots: readonly string[],
  world: World,
): string {
  const messagesAt = (isMeant: (place: number) => boolean | undefined): number =>
    ledger.messages.reduce((sum, messages, line) => sum + (isMeant(ledger.placeOf[line] ?? -1) ? messages : 0), 0)
  const all = messagesAt(() => true)
  if (all === 0) return nothingNote(roots, world).replace('no conversations in', 'no tokens were used in')
  const wanted = there === null ? all : messagesAt((place) => there[place])
  if (wanted === 0) return `clew: none of ${counted(all, 'message')} ran there. Try: clew usage --by project`
  return `clew: none of ${counted(wanted, 'message')} is in that range. Try: clew usage --by month`
}
