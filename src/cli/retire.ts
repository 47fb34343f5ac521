import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keptFiles } from '../archive/kept.ts'
import { bytesOf } from '../base/size.ts'
import { sinceMs } from '../base/time.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { RetireReport } from '../render/retire.ts'
import {
  appliedText,
  planText,
  retireJson,
  skipText,
  unarchivedText,
  undoJson,
  undoText,
  unfinishedText,
} from '../render/retire.ts'
import { newReceiptId, readReceipt, receiptIds, trashFolder, unfinishedReceipts } from '../store/receipt.ts'
import type { Retired } from '../store/retire.ts'
import { retireSessions, undoRetirement } from '../store/retire.ts'
import type { RetirePlan, RetireRule } from '../store/retire-plan.ts'
import { planRetirement } from '../store/retire-plan.ts'
import { retireRows } from '../store/retire-rows.ts'
import { findOwnArchive } from './archive-folders.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import { conversationFilter, isInside } from './scope.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  'older-than': { type: 'string' },
  'keep-last': { type: 'string' },
  'max-size': { type: 'string' },
  project: { type: 'string' },
  apply: { type: 'boolean' },
  'even-unarchived': { type: 'boolean' },
  really: { type: 'boolean' },
  undo: { type: 'boolean' },
} as const

export const retire: Command = {
  name: 'retire',
  failureCode: 1,
  help: `clew retire --older-than 90d | --keep-last N | --max-size 5G [--project P] [--apply] [--json] [--root DIR]
clew retire --undo [<receipt>] [--json] [--root DIR]

Old sessions out of the way, into a trash from which they can be taken back. Without --apply it only says which
would go and why. What is live (open in a client, or written to in the last 10 minutes) and what has the tag
“pinned” always stays.

  --older-than WHEN  those whose last record is older: 12h, 90d, 12w or a date
  --keep-last N      all but the N newest
  --max-size SIZE    the oldest, until the others take no more than this: 500M, 5G
  --project P        only sessions of projects whose path or folder name contains P
  --apply            move them to clew-trash/<receipt> in the Claude directory, and print how to take it back
  --even-unarchived  also those that no archive has a copy of; counts only together with --really
  --really           see --even-unarchived
  --undo             put back what a receipt lists, the newest one when none is named; never over another file
  --json             one JSON object
  --no-index         read every file, and leave the index alone
  --root DIR         a Claude directory; repeatable

Examples:
  clew retire --older-than 90d
  clew retire --max-size 5G --apply --even-unarchived --really
  clew retire --undo`,
  run,
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(retire, words, OPTIONS)
  if (values.help) {
    world.output.print(retire.help)
    return 0
  }
  if (values.undo) return undo(values, positionals, world)
  if (positionals.length > 0) throw new Failure(`retire takes no “${positionals[0]}”. Try: clew retire --help`)
  const rule = ruleOf(values, world.nowMs)
  const archive = openClaudeFolders('retire', values.root, world)
  const { roots } = archive
  const listed = await bringUpIndex(values['no-index'], archive, world, ({ access }) =>
    access.list(archive, world.progress.show),
  )
  world.progress.clear()
  if (listed.length === 0) world.output.note(nothingNote(roots, world))
  const isWanted = conversationFilter(values, world.folder)
  const wanted = listed.filter(isWanted)
  const isKept = keptFiles(findOwnArchive(world))
  const rows = roots.flatMap((root) =>
    retireRows(
      REAL_DISK,
      root,
      wanted.filter(({ path }) => isInside(path, join(root, 'projects'))),
      { nowMs: world.nowMs, isArchived: (_, own) => own.every((file) => isKept(root, file)) },
    ),
  )
  const evenUnarchived = values['even-unarchived'] === true && values.really === true
  const plan = planRetirement(rows, rule, { nowMs: world.nowMs, evenUnarchived })
  for (const root of roots) noteUnfinished(root, values, world)
  return values.apply ? apply(plan, roots, values, world) : dryRun(plan, roots, values, world)
}

function ruleOf(values: Values, nowMs: number): RetireRule {
  const { 'older-than': olderThan, 'keep-last': keepLast, 'max-size': maxSize } = values
  if ([olderThan, keepLast, maxSize].filter((one) => one !== undefined).length !== 1) {
    throw new Failure('retire takes one of --older-than 90d, --keep-last N and --max-size 5G. Try: clew retire --help')
  }
  if (keepLast !== undefined) return { kind: 'keep-last', count: wholeNumber(keepLast, 'keep-last') }
  if (maxSize !== undefined) {
    const sizeBytes = bytesOf(maxSize)
    if (sizeBytes === null) throw new Failure(`--max-size takes 500M, 5G or bytes, not “${maxSize}”`)
    return { kind: 'max-size', sizeBytes }
  }
  const beforeMs = sinceMs(olderThan ?? '', nowMs)
  if (beforeMs === null) throw new Failure(`--older-than takes 12h, 90d, 12w or a date, not “${olderThan}”`)
  return { kind: 'older-than', beforeMs }
}

