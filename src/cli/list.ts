import { basename, dirname } from 'node:path'
import { sinceMs } from '../base/time.ts'
import type { ListedConversation } from '../load/list.ts'
import { listConversations } from '../load/list-all.ts'
import { listJson, listTable } from '../render/list.ts'
import type { Command, World } from './command.ts'
import { nothingNote, openArchive, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { isInside, repositoryFolders } from './scope.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  all: { type: 'boolean' },
  project: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string', short: 'n' },
} as const

export const list: Command = {
  name: 'list',
  summary: 'Conversations, newest first',
  failureCode: 1,
  help: `clew list [--here|--repo|--all] [--project P] [--since 7d] [--limit N] [--json] [--root DIR]

Conversations, newest first: title, project, branch, age, turns, size, model, flags.

  --here        only those that ran in this folder or below it
  --repo        only those of this git repository, worktrees included
  --all         all of them (default)
  --project P   only projects whose path or folder name contains P
  --since WHEN  changed since: 30m, 12h, 7d, 2w or a date
  --limit N     at most N (-n N)
  --json        one JSON object a line
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
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(values.limit, 'limit')
  const since = values.since === undefined ? null : sinceMs(values.since, world.nowMs)
  if (values.since !== undefined && since === null) {
    throw new Failure(`--since takes 30m, 12h, 7d, 2w or a date, not “${values.since}”`)
  }
  const archive = openArchive(values.root, world)
  const all = await listConversations(archive, world.progress.show)
  world.progress.clear()
  const isWanted = filterFor(values, world, since)
  const wanted = all.filter(isWanted)
  // Old clients wrote files with nothing but a title in them. A program may want those, a person does not.
  const rows = (values.json ? wanted : wanted.filter((row) => row.messages > 0)).slice(0, limit)
  const { output } = world
  for (const { code, position, message } of archive.problems) {
    if (code === 'folder-unreadable') output.note(`clew: ${position?.path}: ${message}`)
  }
  if (values.json) for (const row of rows) output.print(listJson(row))
  else if (rows.length > 0) {
    const { columns, style } = output
    output.page(listTable(rows, { columns, nowMs: world.nowMs, home: world.home, style }))
  } else output.note(emptyNote(all.length, archive.roots))
  return 0
}

function help(world: World): number {
  world.output.print(list.help)
  return 0
}

type Wanted = (row: ListedConversation) => boolean

function filterFor(
  values: { here?: boolean; repo?: boolean; project?: string },
  world: World,
  since: number | null,
): Wanted {
  const folders = values.here ? [world.folder] : values.repo ? repositoryFolders(world.folder) : null
  const project = values.project?.toLowerCase()
  return (row) => {
    if (since !== null && row.modifiedMs < since) return false
    if (folders !== null && !folders.some((folder) => row.cwd !== null && isInside(row.cwd, folder))) return false
    return (
      project === undefined ||
      row.project.toLowerCase().includes(project) ||
      projectFolder(row.path).toLowerCase().includes(project)
    )
  }
}

/** Some tools keep a project's transcripts one folder deeper. */
function projectFolder(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'sessions' ? basename(dirname(folder)) : basename(folder)
}

function emptyNote(total: number, roots: readonly string[]): string {
  if (total > 0) return `clew: none of ${total} conversations matches. Try: clew list --all`
  return nothingNote(roots)
}
