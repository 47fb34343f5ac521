import { randomBytes, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { keptFolder } from '../archive/open-archive.ts'
import { summarise } from '../conversation/summary.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { OpenSession } from '../load/session.ts'
import type { RepairPlace } from '../mend/apply.ts'
import { applyRepair } from '../mend/apply.ts'
import type { Fix, RepairPlan } from '../mend/model.ts'
import { FIXES } from '../mend/model.ts'
import { openBytes } from '../mend/open-bytes.ts'
import type { RepairOptions } from '../mend/plan.ts'
import { planRepair, prognosisOf } from '../mend/plan.ts'
import type { RepairReceipt } from '../mend/repair-receipt.ts'
import { readReceipt, receiptIds } from '../mend/repair-receipt.ts'
import { RepairRefused } from '../mend/repair-refused.ts'
import type { UndoOutcome, UndoWorld } from '../mend/undo.ts'
import { undoNewest, undoRepair } from '../mend/undo.ts'
import type { PlanView } from '../render/repair.ts'
import { appliedText, planText, receiptsText, repairJson, undoText } from '../render/repair.ts'
import { resumeCommand } from '../render/resume-command.ts'
import { safeName, toJson } from '../render/terminal.ts'
import { newReceiptId } from '../store/receipt.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { oneOf } from './option-values.ts'
import { openReference } from './reference.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  fix: { type: 'string', multiple: true },
  out: { type: 'string' },
  'dry-run': { type: 'boolean' },
  apply: { type: 'boolean' },
  'may-shrink': { type: 'boolean' },
  undo: { type: 'boolean' },
  receipts: { type: 'boolean' },
} as const

export const repair: Command = {
  name: 'repair',
  failureCode: 1,
  help: `clew repair <id|prefix|latest|title|path> [--fix LIST] [--out new|in-place] [--apply] [--json] [--root DIR]
clew repair --undo [<receipt>] [--json]
clew repair --receipts [--json]

Makes a conversation resume again. Without --apply it only says what it would do: each step with what, why, and the
records before and after. With --apply the repaired conversation becomes a new session, and the old one stays as it is.
Every result is read again and proven first: every byte accounted for, no id twice, one live tip, calls and results in
pairs, and nothing missing that anybody said.

  --fix LIST    only these (a list with commas): ${FIXES.join(', ')}
  --out new     into a new session, beside the old one (default)
  --out in-place  into the same file: only when nothing has it open and it was quiet for two minutes; the bytes from
                before are kept, with the time and the mode of the file
  --dry-run     say what would be done (default)
  --apply       do it, and print how to go on and how to take it back
  --may-shrink  also when fewer messages would be reachable than before
  --undo        take back a repair; when no receipt is named, the newest one that was not taken back yet
  --receipts    the repairs that were done, oldest first
  --json        one JSON object (with --receipts: one a line)

Examples:
  clew repair 3f05
  clew repair 3f05 --apply
  clew repair latest --fix pairs,thinking --out in-place --apply
  clew repair --undo`,
  run,
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(repair, words, OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(repair.help)
    return 0
  }
  if (values.receipts) return receipts(values, world)
  try {
    if (values.undo) return await undo(positionals[0], values, world)
    return await mend(positionals.join(' ') || undefined, values, world)
  } catch (error) {
    if (error instanceof RepairRefused) throw new Failure(error.message)
    throw error
  }
}

async function mend(reference: string | undefined, values: Values, world: World): Promise<number> {
  if (values.apply && values['dry-run']) throw new Failure('--apply and --dry-run exclude each other')
  const kind = values.out === undefined ? 'new' : oneOf(values.out, ['new', 'in-place'] as const, 'out')
  const options: RepairOptions = {
    fixes: fixesOf(values.fix),
    nowMs: world.nowMs,
    mayShrink: values['may-shrink'] === true,
  }
  const { session, isCopy } = await openReference(reference, values, world, 'resume')
  if (isCopy) {
    const { sessionId } = session.main.transcript
    throw new Failure(`its file was deleted, and the archive has a copy. First: clew archive restore ${sessionId}`)
  }
  const { file } = session.main
  const view = planView(planOf(file.path, options), session)
  if (!values.apply || view.refusals.length > 0 || view.steps.length === 0) return tellPlan(view, values, world, kind)
  const place: RepairPlace = {
    root: rootOf(file.path),
    path: file.path,
    sessionId: view.sessionId,
    folder: file.sessionFolder,
    receipts: receiptsFolder(world),
  }
  const repairWorld = {
    disk: REAL_DISK,
    nowMs: world.nowMs,
    receiptId: newReceiptId(world.nowMs, randomBytes(3).toString('hex')),
    newSessionId: randomUUID(),
    open: openBytes,
  }
  const receipt = await applyRepair(repairWorld, place, kind, options)
  if (values.json) world.output.print(repairJson(view, receipt))
  else world.output.print(appliedText(receipt, commandsFor(receipt, session), world.output.style))
  return 0
}

