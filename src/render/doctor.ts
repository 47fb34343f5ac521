// What `clew doctor` found, the most urgent first: what the client will delete, where the disk went, what is there twice.

import { excerpt } from '../base/text.ts'
import type { KindWeights } from './dedupe.ts'
import { kindLines } from './dedupe.ts'
import type { DoctorArchiving } from './doctor-archiving.ts'
import { archivingJson, archivingLines } from './doctor-archiving.ts'
import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { counted, iso, size } from './units.ts'

export interface DoctorReport {
  readonly withinDays: number
  readonly folders: readonly DoctorFolder[]
  readonly expiring: readonly DoctorExpiring[]
  readonly projects: readonly DoctorProject[]
  readonly doubles: readonly DoctorDouble[]
  /** Bytes of all projects, by what they are. */
  readonly kinds: KindWeights
  /** Left out by whoever shows only the clean-up. */
  readonly archiving?: DoctorArchiving
}

export interface DoctorFolder {
  readonly root: string
  readonly retention: {
    readonly days: number
    readonly source: string | null
    readonly settings: readonly { readonly path: string; readonly state: string; readonly value: unknown }[]
  }
  readonly lastCleanupMs: number | null
  readonly trashBytes: number
}

export interface DoctorExpiring {
  readonly root: string
  readonly sessionId: string
  readonly title: string
  readonly project: string
  readonly path: string
  readonly sizeBytes: number
  readonly fileModifiedMs: number
  readonly deletableMs: number
  readonly daysLeft: number
  /** Whether the archive has all of it as it is now. */
  readonly isArchived?: boolean
}

export interface DoctorProject {
  readonly root: string
  readonly projectKey: string | null
  readonly sessions: number
  readonly transcriptBytes: number
  readonly subagentBytes: number
  readonly toolResultBytes: number
  readonly fileHistoryBytes: number
  readonly otherBytes: number
  readonly totalBytes: number
}

export interface DoctorDouble {
  readonly sessionId: string
  readonly path: string
  readonly sizeBytes: number
  readonly kind: 'fork' | 'continuation' | 'copy'
  readonly ofSessionId: string | null
  readonly ofPath: string | null
  readonly doubleBytes: number
}

export interface DoctorLayout {
  readonly columns: number
  readonly home: string
  readonly style: Style
}

export function doctorJson(report: DoctorReport): string {
  return toJson({
    folders: report.folders.map(({ root, retention, lastCleanupMs, trashBytes }) => ({
      root,
      cleanupPeriodDays: retention.days,
      source: retention.source,
      settings: retention.settings.map((file) => ({ ...file, note: settingsNote(file) })),
      lastCleanupAt: iso(lastCleanupMs),
      trashBytes,
    })),
    archiving: report.archiving === undefined ? null : archivingJson(report.archiving),
    withinDays: report.withinDays,
    expiring: report.expiring.map(({ fileModifiedMs, deletableMs, isArchived, ...facts }) => ({
      ...facts,
      archived: isArchived ?? null,
      fileModifiedAt: iso(fileModifiedMs),
      deletableAt: iso(deletableMs),
    })),
    projects: report.projects,
    totalBytes: totalOf(report.projects),
    kinds: report.kinds,
    doubles: report.doubles,
    doubleBytes: doubleOf(report.doubles),
  })
}

