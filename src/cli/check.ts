import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '../base/problem.ts'
import type { FoundArchive } from '../load/archive.ts'
import { findArchive, mainFiles } from '../load/archive.ts'
import type { CheckedFile } from '../load/check.ts'
import { findSession } from '../load/find.ts'
import { runProjects } from '../load/pool.ts'
import { checkText, fileJson, problemJson } from '../render/check.ts'
import type { Command, World } from './command.ts'
import { openArchive, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'

export const check: Command = {
  name: 'check',
  summary: 'Where every byte went, what is wrong, what is reached',
  failureCode: 2,
  help: `clew check [path|id…] [--json] [--root DIR]

For every file: bytes in records, problems, an unfinished tail and blank lines (they add up to its size, always),
problems by code with positions, records that belong nowhere, how much the live tip reaches in each reading,
islands cut off by a missing parent, and what the client wrote that Clew has not met before.

Exit code: 0 clean (notes do not count), 1 problems found, 2 could not run.

Examples:
  clew check
  clew check ~/.claude/projects/-home-ada-tidewatch
  clew check 3f05 --json | jq .problemsByCode`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(check, words, ROOT_OPTIONS)
  const { output, progress } = world
  if (values.help) {
    output.print(check.help)
    return 0
  }
  const { archive, only } = await choose(positionals, values.root, world)
  const results = await runProjects(archive.projects, 'check', progress.show)
  progress.clear()
  const all = results.flat().sort((one, other) => (one.path < other.path ? -1 : 1))
  const files = only === null ? all : all.filter((file) => isChosen(file, only))
  if (values.json) {
    for (const found of archive.problems) output.print(problemJson(found))
    for (const file of files) output.print(fileJson(file))
  } else output.page(checkText(files, archive.problems, output.style))
  return isClean(files, archive.problems) ? 0 : 1
}

interface Choice {
  readonly archive: FoundArchive
  /** Paths of the main transcripts asked for; null for everything. */
  readonly only: ReadonlySet<string> | null
}

async function choose(names: readonly string[], roots: readonly string[] | undefined, world: World): Promise<Choice> {
  if (names.length === 0) return { archive: openArchive(roots, world, 2), only: null }
  const paths = names.map((name) => resolve(world.folder, name))
  if (paths.every(existsSync)) return { archive: findArchive(paths), only: null }
  const archive = openArchive(roots, world, 2)
  const only = new Set<string>()
  for (const [index, name] of names.entries()) {
    const path = paths[index] as string
    if (existsSync(path)) {
      for (const file of mainFiles(findArchive([path]))) only.add(file.path)
      continue
    }
    const found = await findSession(archive, name)
    if (found.state === 'none') throw new Failure(`no conversation, file or folder “${name}”. Try: clew list`, 2)
    if (found.state === 'ambiguous') {
      const ids = found.candidates.map((file) => file.sessionId).slice(0, 10)
      throw new Failure(`“${name}” fits ${found.candidates.length} conversations: ${ids.join(', ')}`, 2)
    }
    only.add(found.file.path)
  }
  return { archive, only }
}

/** A conversation is checked with its subagents. */
function isChosen(file: CheckedFile, only: ReadonlySet<string>): boolean {
  if (only.has(file.path)) return true
  return file.role === 'subagent' && [...only].some((path) => path.includes(file.sessionId))
}

function isClean(files: readonly CheckedFile[], problems: readonly Problem[]): boolean {
  const isNote = ({ severity }: Problem): boolean => severity === 'info'
  return problems.every(isNote) && files.every((file) => file.problems.every(isNote))
}