function planOf(path: string, options: RepairOptions): RepairPlan {
  const source = openBytes(path)
  try {
    return planRepair(source.bytes, options).plan
  } finally {
    source.close()
  }
}

function planView(plan: RepairPlan, { main, woven }: OpenSession): PlanView {
  const { title } = summarise(woven, 0)
  const { file } = main
  const { plannedMs: _, madeUuids: __, ...facts } = plan
  return {
    ...facts,
    sessionId: file.sessionId ?? plan.sessionId ?? '',
    path: file.path,
    title,
    prognosis: prognosisOf(plan),
  }
}

function tellPlan(view: PlanView, values: Values, { output }: World, kind: 'new' | 'in-place'): number {
  if (values.json) output.print(repairJson(view, null))
  else {
    const fixes = values.fix === undefined ? '' : ` --fix ${fixesOf(values.fix).join(',')}`
    const how = `clew repair ${safeName(view.sessionId.slice(0, 8))}${fixes}`
    const commands =
      kind === 'new'
        ? [`Into a new session: ${how} --apply`, `Or into the same file: ${how} --out in-place --apply`]
        : [`To do it: ${how} --out in-place --apply`]
    output.page(planText(view, commands, output.style))
  }
  return view.refusals.length > 0 && values.apply ? 1 : 0
}

function fixesOf(lists: readonly string[] | undefined): readonly Fix[] {
  if (lists === undefined) return FIXES
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim())
  return names.filter((name) => name !== '').map((name) => oneOf(name, FIXES, 'fix'))
}

/** A transcript that lies in no Claude directory has no client that could have it open. */
function rootOf(path: string): string {
  const at = path.lastIndexOf('/projects/')
  return at < 0 ? dirname(path) : path.slice(0, at)
}

function commandsFor({ id, newSessionId }: RepairReceipt, { woven }: OpenSession): { resume: string; undo: string } {
  const { cwd } = summarise(woven, 0)
  return { resume: resumeCommand({ sessionId: newSessionId, cwd }), undo: `clew repair --undo ${id}` }
}

/** It may hold the only copy of what a file was before. */
function receiptsFolder(world: World): string {
  return join(keptFolder(world), 'repairs')
}

async function undo(typed: string | undefined, values: Values, world: World): Promise<number> {
  const undoWorld = { disk: REAL_DISK, nowMs: world.nowMs, receipts: receiptsFolder(world) }
  const undone = await (typed === undefined ? undoNewest(undoWorld) : undoNamed(undoWorld, typed))
  if (undone === null) throw new Failure('no repair was done yet; there is nothing to take back')
  const { outcome, receipt } = undone
  world.output.print(values.json ? toJson({ outcome, receipt }) : undoText(outcome, receipt))
  return 0
}

async function undoNamed(world: UndoWorld, id: string): Promise<{ outcome: UndoOutcome; receipt: RepairReceipt }> {
  const receipt = readReceipt(world.disk, world.receipts, id)
  if (receipt === null) throw new Failure(`there is no receipt “${id}”. Try: clew repair --receipts`)
  return { outcome: await undoRepair(world, receipt), receipt }
}

function receipts(values: Values, world: World): number {
  const folder = receiptsFolder(world)
  const known = receiptIds(REAL_DISK, folder).flatMap((id) => readReceipt(REAL_DISK, folder, id) ?? [])
  if (values.json) for (const receipt of known) world.output.print(toJson(receipt))
  else if (known.length === 0) world.output.note('clew: no repair was done yet')
  else world.output.page(receiptsText(known))
  return 0
}
