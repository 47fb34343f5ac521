import { bytesOf } from '../base/size.ts'
import { sinceMs } from '../base/time.ts'
import type { PartName } from '../render/export/choice.ts'
import { chooseParts, PARTS } from '../render/export/choice.ts'
import { toJson } from '../render/terminal.ts'
import { counted } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { openArchive, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { openForExport } from './export-open.ts'
import type { ExportPlan } from './export-plan.ts'
import { chooseFormat } from './export-plan.ts'
import type { Written } from './export-target.ts'
import { openTarget } from './export-target.ts'
import { exportConversation, folderIndex } from './exported.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import { oneOf, turnRange } from './option-values.ts'
import { openRedactor } from './redaction.ts'
import { openReference } from './reference.ts'
import { conversationFilter } from './scope.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  here: { type: 'boolean' },
  repo: { type: 'boolean' },
  project: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  format: { type: 'string', short: 'f' },
  out: { type: 'string', short: 'o' },
  detail: { type: 'string' },
  last: { type: 'string' },
  turns: { type: 'string' },
  include: { type: 'string' },
  exclude: { type: 'string' },
  reading: { type: 'string' },
  branch: { type: 'string' },
  images: { type: 'string' },
  split: { type: 'string' },
  'no-redact': { type: 'boolean' },
  force: { type: 'boolean' },
} as const

