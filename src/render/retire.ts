// What `clew retire` would do, has done or has undone: text for people, one JSON object for programs.

import { excerpt } from '../base/text.ts'
import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { age, counted, iso, size } from './units.ts'

export interface RetireRow {
  readonly sessionId: string
  readonly projectKey: string
  readonly title: string
  readonly modifiedMs: number
  readonly sizeBytes: number
  readonly path: string
  readonly folder: string | null
}

export type RetireReason =
  | { readonly kind: 'older-than'; readonly ageDays: number }
  | { readonly kind: 'keep-last'; readonly place: number }
  | { readonly kind: 'max-size'; readonly overBytes: number }
  | { readonly kind: 'named' }

export interface RetireChoice {
  readonly row: RetireRow
  readonly reason: RetireReason
  readonly heldBy: 'live' | 'pinned' | 'unarchived' | null
}

export interface RetireReport {
  readonly isApplied: boolean
  readonly choices: readonly RetireChoice[]
  readonly totalCount: number
  readonly totalBytes: number
  readonly receipts: readonly RetireReceipt[]
  readonly skipped: readonly RetireSkip[]
  readonly unfinished: readonly UnfinishedRetirement[]
}

export interface RetireReceipt {
  readonly root: string
  readonly receiptId: string
  readonly folder: string
  /** The command that takes it back. */
  readonly undo: string
  readonly sessionIds: readonly string[]
  readonly files: number
  readonly sizeBytes: number
}

export interface RetireSkip {
  readonly sessionId: string
  readonly path: string
  readonly why: string
}

export interface UnfinishedRetirement {
  readonly root: string
  readonly id: string
  readonly when: string
  readonly files: number
  readonly filesInTrash: number
}

export interface RetireLayout {
  readonly columns: number
  readonly nowMs: number
  readonly home: string
  readonly style: Style
}

export function retireJson(report: RetireReport): string {
  const going = report.choices.filter(({ heldBy }) => heldBy === null)
  return toJson({
    applied: report.isApplied,
    totalSessions: report.totalCount,
    totalBytes: report.totalBytes,
    goingSessions: going.length,
    goingBytes: bytesOf(going),
    sessions: report.choices.map((choice) => choiceJson(choice, report)),
    receipts: report.receipts,
    unfinished: report.unfinished,
  })
}

function choiceJson({ row, reason, heldBy }: RetireChoice, report: RetireReport): unknown {
  const { modifiedMs, sessionId, title, projectKey, path, folder, sizeBytes } = row
  const skip = report.skipped.find((one) => one.path === path)
  const isRetired = report.receipts.some(({ sessionIds }) => sessionIds.includes(sessionId))
  const state =
    heldBy !== null ? 'held' : !report.isApplied ? 'would-go' : skip === undefined && isRetired ? 'retired' : 'skipped'
  return {
    sessionId,
    title,
    projectKey,
    path,
    folder,
    modifiedAt: iso(modifiedMs),
    sizeBytes,
    state,
    reason,
    heldBy,
    skippedBecause: skip?.why ?? null,
  }
}

export function planText(report: RetireReport, layout: RetireLayout): string {
  const { style, columns } = layout
  const rows = report.choices.map(({ row, reason, heldBy }) => [
    age(row.modifiedMs, layout.nowMs),
    safeName(excerpt(row.sessionId, 8)),
    size(row.sizeBytes),
    reasonText(reason),
    heldBy === null ? '' : HOLDS[heldBy],
    safeName(row.projectKey),
    safeLine(row.title) || '(no title)',
  ])
  const heads = ['AGE', 'ID', 'SIZE', 'WHY', 'STAYS', 'PROJECT', 'TITLE']
  const table = tableLines(heads, rows, { columns, style, numeric: [0, 2], paths: [5], spare: [3, 2, 5, 0] })
  return [...table, '', ...summaryLines(report, style)].join('\n')
}

const HOLDS = { live: 'is live', pinned: 'is pinned', unarchived: 'not archived' } as const

function reasonText(reason: RetireReason): string {
  switch (reason.kind) {
    case 'named':
      return 'named'
    case 'older-than':
      return `last record ${counted(reason.ageDays, 'day')} ago`
    case 'keep-last':
      return `number ${reason.place} by age`
    case 'max-size':
      return `${size(reason.overBytes)} too much`
  }
}

