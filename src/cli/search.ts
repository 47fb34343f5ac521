import { dayMs, sinceMs } from '../base/time.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { isCopy } from '../load/found.ts'
import { searchJson, searchText } from '../render/search.ts'
import type { SearchField, SearchOptions, SearchResult } from '../search/model.ts'
import { SEARCH_FIELDS } from '../search/model.ts'
import type { ScanPattern } from '../search/scan-model.ts'
import type { ConversationFilter } from '../search/scope.ts'
import type { Command, World } from './command.ts'
import { nothingNote, numberFromOne, openTranscripts, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { conversationFilter } from './scope.ts'
import type { BytesChoice } from './search-bytes.ts'
import { searchBytes } from './search-bytes.ts'
import { bringUp, noteProblems, openedIndex } from './search-index.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  in: { type: 'string', multiple: true },
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  project: { type: 'string' },
  session: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  branch: { type: 'string' },
  model: { type: 'string' },
  tool: { type: 'string' },
  file: { type: 'string' },
  exact: { type: 'boolean' },
  regex: { type: 'boolean' },
  'ignore-case': { type: 'boolean', short: 'i' },
  limit: { type: 'string', short: 'n' },
} as const

export const search: Command = {
  name: 'search',
  failureCode: 1,
  help: `clew search <query> [--exact|--regex [-i]] [--in FIELDS] [--here|--repo|--project P] [--since WHEN]
            [--until WHEN] [--branch B] [--model M] [--tool T] [--file PATH] [--session ID] [--limit N]
            [--json] [--root DIR]

Ranked hits, one a turn: what people said before what tools printed, newer before older. Each has a reference that
clew show opens at that place.

  words           all of them, in any order; case and accents do not matter
  "some words"    side by side; so are the parts of src/x.ts, foo_bar or a.b.c
  word*           what begins with it
  -word           without it
  one OR two      either
  path:x tool:x cmd:x   calls that touch a file, use a tool, run a command

When no word matches, the text is looked for inside of words and in everything that was not indexed, as --exact does.

  --exact         the text as it is, in every byte that was ever stored: whole tool outputs, spilled files too
  --regex         a regular expression, in the same places
  --ignore-case   with --exact and --regex: upper and lower case are the same (-i)

  --in FIELDS     only in prompts, replies, thinking, tools, files, commands, titles (a list with commas)
  --here          only conversations that ran in this folder or below it
  --repo          only those of this git repository, worktrees included
  --project P     only projects whose path or folder name contains P
  --session ID    only this conversation, every turn of it
  --since WHEN    said since: 30m, 12h, 7d, 2w or a date; --until WHEN: up to then, a date with its day
  --branch B      only conversations on a git branch whose name contains B
  --model M       only conversations with a model whose name contains M
  --tool T        only calls and results of this tool
  --file PATH     only turns in which this file was touched; as --tool, also without a query
  --limit N       at most N (-n N), 20 if not given
  --json          one JSON object a line
  --no-index      read every file, and leave the index alone

Examples:
  clew search harmonic constants
  clew search --file src/tides/day.ts
  clew search '"could not resolve" -npm' --since 2w --in tools
  clew search ERR_STRING_TOO_LONG --json | jq -r .ref
  clew show $(clew search "tide tables" -n 1 --json | jq -r .ref)`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(search, withoutDashes(words), OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(search.help)
    return 0
  }
  const typed = positionals.join(' ')
  const options: SearchOptions = {
    typed,
    fields: fieldsOf(values.in ?? []),
    sinceMs: timeOf(values.since, 'since', world),
    untilMs: timeOf(values.until, 'until', world),
    tool: values.tool ?? null,
    file: values.file ?? null,
    limit: values.limit === undefined ? 20 : numberFromOne(values.limit, 'limit'),
    // A person wants to see many conversations, a program everything.
    perConversation: values.session === undefined && !values.json ? 3 : Number.POSITIVE_INFINITY,
    allRecords: values.json === true,
  }
  if (typed.trim() === '' && options.tool === null && options.file === null)
    throw new Failure('search for what? Try: clew search --help')
  if ((options.sinceMs ?? 0) > (options.untilMs ?? Number.POSITIVE_INFINITY))
    throw new Failure('--until is before --since')
  const archive = openTranscripts(values.root, world, { mayLookAgain: !values['no-index'] })
  const closed = archive.problems.filter(({ code }) => code === 'folder-unreadable')
  noteProblems(closed, world)
  const filter: ConversationFilter = {
    isWanted: rowFilter(values, world),
    gitBranch: values.branch ?? null,
    model: values.model ?? null,
  }
  const noIndex = values['no-index'] === true
  const inBytes = bytesPattern(values, typed)
  const choice = { options, filter, noIndex }
  const result =
    inBytes === null
      ? await searchWords(archive, choice, world)
      : await searchBytes(archive, { ...choice, pattern: inBytes }, world)
  print(result, archive, values.json === true, world)
  return 0
}