function dryRun(plan: RetirePlan, roots: readonly string[], values: Values, world: World): number {
  const report = reportOf(plan, roots, values, [], false)
  const { output, nowMs, home } = world
  if (values.json) output.print(retireJson(report))
  else if (plan.choices.length === 0) output.note(`clew: none of ${plan.totalCount} sessions would go`)
  else output.page(planText(report, { columns: output.columns, style: output.style, nowMs, home }))
  return 0
}

async function apply(plan: RetirePlan, roots: readonly string[], values: Values, world: World): Promise<number> {
  const going = plan.choices.filter(({ heldBy }) => heldBy === null)
  const held = plan.choices.filter(({ heldBy }) => heldBy === 'unarchived').length
  if (going.length === 0 && held > 0) throw new Failure(`nothing was moved; ${unarchivedText(held)}`)
  const id = newReceiptId(world.nowMs, randomBytes(3).toString('hex'))
  const results: (Retired & { readonly root: string })[] = []
  for (const root of roots) {
    const own = going.filter(({ row }) => isInside(row.path, join(root, 'projects')))
    const { rule } = plan
    if (own.length > 0) {
      results.push({ root, ...(await retireSessions(REAL_DISK, root, own, { id, nowMs: world.nowMs, rule })) })
    }
  }
  const report = reportOf(plan, roots, values, results, true)
  const { output, nowMs, home } = world
  for (const skip of report.skipped) output.note(`clew: ${skipText(skip)}`)
  if (values.json) output.print(retireJson(report))
  else output.print(appliedText(report, { columns: output.columns, style: output.style, nowMs, home }))
  const failure = results.find((result) => result.failure !== null)?.failure
  if (failure != null) throw new Failure(failure.message)
  return 0
}

function reportOf(
  plan: RetirePlan,
  roots: readonly string[],
  values: Values,
  results: readonly (Retired & { readonly root: string })[],
  isApplied: boolean,
): RetireReport {
  const receipts = results.flatMap(({ root, receiptId, sessions }) => {
    if (receiptId === null) return []
    const files = sessions.flatMap((session) => session.files)
    return {
      root,
      receiptId,
      folder: trashFolder(root, receiptId),
      undo: undoCommand(receiptId, root, values),
      sessionIds: sessions.map(({ sessionId }) => sessionId),
      files: files.length,
      sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    }
  })
  return {
    isApplied,
    choices: plan.choices,
    totalCount: plan.totalCount,
    totalBytes: plan.totalBytes,
    receipts,
    skipped: results.flatMap(({ skipped }) => skipped),
    unfinished: roots.flatMap((root) => unfinishedReceipts(REAL_DISK, root)),
  }
}

/** Where it was told to look must be told again. */
function undoCommand(id: string, root: string, { root: named }: Values): string {
  const word = /^[\w./:@+,-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`
  return `clew retire --undo ${id}${named === undefined ? '' : ` --root ${word}`}`
}

function noteUnfinished(root: string, values: Values, world: World): void {
  for (const found of unfinishedReceipts(REAL_DISK, root)) {
    world.output.note(`clew: ${unfinishedText(found, undoCommand(found.id, root, values))}`)
  }
}

async function undo(values: Values, positionals: readonly string[], world: World): Promise<number> {
  const wrong = (['older-than', 'keep-last', 'max-size', 'project', 'apply'] as const).find(
    (name) => values[name] !== undefined,
  )
  if (wrong !== undefined) throw new Failure(`--undo does not go together with --${wrong}`)
  if (positionals.length > 1) throw new Failure('--undo takes one receipt')
  const { roots } = openClaudeFolders('retire', values.root, world)
  const id = chosenReceipt(roots, positionals[0])
  const reports = []
  for (const root of roots) {
    if (!receiptIds(REAL_DISK, root).includes(id)) continue
    const receipt = readReceipt(REAL_DISK, root, id)
    if (receipt === null) throw new Failure(`the manifest in ${trashFolder(root, id)} cannot be understood`)
    reports.push({ root, ...(await undoRetirement(REAL_DISK, root, receipt)) })
  }
  const { output, nowMs, home } = world
  if (values.json) output.print(undoJson(reports))
  else output.print(undoText(reports, { columns: output.columns, style: output.style, nowMs, home }))
  const failure = reports.find((report) => report.failure !== null)?.failure
  if (failure != null) throw new Failure(failure.message)
  return reports.every(({ conflicts }) => conflicts.length === 0) ? 0 : 1
}

/** One call has one receipt, which lies in each Claude directory that it took something from. */
function chosenReceipt(roots: readonly string[], wanted: string | undefined): string {
  const ids = [...new Set(roots.flatMap((root) => receiptIds(REAL_DISK, root)))].sort()
  const fitting = ids.filter((id) => wanted === undefined || id.startsWith(wanted))
  const newest = fitting.at(-1)
  if (newest === undefined) {
    throw new Failure(wanted === undefined ? 'there is nothing to undo' : `there is no receipt “${wanted}”`)
  }
  if (wanted !== undefined && fitting.length > 1 && !fitting.includes(wanted)) {
    throw new Failure(`several receipts begin with “${wanted}”: ${fitting.join(', ')}`)
  }
  return wanted !== undefined && fitting.includes(wanted) ? wanted : newest
}
