import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isValidUtf8 } from '../base/text.ts'
import type { BlamedLine } from '../recover/blame.ts'
import { blameLines } from '../recover/blame.ts'
import { shownText } from '../recover/content.ts'
import type { FileHistory } from '../recover/model.ts'
import type { Recovered } from '../recover/recovered.ts'
import type { BlameRow } from '../render/blame.ts'
import { blamedLineText, blameJson, blameText } from '../render/blame.ts'
import { repositoryFolders } from '../source/repository.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { withRecovered } from './recovered-files.ts'
import { isInside } from './scope.ts'
import { turnCommand } from './turn-command.ts'
import { refOf } from './version-rows.ts'

export const blame: Command = {
  name: 'blame',
  failureCode: 1,
  help: `clew blame <file[:line]> [--json] [--root DIR]

Which turn of which conversation wrote each line of a file, as it is now on disk. Lines are followed through all
versions that the records tell of; what no conversation wrote was there before, or came from elsewhere. A ~ in front
of a line: somebody else changed the file in between, and the line was found by its words. Worktrees of one
repository count as one.

With a line (src/day.ts:12): that line alone, with the prompt and the command that resumes the conversation.

  --json      one JSON object a line
  --no-index  read the transcripts themselves, not what the index knows of them
  --root DIR  where to look for conversations

Examples:
  clew blame src/day.ts
  clew blame src/day.ts:12
  clew blame src/day.ts --json | jq -r 'select(.turn != null) | .ref' | sort | uniq -c`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(blame, words, ROOT_OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(blame.help)
    return 0
  }
  const [typed, more] = positionals
  if (typed === undefined) throw new Failure('which file? Try: clew blame src/day.ts:12')
  if (more !== undefined) throw new Failure(`blame takes one file, not “${more}” too`)
  const { path, line } = fileAndLine(typed, world)
  const now = linesOnDisk(path)
  if (line !== null && (line < 1 || line > now.length))
    throw new Failure(`${path} has ${now.length} lines, and no line ${line}`)
  return withRecovered({ ...values, names: [path] }, world, (recovered) => {
    const histories = historiesOf(recovered, path)
    if (histories.length === 0)
      throw new Failure(`no conversation wrote or read ${path}. Try: clew search path:${path.split('/').at(-1)}`)
    const blamed = blameAll(histories, now)
    const rows = blamed.map((one, place) => rowOf(one, place + 1, recovered))
    const chosen = line === null ? rows : rows.slice(line - 1, line)
    if (values.json) for (const row of chosen) output.print(blameJson(row))
    else if (line === null) output.page(blameText(chosen, output.columns, output.style))
    else output.page(chosen.map((row) => blamedLineText(row, path, output.style)).join('\n'))
    return 0
  })
}

function fileAndLine(typed: string, world: World): { readonly path: string; readonly line: number | null } {
  const whole = resolve(world.folder, typed)
  const [, before, line] = /^(.+):(\d+)$/.exec(typed) ?? []
  if (isFile(whole) || before === undefined) return { path: whole, line: null }
  return { path: resolve(world.folder, before), line: Number(line) }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

const SIZE_BYTES_MAX = 64 << 20

function linesOnDisk(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new Failure(`there is no file ${path}. A deleted one: clew restore-file ${path}`)
  if (!stat.isFile() || stat.size > SIZE_BYTES_MAX) throw new Failure(`${path} is no file of lines`)
  const bytes = readFileSync(path)
  if (!isValidUtf8(bytes)) throw new Failure(`${path} is no text in UTF-8`)
  const text = shownText(bytes.toString('utf8'))
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Of the file itself first, then of the same file in other worktrees. */
function historiesOf({ histories }: Recovered, path: string): readonly FileHistory[] {
  const paths = new Set([path, realpathSync(path)])
  for (const one of [...paths]) {
    const folders = repositoryFolders(dirname(one))
    const top = folders.find((folder) => isInside(one, folder))
    if (top !== undefined) for (const folder of folders) paths.add(join(folder, relative(top, one)))
  }
  return [...paths].flatMap((one) => histories.get(one) ?? [])
}

function blameAll(histories: readonly FileHistory[], now: readonly string[]): readonly BlamedLine[] {
  const [first = [], ...others] = histories.map(({ versions }) => blameLines(versions, now))
  return first.map((line, place) =>
    line.version !== null ? line : (others.map((other) => other[place]).find((one) => one?.version != null) ?? line),
  )
}

function rowOf({ text, version, isByWords }: BlamedLine, line: number, { turnOf }: Recovered): BlameRow {
  const found = version === null ? null : turnOf(version.place)
  return {
    line,
    text,
    sessionId: version?.place.sessionId ?? null,
    agentId: version?.place.agentId ?? null,
    turn: found?.turn ?? null,
    ref: version === null ? null : refOf(version.place),
    timeMs: version?.place.timeMs ?? null,
    cause: version?.cause ?? null,
    isByWords,
    title: found?.title ?? null,
    prompt: found?.prompt ?? null,
    cwd: found?.cwd ?? null,
    command: version === null ? null : turnCommand(version.place.sessionId, found),
  }
}