function bytesPattern(
  { exact, regex, 'ignore-case': ignoreCase, tool, file }: BytesValues,
  text: string,
): ScanPattern | null {
  if (exact && regex) throw new Failure('--exact and --regex exclude each other')
  if (!exact && !regex) {
    if (ignoreCase) throw new Failure('--ignore-case goes with --exact or --regex; words never mind the case')
    return null
  }
  if (tool !== undefined || file !== undefined) throw new Failure('--tool and --file go with words, not with bytes')
  return { kind: exact ? 'exact' : 'regex', text, ignoreCase: ignoreCase === true }
}

interface BytesValues {
  readonly exact?: boolean | undefined
  readonly regex?: boolean | undefined
  readonly 'ignore-case'?: boolean | undefined
  readonly tool?: string | undefined
  readonly file?: string | undefined
}

/** `-word` means without the word, although it looks like options. What follows `--` is the query in any case. */
function withoutDashes(words: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const isExcluded = (word: string, place: number): boolean =>
    place < end && /^-[^-]/.test(word) && !/^-(?:[ih]|n\d*)$/.test(word) && !takesValue(words[place - 1])
  const excluded = words.filter(isExcluded)
  if (excluded.length === 0) return words
  return [
    ...words.slice(0, end).filter((word, place) => !isExcluded(word, place)),
    '--',
    ...excluded,
    ...words.slice(end + 1),
  ]
}

function takesValue(word: string | undefined): boolean {
  const option = Object.entries(OPTIONS).find(([name]) => word === `--${name}`)
  return option?.[1].type === 'string' || word === '-n'
}

async function searchWords(
  archive: FoundTranscripts,
  { options, filter, noIndex }: Omit<BytesChoice, 'pattern'>,
  world: World,
): Promise<SearchResult> {
  const { output, progress, nowMs } = world
  return openedIndex(noIndex, world, async (index) => {
    const unread = await bringUp(index, archive, world)
    const found = await index.find(archive, options, filter, { nowMs, onProgress: progress.show })
    progress.clear()
    noteProblems([...unread, ...found.problems], world)
    if (found.isInBytes && found.hits.length > 0)
      output.note('clew: no word matches; found inside of words or beyond what is indexed')
    return found
  })
}

function print({ hits: found, isBounded }: SearchResult, archive: FoundTranscripts, json: boolean, world: World): void {
  const { output, nowMs, home } = world
  const hits = found.map((hit) => ({ ...hit, isCopy: isCopy(archive, hit.path) }))
  if (json) {
    for (const hit of hits) output.print(searchJson(hit))
    return
  }
  if (hits.length === 0) {
    output.note(archive.projects.length === 0 ? nothingNote(archive.roots, world) : 'clew: nothing matches')
    return
  }
  output.page(searchText(hits, { columns: output.columns, nowMs, home, style: output.style }))
  if (hits.every(({ isLoose }) => isLoose === true))
    output.note('clew: nothing has all of the words as they were typed; these come close')
  if (isBounded) output.note('clew: there are very many hits; the newest of them were looked at')
}

function fieldsOf(lists: readonly string[]): ReadonlySet<SearchField> {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim())
  return new Set(
    names
      .filter((name) => name !== '')
      .map((name) => {
        const field = SEARCH_FIELDS.find((one) => one === name)
        if (field === undefined) throw new Failure(`--in takes ${SEARCH_FIELDS.join(', ')}, not “${name}”`)
        return field
      }),
  )
}

/** A date is meant with its day, as by every command that has both. */
function timeOf(typed: string | undefined, option: 'since' | 'until', world: World): number | null {
  if (typed === undefined) return null
  const day = dayMs(typed)
  if (day !== null) return option === 'since' ? day.firstMs : day.lastMs
  const ms = sinceMs(typed, world.nowMs)
  if (ms === null) throw new Failure(`--${option} takes 30m, 12h, 7d, 2w or a date, not “${typed}”`)
  return ms
}

interface Chosen {
  readonly here?: boolean | undefined
  readonly repo?: boolean | undefined
  readonly project?: string | undefined
  readonly session?: string | undefined
}

function rowFilter(chosen: Chosen, world: World): ConversationFilter['isWanted'] {
  const { here, repo, project, session } = chosen
  if (here === undefined && repo === undefined && project === undefined && session === undefined) return null
  const isInScope = conversationFilter(chosen, world.folder)
  return (row) => isInScope(row) && (session === undefined || row.sessionId.startsWith(session))
}
