import { resolve } from 'node:path'
import { fileJson, filesTable, timelineText, versionJson } from '../render/files.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { oneFile, withRecovered } from './recovered-files.ts'
import { fileRow, versionRows } from './version-rows.ts'

const OPTIONS = { ...ROOT_OPTIONS, project: { type: 'string' } } as const

export const files: Command = {
  name: 'files',
  failureCode: 1,
  help: `clew files <id|prefix|latest|title|path> [file] [--json] [--root DIR]
clew files --project P [file] [--json] [--root DIR]

Every file that a conversation saw, with its subagents, and how much of each is known: what it wrote, edited and read,
and the client's own backups. With a file: every version of it, with the turn that made it, and what changed.

  --project P   all conversations of projects whose path or folder name contains P
  --json        one JSON object a line
  --no-index    read the transcripts themselves, not what the index knows of them
  --root DIR    where to look

KNOWN says how much of the newest version that can be had is certain: every byte; every line (the client does not
show line ends); in doubt; how many gaps. A ? behind it: a shell command may have changed the file since.

Examples:
  clew files latest
  clew files latest src/day.ts
  clew files --project tidewatch --json | jq -r 'select(.deleted) | .path'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(files, words, OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(files.help)
    return 0
  }
  const [session, file, more] = values.project === undefined ? positionals : [undefined, ...positionals]
  if (more !== undefined) throw new Failure(`files takes one file, not “${more}” too. Try: clew files --help`)
  if (session === undefined && values.project === undefined)
    throw new Failure('which conversation? Give an id, a prefix, a title, a path or “latest”, or --project.')
  const scope = { ...values, session, names: file === undefined ? undefined : [file] }
  return withRecovered(scope, world, (recovered) => {
    const layout = { columns: output.columns, nowMs: world.nowMs, home: world.home, style: output.style }
    if (file !== undefined) {
      const rows = versionRows(oneFile(recovered, file, resolve(world.folder, file)), recovered)
      if (values.json) for (const row of rows) output.print(versionJson(row))
      else output.page(timelineText(rows, layout))
      return 0
    }
    const rows = [...recovered.histories.values()].map((history) => fileRow(history, recovered))
    rows.sort((one, other) => (other.lastMs ?? 0) - (one.lastMs ?? 0))
    if (values.json) for (const row of rows) output.print(fileJson(row))
    else if (rows.length > 0) output.page(filesTable(rows, layout))
    else output.note('clew: no file was written, edited or read in it')
    return 0
  })
}
