// What `clew repair` would do, has done or has undone: text for people, one JSON object for programs.

import type { HealthView, PrognosisView } from './prognosis.ts'
import { prognosisLines, reachLine } from './prognosis.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { count, size } from './units.ts'

export interface StepRecordView {
  readonly line: number | null
  readonly uuid: string | null
  readonly shows: string
}

export interface StepView {
  readonly fix: string
  readonly code: string
  readonly what: string
  readonly why: string
  readonly before: readonly StepRecordView[]
  readonly after: readonly StepRecordView[]
}

export interface PlanView {
  readonly sessionId: string
  readonly path: string
  readonly title: string
  readonly sourceSha256: string
  readonly sourceBytes: number
  readonly fixes: readonly string[]
  readonly steps: readonly StepView[]
  readonly refusals: readonly { readonly code: string; readonly message: string }[]
  readonly before: HealthView
  readonly after: HealthView
  readonly quarantine: readonly { readonly line: number; readonly offset: number; readonly length: number }[]
  readonly prognosis: PrognosisView
}

export interface ReceiptView {
  readonly id: string
  readonly kind: 'in-place' | 'new'
  readonly sessionId: string
  readonly path: string
  readonly newSessionId: string
  readonly newPath: string
  readonly finishedAt: string | null
  readonly undoneAt?: string
}

const SHOWN = 4

export function planText(plan: PlanView, commands: readonly string[], style: Style): string {
  const name = plan.sessionId.slice(0, 8)
  const lines = [`${style.bold(safeLine(plan.title) || '(no title)')}  ${style.dim(safeName(plan.sessionId))}`]
  const told = prognosisLines({ ...plan.prognosis, fixes: [] }, name)
  lines.push(...told.map((line) => `  ${line}`), '')
  if (plan.steps.length === 0) return [...lines, style.good('Nothing needs to be repaired.')].join('\n')
  lines.push(...stepLines(plan.steps, style))
  const quarantined = plan.quarantine.reduce((sum, { length }) => sum + length, 0)
  if (quarantined > 0)
    lines.push(style.dim(`  ${size(quarantined)} that no reader can use is left out, and kept with the receipt`))
  lines.push('', `Then: ${reachLine(plan.after)}`)
  for (const { message } of plan.refusals) lines.push(style.bad(`It must not be done: ${safeLine(message)}`))
  if (plan.refusals.length === 0) lines.push(`Nothing was changed. ${commands.join('\n')}`)
  return lines.join('\n')
}

function stepLines(steps: readonly StepView[], style: Style): readonly string[] {
  const byCode = new Map<string, StepView[]>()
  for (const step of steps) {
    const known = byCode.get(step.code)
    if (known === undefined) byCode.set(step.code, [step])
    else known.push(step)
  }
  return [...byCode.values()].flatMap((same, place) => {
    const first = same[0] as StepView
    const head = `${place + 1}. ${style.prompt(`${first.fix}: ${first.code}`)} × ${count(same.length)}  ${safeLine(first.what)}`
    const places = same.slice(0, SHOWN).map((step) => style.dim(`     ${changeText(step)}`))
    const more = same.length > SHOWN ? [style.dim(`     ${count(same.length - SHOWN)} more`)] : []
    return [head, style.dim(`     ${safeLine(first.why)}`), ...places, ...more]
  })
}

function changeText({ before, after }: StepView): string {
  return `${recordText(before)} → ${after.length === 0 ? 'left out' : recordText(after)}`
}

function recordText(records: readonly StepRecordView[]): string {
  const [first] = records
  if (first === undefined) return 'nothing'
  const more = records.length > 1 ? ` (and ${count(records.length - 1)} more)` : ''
  const place = first.line === null ? 'new' : `line ${count(first.line)}`
  return `${place} ${safeLine(first.shows)}${more}`
}

export function repairJson(plan: PlanView, receipt: ReceiptView | null): string {
  const { prognosis, ...facts } = plan
  const { outcome } = prognosis
  return toJson({ ...facts, outcome, applied: receipt !== null, receipt })
}

export function appliedText(receipt: ReceiptView, commands: { resume: string; undo: string }, style: Style): string {
  const where =
    receipt.kind === 'new'
      ? `A new session has the repaired conversation: ${safeName(receipt.newSessionId)}`
      : `Repaired in place: ${safeName(receipt.path)}`
  return [style.good(where), `  go on with it:  ${commands.resume}`, `  take it back:   ${commands.undo}`].join('\n')
}

export function receiptsText(receipts: readonly ReceiptView[]): string {
  return receipts
    .map(
      ({ id, kind, sessionId, finishedAt, undoneAt }) =>
        `${id}  ${kind}  ${safeName(sessionId)}${undoneAt !== undefined ? '  taken back' : finishedAt === null ? '  interrupted' : ''}`,
    )
    .join('\n')
}

export function undoText(outcome: 'restored' | 'removed' | 'already', { path, newPath }: ReceiptView): string {
  if (outcome === 'restored') return `${safeName(path)} is what it was before the repair, byte for byte`
  if (outcome === 'removed') return `the repaired session was removed: ${safeName(newPath)}`
  return 'nothing to take back: all is as it was before the repair'
}
