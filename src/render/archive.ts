// What `clew archive` did or found: text for people, JSON for programs.

import { excerpt } from '../base/text.ts'
import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { age, counted, iso, size } from './units.ts'

export interface ArchiveLayout {
  readonly style: Style
  readonly home: string
}

export interface TakenReport {
  readonly folder: string
  readonly roots: readonly string[]
  readonly sessions: number
  readonly keptFiles: number
  readonly unchangedFiles: number
  readonly sizeBytes: number
  readonly storedBytes: number
  readonly snapshotIds: readonly string[]
  readonly skipped: readonly { readonly path: string; readonly code: string }[]
}

export function takenJson(taken: TakenReport): string {
  const { folder, roots, sessions, keptFiles, unchangedFiles, sizeBytes, storedBytes, snapshotIds, skipped } = taken
  const savedBytes = sizeBytes - storedBytes
  return toJson({
    folder,
    roots,
    sessions,
    newFiles: keptFiles,
    unchangedFiles,
    sizeBytes,
    storedBytes,
    savedBytes,
    snapshotIds,
    skipped,
  })
}

export function takenText(taken: TakenReport, { style, home }: ArchiveLayout): string {
  const { sessions, keptFiles, unchangedFiles, sizeBytes, storedBytes, folder } = taken
  const place = shortPath(safeName(folder), home)
  const looked = `${counted(sessions, 'session')}, ${counted(keptFiles + unchangedFiles, 'file')} looked at.`
  if (keptFiles === 0) return `${looked} ${style.bold('Nothing is new')} since the last time; all of it is in ${place}`
  return [
    `${looked} ${style.bold(`${counted(keptFiles, 'file')} archived`)}: ${size(sizeBytes)} take ${size(storedBytes)}${savedText(sizeBytes, storedBytes)}.`,
    `They are in ${place}; to see them: clew archive list`,
  ].join('\n')
}

function savedText(sizeBytes: number, storedBytes: number): string {
  const saved = sizeBytes - storedBytes
  return saved <= 0 ? '' : `, ${size(saved)} (${Math.floor((saved / sizeBytes) * 100)} %) saved`
}

export interface ArchivedSession {
  readonly sessionId: string
  /** Null when nothing that can be read says one. */
  readonly title: string | null
  readonly root: string
  readonly projectKey: string | null
  readonly files: number
  /** Of the newest version of each file. */
  readonly sizeBytes: number
  /** Of its transcript. */
  readonly versions: number
  readonly modifiedMs: number
  readonly lastSnapshotMs: number
  readonly isSourceThere: boolean
}

export function sessionJson({ modifiedMs, lastSnapshotMs, isSourceThere, ...facts }: ArchivedSession): string {
  return toJson({
    ...facts,
    modifiedAt: iso(modifiedMs),
    lastSnapshotAt: iso(lastSnapshotMs),
    sourceThere: isSourceThere,
  })
}

export function archiveTable(
  rows: readonly ArchivedSession[],
  { style, nowMs, columns, home }: ArchiveLayout & { readonly nowMs: number; readonly columns: number },
): string {
  const cells = rows.map((row) => [
    age(row.modifiedMs, nowMs),
    safeName(excerpt(row.sessionId, 8)),
    size(row.sizeBytes),
    String(row.versions),
    age(row.lastSnapshotMs, nowMs),
    row.isSourceThere ? '' : 'gone',
    safeName(row.projectKey ?? ''),
    row.title === null ? '(not known)' : safeLine(row.title) || '(no title)',
  ])
  const heads = ['AGE', 'ID', 'SIZE', 'VERSIONS', 'ARCHIVED', 'SOURCE', 'PROJECT', 'TITLE']
  const gone = rows.filter(({ isSourceThere }) => !isSourceThere)
  const roots = [...new Set(rows.map(({ root }) => shortPath(safeName(root), home)))]
  return [
    ...tableLines(heads, cells, { columns, style, numeric: [0, 2, 3, 4], paths: [6], spare: [3, 2, 4, 6, 5] }),
    '',
    `${counted(rows.length, 'session')} of ${roots.join(', ')}; of ${gone.length} the files are gone`,
    ...(gone.length === 0 ? [] : ['To put files back: clew archive restore <id>']),
  ].join('\n')
}

