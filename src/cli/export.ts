import { bytesOf } from '../base/size.ts'
import type { PartName } from '../render/export/choice.ts'
import { chooseParts, PARTS } from '../render/export/choice.ts'
import { toJson } from '../render/terminal.ts'
import { counted } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { numberFromOne, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { chooseConversations, referencesOf } from './export-choice.ts'
import type { ExportPlan } from './export-plan.ts'
import { chooseFormat } from './export-plan.ts'
import type { Written } from './export-target.ts'
import { openTarget } from './export-target.ts'
import { exportConversation, folderIndex } from './exported.ts'
import { Failure } from './failure.ts'
import { oneOf, turnRange } from './option-values.ts'
import { openRedactor } from './redaction.ts'

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
  --out PATH          a file, or a folder when there are several conversations (-o); without it, or with -, standard output
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
  --until WHEN        and not after; a date is meant with its day
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
  const out = outOf(values.out)
  const plan = planOf(values, out)
  const references = positionals.length > 0 ? positionals : await referencesOf(values, world)
  if (values.json && out === undefined) throw new Failure('--json tells what was written: it needs -o')
  const chosen = await chooseConversations(references, values, plan, world)
  const isSeveral = chosen.length > 1
  if (isSeveral && out === undefined)
    throw new Failure(`${counted(chosen.length, 'conversation')}: name a folder for them with -o FOLDER`)
  const redactor = openRedactor(world, values)
  const isFormatNamed = values.format !== undefined
  const target = openTarget(
    { out, isSeveral, isFormatNamed, isForced: values.force === true },
    plan,
    world,
    values.root,
  )
  const totalBytes = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let doneBytes = 0
  const written: Written[] = []
  for (const { open, sizeBytes } of chosen) {
    written.push(await exportConversation(await open(), plan, redactor, target))
    doneBytes += sizeBytes
    if (isSeveral) world.progress.show(doneBytes, totalBytes)
  }
  world.progress.clear()
  await folderIndex(written, plan, target)
  tell(written, values.json === true, target.isStandardOutput, redactor.counts(), world)
  return 0
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

/** A dash is standard output, as with other commands. */
function outOf(typed: string | undefined): string | undefined {
  if (typed === '') throw new Failure('-o takes a file or a folder, and this is an empty name')
  return typed === '-' || typed === '/dev/stdout' ? undefined : typed
}

function planOf(values: Values, out: string | undefined): ExportPlan {
  const format = chooseFormat(values.format, out)
  const isForPrograms = format === 'json' || format === 'jsonl'
  if (isForPrograms && values.detail === 'compact')
    throw new Failure(`--format ${format} is always full; --exclude leaves parts out`)
  const detail = oneOf(values.detail ?? (isForPrograms ? 'full' : 'compact'), ['compact', 'full'] as const, 'detail')
  const images = oneOf(values.images ?? 'placeholder', ['placeholder', 'embedded', 'referenced'] as const, 'images')
  if (images === 'referenced' && out === undefined) throw new Failure('--images referenced needs -o')
  if (images === 'referenced' && format !== 'md' && format !== 'html')
    throw new Failure('--images referenced is for md and html')
  const splitBytes = bytesOf(values.split ?? '50M')
  if (splitBytes === null || splitBytes === 0)
    throw new Failure(`--split takes a size such as 50M, not “${values.split}”`)
  if (values.last !== undefined && values.turns !== undefined) throw new Failure('--last and --turns: one of them')
  const last = values.last === undefined ? null : numberFromOne(values.last, 'last')
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
