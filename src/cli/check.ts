import type { Problem } from '../base/problem.ts'
import type { CheckedFile } from '../load/check.ts'
import type { Prognosis } from '../mend/model.ts'
import { openBytes } from '../mend/open-bytes.ts'
import { planRepair, prognosisOf } from '../mend/plan.ts'
import { RepairRefused } from '../mend/repair-refused.ts'
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
islands cut off by a missing parent, and what the client wrote that Clew has not met before. Where something is wrong:
what Claude Code will do on resume, and what would mend it (see clew repair).

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
  const { archive, isChosen, checked } = await lookIntoIndex(values['no-index'], world, async (indexed) => {
    const choice = await chooseFiles(positionals, values.root, indexed, world)
    return { ...choice, checked: await indexed.access.check(choice.archive, progress.show) }
  })
  progress.clear()
  const chosen = checked.filter(isChosen).sort((one, other) => (one.path < other.path ? -1 : 1))
  const files = chosen.map((file) => ({
    ...file,
    resume: isBroken(file) ? prognosisFor(file.path, world.nowMs) : null,
  }))
  if (files.length + archive.problems.length === 0) output.note(nothingNote(archive.roots, world))
  if (values.json) {
    for (const found of archive.problems) output.print(problemJson(found))
    for (const file of files) output.print(fileJson(file))
  } else output.page(checkText(files, archive.problems, output.style))
  return isClean(files, archive.problems) ? 0 : 1
}

/** Only there the client may do something else than one expects, and to find out what takes another reading. */
function isBroken({ role, reach, problems }: CheckedFile): boolean {
  if (role !== 'main') return false
  return (reach?.islands.length ?? 0) > 0 || problems.some(({ severity }) => severity !== 'info')
}

/** Null when it has gone meanwhile, or may not be read: the problems say so. */
function prognosisFor(path: string, nowMs: number): Prognosis | null {
  try {
    const source = openBytes(path)
    try {
      return prognosisOf(planRepair(source.bytes, { nowMs }).plan)
    } finally {
      source.close()
    }
  } catch (error) {
    if (error instanceof RepairRefused) return null
    throw error
  }
}

function isClean(files: readonly CheckedFile[], problems: readonly Problem[]): boolean {
  const isNote = ({ severity }: Problem): boolean => severity === 'info'
  return problems.every(isNote) && files.every((file) => file.problems.every(isNote))
}