export function doctorText(report: DoctorReport, layout: DoctorLayout): string {
  const sections = [
    [...cleanupLines(report, layout), ...expiringLines(report, layout), ...hintLines(report, layout)],
    report.archiving === undefined ? [] : archivingLines(report.archiving, report, layout),
    diskLines(report, layout),
    doubleLines(report, layout),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** What a person has to know about the clean-up of each folder. */
export function cleanupLines({ folders }: Pick<DoctorReport, 'folders'>, layout: DoctorLayout): readonly string[] {
  return folders.flatMap((folder) => folderLines(folder, layout))
}

/** As many days as nobody waits for. */
const FAR_DAYS = 3650

function folderLines({ root, retention, lastCleanupMs }: DoctorFolder, layout: DoctorLayout): readonly string[] {
  const { style, home } = layout
  const place = shortPath(safeName(root), home)
  const said =
    retention.source === null
      ? 'the default: cleanupPeriodDays is not set'
      : `cleanupPeriodDays in ${shortPath(safeName(retention.source), home)}`
  const notes = retention.settings.flatMap((file) => {
    const note = settingsNote(file)
    return note === null ? [] : [style.bad(`${shortPath(safeName(file.path), home)}: ${note}`)]
  })
  const last = iso(lastCleanupMs)
  return [
    `${style.bold('Clean-up')} of ${place}: when a client starts, it deletes transcripts that were not written to for ${counted(retention.days, 'day')} (${said}).`,
    ...notes,
    ...(last === null ? [] : [style.dim(`It ran last on ${last.slice(0, 10)}.`)]),
  ]
}

/** What to know about a file that does not simply say a number of days. */
function settingsNote({ state, value }: { readonly state: string; readonly value: unknown }): string | null {
  switch (state) {
    case 'zero':
      return 'cleanupPeriodDays is 0, which does not mean “never”: clients before 2.1.89 delete every transcript and write no new ones, later ones refuse the value'
    case 'invalid':
      return `cleanupPeriodDays is ${safeLine(excerpt(JSON.stringify(value), 40))}, which is no number of days: clients refuse it, and the default may count`
    case 'unreadable':
      return 'is no JSON object that can be read: a client may leave all of it aside, and the default may count'
    default:
      return null
  }
}

const ROWS_SHOWN = 20

function expiringLines({ expiring, withinDays }: DoctorReport, layout: DoctorLayout): readonly string[] {
  const { columns, style, home } = layout
  if (expiring.length === 0) return [style.good(`No conversation goes within the next ${withinDays} days.`)]
  const rows = expiring
    .slice(0, ROWS_SHOWN)
    .map(({ daysLeft, sessionId, sizeBytes, project, title }) => [
      leftText(daysLeft),
      safeName(excerpt(sessionId, 8)),
      size(sizeBytes),
      shortPath(safeLine(project), home),
      safeLine(title) || '(no title)',
    ])
  const heads = ['LEFT', 'ID', 'SIZE', 'PROJECT', 'TITLE']
  return [
    style.bad(`${counted(expiring.length, 'conversation')} may be deleted within the next ${withinDays} days:`),
    ...tableLines(heads, rows, { columns, style, numeric: [2], paths: [3], spare: [2, 3] }),
    ...moreLine(expiring.length - rows.length, style),
  ]
}

function leftText(daysLeft: number): string {
  if (daysLeft <= 0) return 'next start'
  return daysLeft < 1 ? 'under a day' : counted(Math.floor(daysLeft), 'day')
}

function hintLines(report: Kept, { home }: DoctorLayout): readonly string[] {
  return keepHints(report).map(
    ({ path, line }) =>
      `To keep them: ${line} in ${shortPath(safeName(path), home)}. Settings of a project or of an administrator may say otherwise; they were not looked at.`,
  )
}

type Kept = Pick<DoctorReport, 'folders' | 'expiring'>

export interface KeepHint {
  /** The settings file. */
  readonly path: string
  readonly line: string
}

/** What to write where, so that the client keeps its transcripts. */
export function keepHints({ folders, expiring }: Kept): readonly KeepHint[] {
  const short = folders.filter(
    ({ root, retention }) => retention.days < 365 || expiring.some((session) => session.root === root),
  )
  return short.map(({ root, retention }) => ({
    path: retention.source ?? retention.settings[0]?.path ?? `${root}/settings.json`,
    line: `"cleanupPeriodDays": ${FAR_DAYS}`,
  }))
}

function diskLines({ projects, folders, kinds }: DoctorReport, layout: DoctorLayout): readonly string[] {
  const { columns, style, home } = layout
  if (projects.length === 0) return []
  const rows = projects
    .slice(0, ROWS_SHOWN)
    .map((use) => [
      size(use.totalBytes),
      size(use.transcriptBytes),
      size(use.subagentBytes),
      size(use.toolResultBytes),
      size(use.fileHistoryBytes),
      size(use.otherBytes),
      String(use.sessions),
      use.projectKey === null ? '(no project)' : safeName(use.projectKey),
    ])
  const heads = ['TOTAL', 'TRANSCRIPTS', 'SUBAGENTS', 'RESULTS', 'HISTORY', 'OTHER', 'SESSIONS', 'PROJECT']
  const trash = folders.filter(({ trashBytes }) => trashBytes > 0)
  return [
    `${style.bold('Disk')}: ${size(totalOf(projects))} in ${counted(projects.length, 'project')}`,
    ...tableLines(heads, rows, {
      columns,
      style,
      numeric: [0, 1, 2, 3, 4, 5, 6],
      paths: [7],
      spare: [5, 4, 3, 2, 6, 1],
    }),
    ...moreLine(projects.length - rows.length, style),
    ...trash.map(
      ({ root, trashBytes }) =>
        `${size(trashBytes)} more in the trash of clew retire (${shortPath(safeName(root), home)})`,
    ),
    '',
    ...kindLines(kinds, totalOf(projects), layout),
    'By project: clew dedupe. To see what could go: clew retire --older-than 90d',
  ]
}

function doubleLines({ doubles }: DoctorReport, { columns, style, home }: DoctorLayout): readonly string[] {
  const heavy = doubles.filter(({ doubleBytes }) => doubleBytes > 0)
  if (heavy.length === 0) return []
  const rows = heavy
    .slice(0, ROWS_SHOWN)
    .map(({ doubleBytes, sizeBytes, sessionId, kind, ofSessionId, path }) => [
      size(doubleBytes),
      size(sizeBytes),
      safeName(excerpt(sessionId, 8)),
      kind,
      safeName(excerpt(ofSessionId ?? '', 8)),
      shortPath(safeName(path), home),
    ])
  const heads = ['DOUBLE', 'OF', 'ID', 'IS A', 'FROM', 'FILE']
  return [
    `${style.bold('Double')}: about ${size(doubleOf(heavy))} stand in more than one transcript`,
    ...tableLines(heads, rows, { columns, style, numeric: [0, 1], spare: [1, 3] }),
    ...moreLine(heavy.length - rows.length, style),
    style.dim('Each of them is a conversation of its own, and goes on where the other one ended or turned.'),
  ]
}

function moreLine(number: number, style: Style): readonly string[] {
  return number > 0 ? [style.dim(`and ${number} more; --json has all of them`)] : []
}

function totalOf(projects: readonly DoctorProject[]): number {
  return projects.reduce((sum, { totalBytes }) => sum + totalBytes, 0)
}

function doubleOf(doubles: readonly DoctorDouble[]): number {
  return doubles.reduce((sum, { doubleBytes }) => sum + doubleBytes, 0)
}
