import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { sinceMs } from '../base/time.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { mainFiles } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import { listJson, listTable } from '../render/list.ts'
import { counted } from '../render/units.ts'
import { indexPath } from '../search/index-path.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Command, World } from './command.ts'
import { nothingNote, numberFromOne, openTranscripts, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { keepRows, keptRowOf, keptRows } from './kept-list.ts'
import { conversationFilter } from './scope.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  all: { type: 'boolean' },
  project: { type: 'string' },
  since: { type: 'string' },
  gone: { type: 'boolean' },
  limit: { type: 'string', short: 'n' },
} as const

export const list: Command = {
  name: 'list',
  failureCode: 1,
  help: `clew list [--here|--repo|--all] [--project P] [--since 7d] [--gone] [--limit N] [--json] [--root DIR]

Conversations, newest first: title, project, branch, age, turns, size, model, flags.

  --here        only those that ran in this folder or below it
  --repo        only those of this git repository, worktrees included
  --all         all of them (default)
  --project P   only projects whose path or folder name contains P
  --since WHEN  changed since: 30m, 12h, 7d, 2w or a date
  --gone        only those whose files were deleted: what the index remembers of them
  --limit N     at most N (-n N)
  --json        one JSON object a line
  --no-index    read every file, and leave the index alone
  --root DIR    a Claude directory, a folder with transcripts or one transcript; repeatable

Examples:
  clew list --here
  clew list --since 7d --json | jq -r .title`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(list, words, OPTIONS)
  if (values.help) return help(world)
  if (positionals.length > 0) throw new Failure(`list takes no “${positionals[0]}”. Try: clew show ${positionals[0]}`)
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : numberFromOne(values.limit, 'limit')
  const since = values.since === undefined ? null : sinceMs(values.since, world.nowMs)
  if (values.since !== undefined && since === null) {
    throw new Failure(`--since takes 30m, 12h, 7d, 2w or a date, not “${values.since}”`)
  }
  const archive = openTranscripts(values.root, world, { mayLookAgain: !values['no-index'] })
  const mayBeKept = !values.json && !values.gone && !values['no-index']
  const kept = mayBeKept ? keptRows(indexPath(world), archive) : null
  const asked = kept === null ? await askIndex(archive, values, world) : NOT_ASKED
  const { all, unread, deletedCount, isSettled } = asked
  world.progress.clear()
  const isInScope = conversationFilter(values, world.folder)
  const isWanted = (row: Scoped): boolean => (since === null || row.modifiedMs >= since) && isInScope(row)
  const { output } = world
  if (deletedCount > 0 && !values.gone && !values.json)
    output.note(`clew: ${counted(deletedCount, 'conversation')} deleted since; clew list --gone remembers`)
  for (const { code, position, message } of archive.problems) {
    if (code === 'folder-unreadable') output.note(`clew: ${position?.path}: ${message}`)
  }
  for (const { position, message } of unread) output.note(`clew: ${position?.path}: ${message}`)
  if (values.json) {
    for (const row of all.filter(isWanted).slice(0, limit)) output.print(listJson(row))
    return 0
  }
  const lines = kept ?? all.map(keptRowOf)
  if (mayBeKept && isSettled && deletedCount + unread.length === 0) keepRows(indexPath(world), archive, lines)
  // Old clients wrote files with nothing but a title in them. A program may want those, a person does not.
  const rows = lines.filter((row) => row.messages > 0 && isWanted(row)).slice(0, limit)
  if (rows.length > 0) {
    const { columns, style } = output
    output.page(listTable(rows, { columns, nowMs: world.nowMs, home: world.home, style }))
  } else if (values.gone && lines.length === 0) output.note('clew: no conversation that Clew remembers was deleted')
  else output.note(emptyNote(lines.length, archive.roots, world))
  return 0
}

type Scoped = Pick<ListedConversation, 'modifiedMs' | 'cwd' | 'project' | 'path'>

interface Asked {
  readonly all: readonly ListedConversation[]
  /** Transcripts that are in no row, because nobody may read them. */
  readonly unread: readonly Problem[]
  readonly deletedCount: number
  /** Nothing was left out that may yet come. */
  readonly isSettled: boolean
}

const NOT_ASKED: Asked = { all: [], unread: [], deletedCount: 0, isSettled: false }

/** What opens the index is loaded here: mostly nothing has changed, and nobody needs it. */
async function askIndex(
  archive: FoundTranscripts,
  { gone: isGone, 'no-index': noIndex }: { readonly gone?: boolean; readonly 'no-index'?: boolean },
  world: World,
): Promise<Asked> {
  const { bringUpIndex } = await import('./indexed.ts')
  const { isKeptSettled } = await import('../search/settled.ts')
  return bringUpIndex(noIndex, archive, world, async ({ access, gone, ask }) => {
    const deleted = gone(archive.roots).map(({ row }) => row)
    const all = isGone ? deleted : await access.list(archive, world.progress.show)
    const isSettled = ask((database) => isKeptSettled(database, archive)) ?? false
    return { all, unread: isGone ? [] : unreadFiles(archive, all), deletedCount: deleted.length, isSettled }
  })
}

/** Asked only of those that are missing: a file with nothing in it is in no row either. */
function unreadFiles(archive: FoundTranscripts, rows: readonly ListedConversation[]): readonly Problem[] {
  const listed = new Set(rows.map(({ path }) => path))
  return mainFiles(archive).flatMap(({ path }) => {
    if (listed.has(path)) return []
    const opened = openTranscript(path)
    if (isProblem(opened)) return opened
    closeSync(opened.fd)
    return []
  })
}

function help(world: World): number {
  world.output.print(list.help)
  return 0
}

function emptyNote(total: number, roots: readonly string[], world: World): string {
  if (total > 0) return `clew: none of ${total} conversations matches. Try: clew list --all`
  return nothingNote(roots, world)
}
