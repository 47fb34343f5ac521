import type { JournalDay } from '../digest/journal.ts'
import { journalDay } from '../digest/journal.ts'
import type { Told } from '../digest/model.ts'
import { gatherBriefs } from '../notebook/gather.ts'
import type { Redactor } from '../redact/model.ts'
import { dayJson, dayMarkdown, longDate } from '../render/journal.ts'
import { toJson } from '../render/terminal.ts'
import type { Command, World } from './command.ts'
import { nothingNote, openTranscripts, parseWords, ROOT_OPTIONS } from './command.ts'
import { refuseClaudeFolders } from './export-target.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import type { JournalChoice } from './journal-choice.ts'
import { chooseJournal } from './journal-choice.ts'
import { writePages } from './journal-pages.ts'
import { proseOfDays } from './journal-prose.ts'
import { openRedactor } from './redaction.ts'

export const JOURNAL_OPTIONS = {
  ...ROOT_OPTIONS,
  project: { type: 'string' },
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  tz: { type: 'string' },
  'day-start': { type: 'string' },
  exclude: { type: 'string', multiple: true },
  all: { type: 'boolean' },
} as const

const OPTIONS = {
  ...JOURNAL_OPTIONS,
  date: { type: 'string' },
  week: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  redact: { type: 'boolean' },
  llm: { type: 'string' },
  model: { type: 'string' },
  'max-cost': { type: 'string' },
  'max-tokens': { type: 'string' },
  language: { type: 'string' },
  instructions: { type: 'string' },
  estimate: { type: 'boolean' },
} as const

export const journal: Command = {
  name: 'journal',
  failureCode: 1,
  help: `clew journal [--date today|yesterday|2026-11-14] [--week] [--project P|--here|--repo] [--out FOLDER] [--json]
             [--tz ZONE] [--day-start HOUR] [--exclude GLOB] [--all] [--force] [--redact] [--root DIR]
             [--llm claude|anthropic|openai [--model M] [--max-cost USD] [--max-tokens N] [--language L]
             [--instructions FILE] [--estimate]]

The engineering notebook: what was asked, changed, decided, what failed and what is open, by day and project, with
commits, files and time spent. No model is needed, and every line names the record it rests on.

  --date DAY        today (default), yesterday or a date; days are local
  --week            all days of that week, Monday to Sunday
  --out FOLDER      write a page for each day, FOLDER/2026-11-14.md; what you wrote there yourself stays
  --force           also where somebody changed what Clew wrote
  --day-start HOUR  when a day begins, for those who work at night
  --tz ZONE         Europe/Berlin, say; this machine's own by default
  --exclude GLOB    leave out projects by path or folder name (repeatable)
  --all             also sessions of programs, and tiny ones
  --project P       only projects whose path or folder name contains P
  --here, --repo    only this folder, or this git repository
  --redact          without secrets, for pages that others read
  --json            one object a day
  --no-index        read the files themselves, not what the index knows of them
  --root DIR        where to look

With --llm a model writes prose from these lines. They are redacted before they leave, and nothing else is sent.
  --llm ROUTE       claude (the program), anthropic (ANTHROPIC_API_KEY), openai (any such server, OPENAI_BASE_URL)
  --model M         another model than the route's small one
  --max-cost USD    begin nothing that could cost more (0.50 by default)
  --max-tokens N    the same in tokens, for a model whose price is not known
  --language L      write in German, say
  --instructions F  a file with your own wishes
  --estimate        say what it would cost, and ask nobody

Settings for every time: out, dayStart, tz and exclude in ~/.config/clew/journal.json.

Examples:
  clew journal
  clew journal --date yesterday --here
  clew journal --week --out ~/notes/work
  clew journal --date 2026-11-14 --json | jq '.projects[].headline'
  clew journal --date yesterday --llm claude --out ~/notes/work`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(journal, words, OPTIONS)
  if (values.help) {
    world.output.print(journal.help)
    return 0
  }
  if (positionals.length > 0)
    throw new Failure(`journal takes no “${positionals[0]}”. Try: clew journal --date ${positionals[0]}`)
  const choice = chooseJournal(values, world)
  // Before a model is asked, which costs.
  if (choice.out !== null) refuseClaudeFolders(choice.out, values.root, world, 'pages')
  const days = await journalDays(values, choice, world, values.redact ? openRedactor(world) : undefined)
  const { prose, exitCode } = await proseOfDays(
    days,
    (redactor) => journalDays(values, choice, world, redactor),
    values,
    world,
  )
  const proseOf = ({ date }: JournalDay): ReadonlyMap<string, readonly Told[]> => prose.get(date) ?? new Map()
  if (values.json) for (const day of days) world.output.print(toJson(dayJson(day, proseOf(day))))
  if (choice.out !== null) {
    const options = { prose, force: values.force === true, isQuiet: values.json === true }
    return Math.max(exitCode, await writePages(days, choice, options, world))
  }
  if (values.json) return exitCode
  const worked = days.filter(({ projects }) => projects.length > 0)
  if (worked.length === 0) {
    const { projects, roots } = openTranscripts(values.root, world)
    if (projects.length === 0) {
      world.output.note(nothingNote(roots, world))
      return 0
    }
    const when = choice.days.length === 1 ? longDate(days[0]?.date ?? '') : 'these days'
    world.output.note(`clew: nothing on ${when}. Try: clew journal --week${values.all ? '' : ', or --all'}`)
    return 0
  }
  const pages = worked.map((day) => {
    const layout = { zone: choice.zone, prose: proseOf(day), projectEnd: () => '' }
    return `# ${longDate(day.date)}\n\n${dayMarkdown(day, layout)}`
  })
  world.output.page(pages.join('\n\n'))
  return exitCode
}

export interface GatherWords {
  readonly root?: readonly string[] | undefined
  readonly 'no-index'?: boolean | undefined
  readonly all?: boolean | undefined
}

export async function journalDays(
  { root, 'no-index': noIndex, all }: GatherWords,
  { days, isWanted }: JournalChoice,
  world: World,
  redactor?: Redactor,
): Promise<readonly JournalDay[]> {
  const archive = openTranscripts(root, world)
  const briefs = await bringUpIndex(noIndex, archive, world, ({ access }) =>
    gatherBriefs(archive, access, {
      days,
      isWanted,
      keepsAll: all === true,
      onProgress: world.progress.show,
      ...(redactor === undefined ? {} : { redactor }),
    }),
  )
  world.progress.clear()
  return days.map(({ date }) => journalDay(date, briefs.get(date) ?? []))
}