function summaryLines({ choices, totalCount, totalBytes }: RetireReport, style: Style): readonly string[] {
  const going = choices.filter(({ heldBy }) => heldBy === null)
  const unarchived = choices.filter(({ heldBy }) => heldBy === 'unarchived')
  const of = `of ${counted(totalCount, 'session')} (${size(bytesOf(going))} of ${size(totalBytes)})`
  const lines = [`${style.bold(`${going.length} ${of} would go.`)} Dry run: nothing was moved.`]
  if (going.length > 0) lines.push('To move them into the trash, from which they can be taken back: add --apply')
  if (unarchived.length > 0) lines.push(unarchivedText(unarchived.length))
  return lines
}

/** The one line about what has no second copy. */
export function unarchivedText(number: number): string {
  const [are, them] = number === 1 ? ['is', 'it'] : ['are', 'them']
  return `${counted(number, 'session')} ${are} not archived and would have no second copy: clew archive makes one; to retire ${them} all the same, add --even-unarchived --really`
}

export function appliedText(report: RetireReport, { style, home }: RetireLayout): string {
  const lines = report.receipts.flatMap(({ folder, undo, sessionIds, files, sizeBytes }) => [
    `${counted(sessionIds.length, 'session')} (${counted(files, 'file')}, ${size(sizeBytes)}) moved to ${shortPath(safeName(folder), home)}`,
    `To take it back: ${style.bold(undo)}`,
    style.dim('The space is free again when that folder is deleted.'),
  ])
  const held = report.choices.filter(({ heldBy }) => heldBy === 'unarchived').length
  if (held > 0) lines.push(unarchivedText(held))
  return (lines.length === 0 ? ['Nothing was moved.'] : lines).join('\n')
}

const SKIPS: Readonly<Record<string, string>> = {
  live: 'it became live',
  changed: 'it changed meanwhile',
  unreadable: 'a file of it cannot be read',
}

export function skipText({ path, why }: RetireSkip): string {
  return `${safeName(path)} stays: ${SKIPS[why] ?? why}`
}

export function unfinishedText({ id, files, filesInTrash }: UnfinishedRetirement, undo: string): string {
  return `receipt ${safeName(id)} is unfinished (${filesInTrash} of ${counted(files, 'file')} in the trash); to put everything back: ${undo}`
}

export interface UndoReport {
  readonly root: string
  readonly receiptId: string
  readonly sessions: readonly string[]
  readonly restored: number
  readonly alreadyThere: number
  readonly conflicts: readonly { readonly path: string; readonly trashPath: string; readonly why: string }[]
}

export function undoJson(reports: readonly UndoReport[]): string {
  return toJson({
    receiptId: reports[0]?.receiptId ?? null,
    restored: reports.reduce((sum, { restored }) => sum + restored, 0),
    alreadyThere: reports.reduce((sum, { alreadyThere }) => sum + alreadyThere, 0),
    sessions: reports.flatMap(({ sessions }) => sessions),
    conflicts: reports.flatMap(({ conflicts }) => conflicts),
  })
}

const CONFLICTS: Readonly<Record<string, string>> = {
  different: 'another file has its place',
  damaged: 'what lies in the trash is not what was retired',
  lost: 'it is neither in its place nor in the trash',
}

export function undoText(reports: readonly UndoReport[], { style, home }: RetireLayout): string {
  return reports
    .flatMap(({ root, receiptId, sessions, restored, alreadyThere, conflicts }) => {
      const there = alreadyThere === 0 ? '' : `, ${alreadyThere} ${alreadyThere === 1 ? 'was' : 'were'} there already`
      return [
        `${counted(restored, 'file')} of ${counted(sessions.length, 'session')} put back into ${shortPath(safeName(root), home)} (receipt ${safeName(receiptId)}${there})`,
        ...conflicts.map(
          ({ path, trashPath, why }) =>
            `${style.bad('not put back:')} ${safeName(path)}: ${CONFLICTS[why] ?? why}; see ${safeName(trashPath)}`,
        ),
      ]
    })
    .join('\n')
}

function bytesOf(choices: readonly RetireChoice[]): number {
  return choices.reduce((sum, { row }) => sum + row.sizeBytes, 0)
}