export interface VerifiedReport {
  readonly isWhole: boolean
  readonly format: string | null
  readonly damagedPacks: readonly string[]
  readonly missingPacks: readonly string[]
  readonly damagedSnapshots: readonly string[]
  readonly missingSnapshots: readonly string[]
  readonly damagedFiles: readonly { readonly root: string; readonly name: string; readonly snapshotId: string }[]
  readonly damagedSessions: readonly string[]
  readonly packCount: number
  readonly snapshotCount: number
  readonly versionCount: number
  readonly checkedBytes: number
}

export function verifyJson({ isWhole, damagedFiles, ...report }: VerifiedReport): string {
  const files = damagedFiles.map(({ root, name, snapshotId }) => ({ root, name, snapshotId }))
  return toJson({ whole: isWhole, damagedFiles: files, ...report })
}

export function verifyText(report: VerifiedReport, { style }: Pick<ArchiveLayout, 'style'>): string {
  const { packCount, snapshotCount, versionCount, checkedBytes } = report
  const looked = `${counted(snapshotCount, 'snapshot')}, ${counted(versionCount, 'version')} of files, ${counted(packCount, 'pack')} (${size(checkedBytes)})`
  if (report.isWhole) return `${style.good('Whole')}: ${looked} are as they were written.`
  const bad = (words: string): string => style.bad(words)
  return [
    `${bad('Damaged')}: ${looked} looked at.`,
    ...(report.format === null ? [] : [bad(safeLine(report.format))]),
    ...report.damagedPacks.map((id) => `${bad('damaged pack')} packs/${id}.pack`),
    ...report.missingPacks.map((id) => `${bad('missing pack')} packs/${id}.pack`),
    ...report.damagedSnapshots.map((id) => `${bad('damaged snapshot')} snapshots/${id}.snapshot`),
    ...report.missingSnapshots.map((id) => `${bad('missing snapshot')} snapshots/${id}.snapshot`),
    ...report.damagedFiles.map(({ root, name }) => `${bad('cannot be read back')} ${safeName(`${root}/${name}`)}`),
    'All other files can be restored. What still has its source is whole again after: clew archive',
  ].join('\n')
}

export interface RestoreReport {
  readonly restored: number
  readonly sizeBytes: number
  readonly alreadyThere: number
  readonly failed: readonly { readonly path: string; readonly outcome: string; readonly reason: string | null }[]
  readonly sessions: readonly string[]
  readonly commands: readonly string[]
  /** Claude directories that a client would not look into by itself. */
  readonly elsewhere: readonly string[]
  /** Sessions that the client would delete at its next start. */
  readonly expired: number
}

export function restoreJson({ elsewhere, expired, ...report }: RestoreReport): string {
  return toJson({ ...report, expiredSessions: expired, elsewhere })
}

const OUTCOMES: Readonly<Record<string, string>> = {
  conflict: 'another file is there, and was left as it is',
  damaged: 'it is damaged in the archive',
  refused: 'it could not be written',
}

export function restoreText(report: RestoreReport, { style, home }: ArchiveLayout): string {
  const { restored, sizeBytes, alreadyThere, failed, sessions, commands, elsewhere, expired } = report
  const there = thereText(alreadyThere)
  const lines = [
    `${style.bold(`${counted(restored, 'file')} of ${counted(sessions.length, 'session')} restored`)} (${size(sizeBytes)})${there}.`,
  ]
  for (const { path, outcome, reason } of failed) {
    const why =
      outcome === 'refused' && reason !== null ? `${OUTCOMES[outcome]}: ${reason}` : (OUTCOMES[outcome] ?? outcome)
    lines.push(`${style.bad('not restored:')} ${safeName(path)}: ${safeLine(why)}`)
  }
  for (const command of commands) lines.push(`To go on with it: ${style.bold(command)}`)
  if (sessions.length > commands.length) lines.push('To go on with any of them: clew resume <id>')
  for (const root of elsewhere) {
    lines.push(`A client finds them with CLAUDE_CONFIG_DIR=${shortPath(safeName(root), home)}`)
  }
  if (expired > 0) {
    const [are, them] = expired === 1 ? ['is', 'it'] : ['are', 'them']
    lines.push(
      style.note(
        `${expired} of them ${are} so old that the client may delete ${them} again when it starts. The archive keeps ${them}; to give ${them} the time of now, add --touch`,
      ),
    )
  }
  return lines.join('\n')
}