export const exportCommand: Command = {
  name: 'export',
  failureCode: 1,
  help: `clew export <id…>|--since 7d [--format md|html|json|jsonl|txt] [-o FILE|FOLDER] [--detail compact|full]
            [--last N] [--turns N..M] [--include LIST] [--exclude LIST] [--reading full|context] [--branch N]
            [--images placeholder|embedded|referenced] [--no-redact] [--force] [--json] [--root DIR]

A conversation as a document to read, to keep or to send. Secrets are replaced, and the client's own prompts are left out.

  --format FORMAT     md, html, json, jsonl or txt (-f); by default what -o ends in, else md
  --out PATH          a file, or a folder when there are several conversations (-o); without it standard output
  --detail compact    prompts in full, Claude condensed, a line for each tool call (default)
  --detail full       everything: what tools were given and printed, changes to files, thinking, subagents
  --last N            only the last N turns
  --turns N..M        only these turns; also N, N.. and ..M
  --include LIST      add thinking, tools, injections, subagents, images, recaps, client (the client's own prompts)
  --exclude LIST      leave any of them out
  --reading context   what the model saw at the tip, rather than what was said
  --branch N          another branch (clew tree lists them)
  --images MODE       placeholder (default), embedded in the document, or referenced as files beside it
  --split SIZE        an HTML page larger than this becomes a folder with an index and pages (default 50M)
  --since WHEN        all conversations changed since: 30m, 12h, 7d, 2w or a date
  --until WHEN        and not after
  --here              only those that ran in this folder or below it
  --repo              only those of this git repository, worktrees included
  --project P         only projects whose path or folder name contains P
  --no-redact         leave secrets as they are
  --force             replace a file that Clew has not written
  --json              what was written, one JSON object a line
  --no-index          read the files themselves, not what the index knows of them

Examples:
  clew export latest -o conversation.html
  clew export 2ab6 --last 3 --detail full | less
  clew export --since 7d --here -o notes/ -f md`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(exportCommand, words, OPTIONS)
  if (values.help) {
    world.output.print(exportCommand.help)
    return 0
  }
  const plan = planOf(values)
  const references = positionals.length > 0 ? positionals : await referencesOf(values, world)
  if (references.length > 1 && values.out === undefined)
    throw new Failure(`${counted(references.length, 'conversation')}: name a folder for them with -o FOLDER`)
  if (values.json && values.out === undefined) throw new Failure('--json tells what was written: it needs -o')
  const redactor = openRedactor(world, values)
  const target = openTarget(plan, values.out, references.length > 1, values.force === true, world, values.root)
  const written: Written[] = []
  for (const reference of references) {
    const found = await openReference(reference, values, world, 'resume')
    written.push(await exportConversation(openForExport(found, plan), plan, redactor, target))
    world.progress.clear()
  }
  await folderIndex(written, plan, target)
  tell(written, values.json === true, target.isStandardOutput, redactor.counts(), world)
  return 0
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

function planOf(values: Values): ExportPlan {
  const format = chooseFormat(values.format, values.out)
  const isForPrograms = format === 'json' || format === 'jsonl'
  if (isForPrograms && values.detail === 'compact')
    throw new Failure(`--format ${format} is always full; --exclude leaves parts out`)
  const detail = oneOf(values.detail ?? (isForPrograms ? 'full' : 'compact'), ['compact', 'full'] as const, 'detail')
  const images = oneOf(values.images ?? 'placeholder', ['placeholder', 'embedded', 'referenced'] as const, 'images')
  if (images === 'referenced' && values.out === undefined) throw new Failure('--images referenced needs -o')
  if (images === 'referenced' && format !== 'md' && format !== 'html')
    throw new Failure('--images referenced is for md and html')
  const splitBytes = bytesOf(values.split ?? '50M')
  if (splitBytes === null || splitBytes === 0)
    throw new Failure(`--split takes a size such as 50M, not “${values.split}”`)
  if (values.last !== undefined && values.turns !== undefined) throw new Failure('--last and --turns: one of them')
  const last = values.last === undefined ? null : wholeNumber(values.last, 'last')
  if (last === 0) throw new Failure('--last takes a number from 1')
  return {
    format,
    choice: chooseParts(detail, partNames(values.include, 'include'), partNames(values.exclude, 'exclude'), images),
    reading: oneOf(values.reading ?? 'full', ['full', 'context'] as const, 'reading'),
    branch: values.branch === undefined ? null : wholeNumber(values.branch, 'branch'),
    turns: values.turns === undefined ? null : turnRange(values.turns, 'turns'),
    last,
    splitBytes,
    isRedacted: values['no-redact'] !== true,
  }
}

function partNames(value: string | undefined, option: string): readonly PartName[] {
  const words = (value ?? '').split(',').filter((word) => word.trim() !== '')
  return words.map((word) => oneOf(word.trim(), PARTS, option))
}

/** The conversations that --since, --until and the scope mean, newest first. */
async function referencesOf(values: Values, world: World): Promise<readonly string[]> {
  const { since, until, here, repo, project } = values
  if (since === undefined && until === undefined && !here && !repo && project === undefined)
    throw new Failure('which conversation? Give an id, a prefix, a title, a path or “latest”, or --since 7d.')
  const [from, to] = [momentOf(since, 'since', world), momentOf(until, 'until', world)]
  if (from !== null && to !== null && to < from) throw new Failure('--until is before --since')
  const archive = openArchive(values.root, world)
  const all = await bringUpIndex(values['no-index'], archive, world, ({ access }) =>
    access.list(archive, world.progress.show),
  )
  world.progress.clear()
  const isWanted = conversationFilter(values, world.folder)
  const rows = all.filter(
    (row) =>
      row.messages > 0 &&
      (from === null || row.modifiedMs >= from) &&
      (to === null || row.modifiedMs <= to) &&
      isWanted(row),
  )
  if (rows.length === 0) throw new Failure(`none of ${counted(all.length, 'conversation')} matches. Try: clew list`)
  return rows.map(({ path }) => path)
}

function momentOf(value: string | undefined, option: string, world: World): number | null {
  if (value === undefined) return null
  const ms = sinceMs(value, world.nowMs)
  if (ms === null) throw new Failure(`--${option} takes 30m, 12h, 7d, 2w or a date, not “${value}”`)
  return ms
}

function tell(
  written: readonly Written[],
  isJson: boolean,
  isStandardOutput: boolean,
  redacted: Readonly<Record<string, number>>,
  world: World,
): void {
  const { output } = world
  if (isJson) {
    for (const { head, format, path, files, sizeBytes } of written) {
      const { sessionId, agentId, title, turnsShown: turns } = head
      output.print(toJson({ sessionId, agentId, title, format, path, files, turns, sizeBytes, redacted }))
    }
    return
  }
  const secrets = Object.values(redacted).reduce((sum, times) => sum + times, 0)
  const told = secrets === 0 ? '' : `; ${counted(secrets, 'secret')} replaced`
  if (isStandardOutput) {
    if (secrets > 0) output.note(`clew: ${counted(secrets, 'secret')} replaced`)
    return
  }
  for (const { path, head } of written) output.note(`clew: ${path}: ${counted(head.turnsShown, 'turn')}${told}`)
}
