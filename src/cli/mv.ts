import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { REAL_DISK } from '../disk/real-disk.ts'
import { applyMove } from '../relocate/apply-move.ts'
import { liveThere } from '../relocate/live-there.ts'
import type { MovePlan } from '../relocate/move-plan.ts'
import { planMove } from '../relocate/move-plan.ts'
import type { MoveReceipt } from '../relocate/move-receipt.ts'
import { moveReceiptIds, movesFolder, readMoveReceipt, unfinishedMoves } from '../relocate/move-receipt.ts'
import type { PathMove } from '../relocate/paths.ts'
import { normalPath } from '../relocate/paths.ts'
import { undoMove } from '../relocate/undo-move.ts'
import type { MoveReport } from '../render/mv.ts'
import { liveText, movedText, moveJson, movePlanText, moveUndoneJson, moveUndoneText, refusals } from '../render/mv.ts'
import { newReceiptId } from '../store/receipt.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  'rewrite-cwd': { type: 'boolean' },
  apply: { type: 'boolean' },
  undo: { type: 'boolean' },
} as const

export const mv: Command = {
  name: 'mv',
  failureCode: 1,
  help: `clew mv <old project path> <new> [--rewrite-cwd] [--apply] [--json] [--root DIR]
clew mv --undo [<receipt>] [--json] [--root DIR]

A project was moved or renamed: its history follows. Finds everything that knows the old path (the folder below
projects with its sessions, subagents and memory, worktrees below it, history.jsonl, .claude.json, the client's small
files about sessions, jobs and plugins) and says what would become of each. Only sessions that took place in the old
path or below it go, also where several paths share one folder. Nothing is changed without --apply, and nothing at all
while a client runs there. Clew moves the history, not the code.

  --rewrite-cwd  change the folder in every record; else the records stay as they are, and one record is added that
                 says where the session is now, as the client itself does
  --apply        do it, with a copy of all that changes, and print how to take it back
  --undo         take it back, the newest move when none is named: the same bytes, and what was written since stays
  --json         one JSON object
  --no-index     as always: the index is not looked at
  --root DIR     a Claude directory; repeatable

Examples:
  clew mv ~/tidewatch ~/code/tidewatch
  clew mv ~/tidewatch ~/code/tidewatch --apply
  clew mv --undo`,
  run,
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(mv, words, OPTIONS)
  if (values.help) {
    world.output.print(mv.help)
    return 0
  }
  if (values.undo) return undo(values, positionals, world)
  const move = moveOf(positionals, world)
  const { roots } = openClaudeFolders('mv', values.root, world)
  const rewritesCwd = values['rewrite-cwd'] === true
  const plans = roots.map((root) => planMove(REAL_DISK, root, move, { rewritesCwd, nowMs: world.nowMs }))
  const found = plans.filter((plan) => plan.files.length > 0)
  if (found.length === 0) {
    const unread = plans.flatMap(({ staying }) => staying).find(({ why }) => why === 'unreadable')
    if (unread !== undefined) {
      throw new Failure(
        `nothing was changed: not all of ${unread.path} may be looked into. Give yourself the right to, and try again`,
      )
    }
    throw new Failure(`nothing here knows ${move.from} as a project. To see which paths there are: clew list --json`)
  }
  const report = reportOf(found, move, rewritesCwd, roots)
  return values.apply ? apply(found, report, values, world) : dryRun(report, values, world)
}

function moveOf(positionals: readonly string[], world: World): PathMove {
  const [from, to] = positionals.map((path) => normalPath(path) ?? resolve(world.folder, path))
  if (from === undefined || to === undefined || positionals.length > 2) {
    throw new Failure('mv takes the old path of a project and the new one. Try: clew mv --help')
  }
  if (from === to) throw new Failure('both paths are the same')
  if (from === '/' || /^[A-Za-z]:[\\/]?$/.test(from)) throw new Failure(`${from} is no project`)
  return { from, to }
}

function reportOf(
  plans: readonly MovePlan[],
  move: PathMove,
  rewritesCwd: boolean,
  roots: readonly string[],
): MoveReport {
  return {
    isApplied: false,
    oldPath: move.from,
    newPath: move.to,
    rewritesCwd,
    isOldThere: existsSync(move.from),
    isNewThere: existsSync(move.to),
    roots: plans,
    receipts: [],
    unfinished: roots.flatMap((root) => unfinishedMoves(REAL_DISK, root)),
  }
}