export interface CarriedReport {
  readonly path: string
  readonly files: number
  readonly sizeBytes: number
}

export function exportedJson({
  path,
  files,
  sizeBytes,
  storedBytes,
}: CarriedReport & { readonly storedBytes: number }): string {
  return toJson({ path, files, sizeBytes, storedBytes })
}

export function exportedText(
  { path, files, sizeBytes, storedBytes }: CarriedReport & { readonly storedBytes: number },
  { style, home }: ArchiveLayout,
): string {
  return [
    `${style.bold(`${counted(files, 'file')} exported`)}: ${size(sizeBytes)} take ${size(storedBytes)} in ${shortPath(safeName(path), home)}`,
    'On the other machine: clew archive import FILE, then clew archive restore <id>',
    style.note('It holds whole conversations, with all secrets that are in them.'),
  ].join('\n')
}

export interface ImportedReport extends CarriedReport {
  readonly root: string
  readonly alreadyThere: number
  readonly older: number
}

export function importedJson({ path, root, files, sizeBytes, alreadyThere, older }: ImportedReport): string {
  return toJson({ path, root, files, sizeBytes, alreadyThere, older })
}

function thereText(files: number): string {
  if (files === 0) return ''
  return `, ${counted(files, 'file')} ${files === 1 ? 'was' : 'were'} there already`
}

export function importedText(report: ImportedReport, { style }: ArchiveLayout): string {
  const { files, sizeBytes, alreadyThere, older } = report
  const there = thereText(alreadyThere)
  const left = older === 0 ? '' : `, ${counted(older, 'file')} left out: the archive has newer`
  return [
    `${style.bold(`${counted(files, 'file')} imported`)} (${size(sizeBytes)})${there}${left}.`,
    'clew list shows them. To go on with one: clew archive restore <id>',
  ].join('\n')
}

export interface PrunedReport {
  readonly isApplied: boolean
  readonly going: readonly { readonly sizeBytes: number }[]
  readonly keptCount: number
  readonly lastCopies: number
  readonly storedBytes: number
  readonly storedBytesAfter: number
}

export function prunedJson(report: PrunedReport): string {
  const { isApplied, going, keptCount, lastCopies, storedBytes, storedBytesAfter } = report
  return toJson({
    applied: isApplied,
    goingVersions: going.length,
    keptVersions: keptCount,
    lastCopies,
    storedBytes,
    storedBytesAfter,
  })
}

export function prunedText(report: PrunedReport, { style }: Pick<ArchiveLayout, 'style'>): string {
  const { isApplied, going, keptCount, lastCopies, storedBytes, storedBytesAfter } = report
  const total = going.length + keptCount
  const sizes = `about ${size(storedBytes)} become ${size(storedBytesAfter)}`
  if (isApplied) return `${style.bold(`${going.length} of ${counted(total, 'version')} removed`)}: ${sizes}.`
  return [
    `${style.bold(`${going.length} of ${counted(total, 'version')} would go`)}: ${sizes}. Dry run: nothing was removed.`,
    ...(lastCopies === 0
      ? []
      : [
          style.bad(
            `${counted(lastCopies, 'file')} of them lie nowhere else any more; those go only with --even-last-copies`,
          ),
        ]),
    ...(going.length === 0 ? [] : ['To do it: add --apply']),
  ].join('\n')
}
