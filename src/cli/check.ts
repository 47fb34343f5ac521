import type { Problem } from '../base/problem.ts'
import type { CheckedFile } from '../load/check.ts'
import { checkText, fileJson, problemJson } from '../render/check.ts'
import { chooseFiles } from './choice.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS } from './command.ts'
import { lookIntoIndex } from './indexed.ts'

export const check: Command = {
  name: 'check',
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
  const { archive, isChosen, checked } = await lookIntoIndex(values['no-index'], world, async ({ access }) => {
    const choice = await chooseFiles(positionals, values.root, access, world)
    return { ...choice, checked: await access.check(choice.archive, progress.show) }
  })
  progress.clear()
  const files = checked.filter(isChosen).sort((one, other) => (one.path < other.path ? -1 : 1))
  if (files.length + archive.problems.length === 0) output.note(nothingNote(archive.roots))
  if (values.json) {
    for (const found of archive.problems) output.print(problemJson(found))
    for (const file of files) output.print(fileJson(file))
  } else output.page(checkText(files, archive.problems, output.style))
  return isClean(files, archive.problems) ? 0 : 1
}

function isClean(files: readonly CheckedFile[], problems: readonly Problem[]): boolean {
  const isNote = ({ severity }: Problem): boolean => severity === 'info'
  return problems.every(isNote) && files.every((file) => file.problems.every(isNote))
}
