import { REAL_DISK } from '../disk/real-disk.ts'
import { addWeights, totalOf, weigh } from '../relocate/weigh.ts'
import { dedupeJson, dedupeText } from '../render/dedupe.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { lookIntoIndex } from './indexed.ts'

export const dedupe: Command = {
  name: 'dedupe',
  failureCode: 1,
  help: `clew dedupe [--json] [--root DIR]

Where the disk goes: the bytes of all transcripts and what lies beside them, by kind, in total and for each project.
Every byte counts once. It says what is there twice (copies in forks, records written again, results that are kept a
second time), what is safe to compress or to put away, and the command that does it. Nothing is changed.

  --json      one JSON object
  --no-index  read every file, and leave the index alone
  --root DIR  a Claude directory; repeatable

Examples:
  clew dedupe
  clew dedupe --json | jq '.kinds[] | {kind, bytes}'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(dedupe, words, ROOT_OPTIONS)
  const { output, progress, home } = world
  if (values.help) {
    output.print(dedupe.help)
    return 0
  }
  if (positionals.length > 0) throw new Failure(`dedupe takes no “${positionals[0]}”. Try: clew dedupe --help`)
  const archive = openClaudeFolders('dedupe', values.root, world)
  const files = archive.projects.flatMap((project) => project.files)
  const projects = await lookIntoIndex(values['no-index'], world, async ({ access }) =>
    weigh(REAL_DISK, archive.roots, files, access.read, progress.show),
  )
  progress.clear()
  if (files.length === 0) output.note(nothingNote(archive.roots, world))
  const weights = addWeights(projects)
  const report = { weights, totalBytes: totalOf(weights), projects }
  if (values.json) output.print(dedupeJson(report))
  else if (projects.length > 0) {
    output.page(dedupeText(report, { columns: output.columns, style: output.style, home }))
  }
  return 0
}
