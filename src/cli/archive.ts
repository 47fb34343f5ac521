import { archiveExport, archiveImport } from './archive-carry.ts'
import { archiveAuto, archiveInstall, archiveUninstall } from './archive-hooks.ts'
import { archiveList } from './archive-list.ts'
import { archivePrune } from './archive-prune.ts'
import { archiveRestore } from './archive-restore.ts'
import { archiveTake } from './archive-take.ts'
import { archiveVerify } from './archive-verify.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  all: { type: 'boolean' },
  project: { type: 'string' },
  watch: { type: 'boolean' },
  to: { type: 'string' },
  touch: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  'older-than': { type: 'string' },
  'keep-last': { type: 'string' },
  'max-size': { type: 'string' },
  apply: { type: 'boolean' },
  'even-last-copies': { type: 'boolean' },
  auto: { type: 'boolean' },
  background: { type: 'boolean' },
  expiring: { type: 'boolean' },
} as const

export const archive: Command = {
  name: 'archive',
  failureCode: 1,
  help: `clew archive [--all | --project P | <id>…] [--watch] [--json] [--root DIR]
clew archive list | verify [--json]
clew archive restore <id>… | --all [--to DIR] [--touch] [--json]
clew archive export <id>… | --all -o FILE
clew archive import FILE
clew archive prune --older-than 365d | --keep-last N | --max-size 5G [--apply] [--json]
clew archive install [--auto] | uninstall | auto on | auto off [--json] [--root DIR]

Copies of sessions that outlive Claude Code's own clean-up: transcripts with their subagents, spilled outputs, file
history, todos and titles, byte for byte, compressed, what is alike kept once. They lie in clew/archive in your data
folder ($XDG_DATA_HOME, else ~/.local/share). Conversations whose files are gone are shown by list, show, search and
the viewer like any other, marked. Settings and credentials are never copied.

Without a word: archives all sessions, or those of --project, or those named by ids or the beginnings of ids. What has
not changed since the last time costs nothing.

  --all              every session; for restore and export: everything the archive holds
  --project P        only projects whose folder name contains P, which may be a path
  --watch            go on until Ctrl-C: what changes is archived a few seconds later
  --expiring         only what the client will delete within 7 days
  --background       say nothing, and leave the work to another run that is at it; this is what the hooks run

  list               the sessions in the archive, and whether their files are still there
  verify             reads all of it and compares every hash; exit code 1, and names, when something is damaged
  restore            puts files back where they were, with their times; never over another file
    --to DIR           into another Claude directory
    --touch            with the time of now, so that the client's clean-up does not take them again at once
  export, import     sessions in one file, for another machine
    -o, --output FILE  the file to write; nothing is there yet
  prune              lets go of old versions; says first what would go
    --older-than WHEN  versions that were last changed before: 90d, 52w or a date
    --keep-last N      all but the N newest versions of each file
    --max-size SIZE    the oldest, until the archive takes no more than this: 500M, 5G
    --apply            do it
    --even-last-copies also what lies nowhere else any more
  install            hooks in the client's settings.json (SessionEnd, PreCompact) that archive in the background
    --auto             and turn on auto
  uninstall          takes them out again
  auto on, auto off  once a day, any clew command archives in the background what is about to expire

  --json             JSON instead of text
  --no-index         read every file, and leave the index alone
  --root DIR         a Claude directory; repeatable

Examples:
  clew archive
  clew archive install
  clew archive restore 3f05
  clew archive export --all -o sessions.clew`,
  run,
}

export type ArchiveValues = ReturnType<typeof parseWords<typeof OPTIONS>>['values']
export type ArchiveDeed = (names: readonly string[], values: ArchiveValues, world: World) => Promise<number>

/** Which options go with which word; the common ones go with all. */
const DEEDS: Readonly<Record<string, { readonly deed: ArchiveDeed; readonly options: readonly string[] }>> = {
  list: { deed: archiveList, options: [] },
  verify: { deed: archiveVerify, options: [] },
  restore: { deed: archiveRestore, options: ['all', 'to', 'touch'] },
  export: { deed: archiveExport, options: ['all', 'output'] },
  import: { deed: archiveImport, options: [] },
  prune: {
    deed: archivePrune,
    options: ['older-than', 'keep-last', 'max-size', 'apply', 'even-last-copies'],
  },
  install: { deed: archiveInstall, options: ['auto'] },
  uninstall: { deed: archiveUninstall, options: [] },
  auto: { deed: archiveAuto, options: [] },
}
const TAKE = { deed: archiveTake, options: ['all', 'project', 'watch', 'background', 'expiring'] }

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(archive, words, OPTIONS)
  if (values.help) {
    world.output.print(archive.help)
    return 0
  }
  const [word = '', ...others] = positionals
  const named = Object.hasOwn(DEEDS, word) ? DEEDS[word] : undefined
  const { deed, options } = named ?? TAKE
  const known = [...Object.keys(ROOT_OPTIONS), ...options]
  const wrong = Object.keys(values).find((name) => !known.includes(name))
  const spoken = named === undefined ? 'archive' : `archive ${word}`
  if (wrong !== undefined) throw new Failure(`${spoken} takes no --${wrong}. Try: clew archive --help`)
  return deed(named === undefined ? positionals : others, values, world)
}