function dryRun(report: MoveReport, values: Values, { output, home }: World): number {
  if (values.json) output.print(moveJson(report))
  else output.page(movePlanText(report, { style: output.style, home }))
  return 0
}

async function apply(plans: readonly MovePlan[], report: MoveReport, values: Values, world: World): Promise<number> {
  const [refused] = refusals(report)
  if (refused !== undefined) throw new Failure(`nothing was changed. ${refused}`)
  const { output, home, nowMs } = world
  const id = newReceiptId(nowMs, randomBytes(3).toString('hex'))
  const receipts: MoveReport['receipts'][number][] = []
  let failure: string | null = null
  for (const plan of plans) {
    const applied = await applyMove(REAL_DISK, plan, { id, nowMs })
    if (applied.receipt !== null) receipts.push(noteOf(plan.root, applied.receipt, values))
    failure = applied.failure?.message ?? null
    if (failure !== null) break
  }
  const done: MoveReport = { ...report, isApplied: true, receipts }
  if (failure === null) {
    output.print(values.json ? moveJson(done) : movedText(done, { style: output.style, home }))
    return 0
  }
  const back = receipts.at(-1)?.undo
  throw new Failure(
    `${failure}. ${back === undefined ? 'Nothing was changed' : `It stopped half-way; take it back with: ${back}`}`,
  )
}

function noteOf(root: string, { id, files }: MoveReceipt, values: Values): MoveReport['receipts'][number] {
  const word = /^[\w./:@+,-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`
  const undoing = `clew mv --undo ${id}${values.root === undefined ? '' : ` --root ${word}`}`
  return { root, receiptId: id, folder: movesFolder(root, id), undo: undoing, files: files.length }
}

async function undo(values: Values, positionals: readonly string[], world: World): Promise<number> {
  if (values.apply || values['rewrite-cwd']) throw new Failure('--undo takes no other option but --json and --root')
  if (positionals.length > 1) throw new Failure('--undo takes one receipt')
  const { roots } = openClaudeFolders('mv', values.root, world)
  const id = chosenReceipt(roots, positionals[0])
  const total = { receiptId: id, restored: 0, alreadyThere: 0, conflicts: [] as { path: string; why: string }[] }
  for (const root of roots) {
    if (!moveReceiptIds(REAL_DISK, root).includes(id)) continue
    const receipt = readMoveReceipt(REAL_DISK, root, id)
    if (receipt === null) throw new Failure(`the manifest in ${movesFolder(root, id)} cannot be understood`)
    const names = new Set(receipt.files.flatMap(({ to, from }) => [from, to ?? from]))
    // Clients everywhere write to what projects share, and the undo keeps what they wrote.
    const places = [...names]
      .filter((name) => name.startsWith('projects/'))
      .map((name) => ({ path: join(root, name), sessionId: null }))
    const [live] = liveThere(REAL_DISK, root, receipt.move, places, { nowMs: world.nowMs })
    if (live !== undefined) throw new Failure(`nothing was put back. ${liveText(live)}`)
    const undone = await undoMove(REAL_DISK, root, receipt)
    total.restored += undone.restored
    total.alreadyThere += undone.alreadyThere
    total.conflicts.push(...undone.conflicts)
    if (undone.failure !== null)
      throw new Failure(`${undone.failure.message}. Run the same again when that is put right`)
  }
  const { output } = world
  output.print(values.json ? moveUndoneJson(total) : moveUndoneText(total, output.style))
  return total.conflicts.length === 0 ? 0 : 1
}

/** One call has one receipt, which lies in each Claude directory where it changed something. */
function chosenReceipt(roots: readonly string[], wanted: string | undefined): string {
  const ids = [...new Set(roots.flatMap((root) => moveReceiptIds(REAL_DISK, root)))].sort()
  const fitting = ids.filter((id) => wanted === undefined || id.startsWith(wanted))
  const newest = fitting.at(-1)
  if (newest === undefined) {
    throw new Failure(wanted === undefined ? 'there is no move to undo' : `there is no receipt “${wanted}”`)
  }
  if (wanted !== undefined && fitting.length > 1 && !fitting.includes(wanted)) {
    throw new Failure(`several receipts begin with “${wanted}”: ${fitting.join(', ')}`)
  }
  return wanted !== undefined && fitting.includes(wanted) ? wanted : newest
}
