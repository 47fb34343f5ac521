import { dateAfter, dateIn } from '../base/zone.ts'
import type { JournalDay } from '../digest/journal.ts'
import { dayOf } from '../notebook/day.ts'
import { dayJson, longDate, standupMarkdown } from '../render/journal.ts'
import { toJson } from '../render/terminal.ts'
import type { Command, World } from './command.ts'
import { parseWords } from './command.ts'
import { Failure } from './failure.ts'
import { JOURNAL_OPTIONS, journalDays } from './journal.ts'
import { chooseJournal } from './journal-choice.ts'
import { openRedactor } from './redaction.ts'

const OPTIONS = { ...JOURNAL_OPTIONS, 'no-redact': { type: 'boolean' } } as const

/** After a weekend or a holiday, what people call yesterday lies further back. */
const DAYS_BACK = 7

export const standup: Command = {
  name: 'standup',
  failureCode: 1,
  help: `clew standup [--project P|--here|--repo] [--json] [--tz ZONE] [--day-start HOUR] [--exclude GLOB] [--all]
             [--no-redact] [--root DIR]

Yesterday and today in a few lines, for pasting. When nothing was done yesterday, the last day before it on which
something was. Secrets are replaced: what is pasted leaves this machine.

  --project P       only projects whose path or folder name contains P
  --here, --repo    only this folder, or this git repository
  --tz, --day-start, --exclude, --all   as in clew journal
  --no-redact       leave secrets as they are
  --json            the two days, one object a line
  --no-index        read the files themselves, not what the index knows of them
  --root DIR        where to look

Examples:
  clew standup
  clew standup --here | pbcopy`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(standup, words, OPTIONS)
  if (values.help) {
    world.output.print(standup.help)
    return 0
  }
  if (positionals.length > 0) throw new Failure(`standup takes no “${positionals[0]}”. Try: clew standup --help`)
  const choice = chooseJournal({ ...values, out: undefined }, world)
  const { zone, startHour } = choice
  const today = dateIn(world.nowMs, zone, startHour)
  const days = Array.from({ length: DAYS_BACK + 1 }, (_, back) => dayOf(dateAfter(today, -back), zone, startHour))
  const [now, ...before] = await journalDays(values, { ...choice, days }, world, openRedactor(world, values))
  const last = before.find(({ projects }) => projects.length > 0) ?? before[0]
  const told = [last, now].filter((day): day is JournalDay => day !== undefined)
  if (values.json) for (const day of told) world.output.print(toJson(dayJson(day, new Map())))
  else if (told.every(({ projects }) => projects.length === 0))
    world.output.note('clew: nothing was done in the last days. Try: clew list')
  else world.output.print(standupMarkdown(told.map((day) => ({ label: labelOf(day.date, today), day }))))
  return 0
}

function labelOf(date: string, today: string): string {
  if (date === today) return 'Today'
  return date === dateAfter(today, -1) ? 'Yesterday' : longDate(date)
}
