import type { CountedMessage } from '../digest/usage-fold.ts'
import { foldUsage } from '../digest/usage-fold.ts'
import { projectPaths } from '../digest/usage-projects.ts'
import { isInRange } from '../digest/usage-range.ts'
import type { UsageRow } from '../digest/usage-rows.ts'
import { usageTable } from '../digest/usage-rows.ts'
import { shortPath } from '../render/list.ts'
import { counted } from '../render/units.ts'
import { usageJson, usageText } from '../render/usage.ts'
import { explainJson, explainText } from '../render/usage-explain.ts'
import { withAgentTypes } from '../search/usage-agents.ts'
import { explainRow } from '../search/usage-explained.ts'
import type { Command, World } from './command.ts'
import { nothingNote, openArchive, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { messageFilter, usageChoice, zoneName } from './usage-choice.ts'
import { rowNamed } from './usage-row-named.ts'
import { usageSources } from './usage-sources.ts'

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
  const { by, calendar, range, prices } = usageChoice(values, world)
  const archive = openArchive(values.root, world)
  const sources = await usageSources(values['no-index'], archive, world)
  world.progress.clear()
  const folded = foldUsage(values['no-gone'] ? sources.filter(({ isGone }) => !isGone) : sources)
  const all = by === 'agent' ? withAgentTypes(folded, archive) : folded
  let paths: ReadonlyMap<string, string> | null = null
  const pathOf = (projectKey: string): string => {
    paths ??= projectPaths(all)
    return paths.get(projectKey) ?? projectKey
  }
  const isWanted = messageFilter(values, pathOf, world)
  const isWhole = isWanted === null && range.since === null && range.until === null
  const isMeant = (message: CountedMessage): boolean =>
    isInRange(message.folded.timestampMs, range, calendar) && (isWanted === null || isWanted(message))
  const messages = isWhole ? all : all.filter(isMeant)
  const whole = usageTable(messages, by, calendar, prices)
  const table = key === undefined ? whole : usageTable(rowNamed(key, whole, pathOf).members, by, calendar, prices)
  const explained = (row: UsageRow) => explainRow(row, { by, prices, archive, all })
  if (values.json) {
    const { source: priceSource, date: priceDate } = prices
    const frame = { by, timeZone: zoneName(calendar), priceSource, priceDate, pathOf }
    for (const row of [...table.rows, table.total])
      output.print(usageJson(row, frame, values.explain ? explainJson(explained(row)) : undefined))
  } else if (messages.length === 0) output.note(emptyNote(all, isWanted, archive.roots))
  else if (values.explain) {
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

function emptyNote(
  all: readonly CountedMessage[],
  isWanted: ((message: CountedMessage) => boolean) | null,
  roots: readonly string[],
): string {
  if (all.length === 0) return nothingNote(roots).replace('no conversations in', 'no tokens were used in')
  const wanted = isWanted === null ? all.length : all.filter(isWanted).length
  if (wanted === 0) return `clew: none of ${counted(all.length, 'message')} ran there. Try: clew usage --by project`
  return `clew: none of ${counted(wanted, 'message')} is in that range. Try: clew usage --by month`
}
