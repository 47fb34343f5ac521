// What `clew mv` would do, has done or has undone: text for people, one JSON object for programs.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeName, toJson } from './terminal.ts'
import { counted, size } from './units.ts'

export interface MoveFile {
  readonly path: string
  readonly to: string | null
  readonly role: string
  readonly sessionId: string | null
  readonly alteration: { readonly kind: string }
  readonly before: { readonly sizeBytes: number }
  readonly changes: number
  readonly unread: number
}

export interface MoveRoot {
  readonly root: string
  readonly files: readonly MoveFile[]
  readonly staying: readonly { readonly path: string; readonly why: string }[]
  readonly leftAlone: readonly { readonly path: string; readonly count: number }[]
  readonly collisions: readonly string[]
  readonly takenNames: readonly string[]
  readonly live: readonly MoveLive[]
}

export type MoveLive =
  | { readonly kind: 'client'; readonly pid: number; readonly cwd: string | null; readonly sessionId: string }
  | { readonly kind: 'written'; readonly path: string; readonly agoMs: number }
  | { readonly kind: 'locked'; readonly path: string }

export interface MoveReport {
  readonly isApplied: boolean
  readonly oldPath: string
  readonly newPath: string
  readonly rewritesCwd: boolean
  readonly isOldThere: boolean
  readonly isNewThere: boolean
  readonly roots: readonly MoveRoot[]
  readonly receipts: readonly MoveReceiptNote[]
  readonly unfinished: readonly { readonly root: string; readonly id: string; readonly when: string }[]
}

export interface MoveReceiptNote {
  readonly root: string
  readonly receiptId: string
  readonly folder: string
  /** The command that takes it back. */
  readonly undo: string
  readonly files: number
}

export interface MoveLayout {
  readonly home: string
  readonly style: Style
}

export function moveJson(report: MoveReport): string {
  const { roots } = report
  return toJson({
    applied: report.isApplied,
    oldPath: report.oldPath,
    newPath: report.newPath,
    rewriteCwd: report.rewritesCwd,
    oldFolderExists: report.isOldThere,
    newFolderExists: report.isNewThere,
    sessions: sessionsIn(report),
    files: roots.flatMap(({ root, files }) =>
      files.map(({ path, to, role, sessionId, alteration, before, changes, unread }) => {
        const facts = { root, path, to, role, sessionId, sizeBytes: before.sizeBytes }
        return { ...facts, change: alteration.kind, changes, unreadLines: unread }
      }),
    ),
    staying: roots.flatMap(({ staying }) => staying),
    leftAlone: roots.flatMap(({ leftAlone }) => leftAlone),
    collisions: roots.flatMap(({ collisions }) => collisions),
    takenNames: roots.flatMap(({ takenNames }) => takenNames),
    live: roots.flatMap(({ live }) => live.map(liveJson)),
    receipts: report.receipts,
    unfinished: report.unfinished.map(({ root, id, when }) => ({ root, id, when })),
  })
}

function liveJson(live: MoveLive): unknown {
  const isClient = live.kind === 'client'
  return {
    kind: live.kind,
    pid: isClient ? live.pid : null,
    cwd: isClient ? live.cwd : null,
    sessionId: isClient ? live.sessionId : null,
    path: isClient ? null : live.path,
  }
}

function sessionsIn({ roots }: MoveReport): number {
  return roots.flatMap(({ files }) => files.filter(({ role }) => role === 'transcript')).length
}

export function movePlanText(report: MoveReport, layout: MoveLayout): string {
  const { style } = layout
  const { oldPath, newPath, roots } = report
  const files = roots.flatMap((root) => root.files)
  const bytes = files.reduce((sum, { before }) => sum + before.sizeBytes, 0)
  const head = `${style.bold(safeName(oldPath))} → ${style.bold(safeName(newPath))}: ${counted(sessionsIn(report), 'session')}, ${counted(files.length, 'file')}, ${size(bytes)}`
  return [head, ...roots.flatMap((root) => rootLines(root, report, layout)), '', ...endLines(report, style)].join('\n')
}

function rootLines(
  { root, files, staying, leftAlone }: MoveRoot,
  report: MoveReport,
  layout: MoveLayout,
): readonly string[] {
  const { style, home } = layout
  const below = (path: string): string =>
    safeName(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : shortPath(path, home))
  const lines = files.map((file) => `  ${below(file.path)}${placeText(file, below)}${changeText(file, report)}`)
  const stays = staying.map(({ path, why }) => `  ${below(path)}: ${STAYS[why] ?? why}`)
  const left = leftAlone.map(({ path, count }) => `  ${below(path)}: ${counted(count, 'mention')}`)
  return [
    '',
    style.dim(`In ${shortPath(safeName(root), home)}`),
    ...lines,
    ...section('These stay where they are:', stays, style),
    ...section('The path also stands here, and is left alone; look whether you want it changed:', left, style),
  ]
}

function section(head: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ['', style.dim(head), ...lines]
}

const STAYS: Readonly<Record<string, string>> = {
  'another-path': 'belongs to another path whose folder has the same name',
  'folder-is-shared': 'does not say which path it belongs to, and its folder is shared by several',
  'folder-of-another-name': 'lies in a folder that is not named after its path',
  unreadable: 'cannot be read',
}

function placeText({ path, to }: MoveFile, below: (path: string) => string): string {
  if (to === null) return ' → put aside; the client makes it anew'
  return to === path ? '' : ` → ${below(to)}`
}

function changeText({ alteration, changes, unread }: MoveFile, { oldPath, newPath }: MoveReport): string {
  const paths = `${safeName(oldPath)} → ${safeName(newPath)}`
  const torn = unread === 0 ? '' : `; ${counted(unread, 'line')} that cannot be read ${unread === 1 ? 'stays' : 'stay'}`
  switch (alteration.kind) {
    case 'none':
      return ''
    case 'append':
      return ' (1 record added: relocated)'
    case 'records':
      return ` (cwd: ${counted(changes, 'place')}, ${paths}${torn})`
    case 'history':
      return ` (project: ${counted(changes, 'line')}, ${paths}${torn})`
    default:
      return ` (${counted(changes, 'place')}, ${paths})`
  }
}

function endLines(report: MoveReport, style: Style): readonly string[] {
  const { roots, isApplied } = report
  const taken = roots.flatMap(({ takenNames }) => takenNames)
  const problems = refusals(report)
  return [
    ...taken.map((name) => `.claude.json keeps its own settings for ${safeName(name)}: the new path has some already.`),
    ...codeNotes(report),
    ...problems.map((line) => style.bad(line)),
    ...(isApplied ? [] : [style.bold('Dry run: nothing was changed.')]),
    ...(isApplied || problems.length > 0
      ? []
      : ['To do it, with a copy of everything that changes and a way back: add --apply']),
  ]
}

/** Clew moves the history, not the code. */
function codeNotes({ oldPath, newPath, isOldThere, isNewThere }: MoveReport): readonly string[] {
  const [old, next] = [safeName(oldPath), safeName(newPath)]
  if (isOldThere && isNewThere) return [`Both ${old} and ${next} are there. Clew moves the history, not the code.`]
  if (isOldThere) return [`The folder itself is still at ${old}: Clew moves the history, not the code. Move it too.`]
  return isNewThere ? [] : [`There is no folder ${next} on this machine yet: claude has to be started there.`]
}

/** Why nothing would be changed. */
export function refusals({ roots, unfinished, newPath }: MoveReport): readonly string[] {
  const collisions = roots.flatMap((root) => root.collisions)
  const live = roots.flatMap((root) => root.live)
  const [first] = collisions
  return [
    ...unfinished.map(({ id }) => `An earlier move was interrupted. First take it back: clew mv --undo ${id}`),
    ...(first === undefined
      ? []
      : [
          `${counted(collisions.length, 'file')} of ${safeName(newPath)} would be in the way, the first is ${safeName(first)}. Move it elsewhere, or keep both as they are.`,
        ]),
    ...live.slice(0, 3).map(liveText),
  ]
}

export function liveText(live: MoveLive): string {
  switch (live.kind) {
    case 'client':
      return `A client is running there (process ${live.pid}${live.cwd === null ? '' : `, in ${safeName(live.cwd)}`}). End it first.`
    case 'written':
      return `${safeName(live.path)} was written to within the last ten minutes. End the client that does, or wait.`
    case 'locked':
      return `${safeName(live.path)}: another Clew is writing there. Wait for it, or remove the file if none runs.`
  }
}

export function movedText(report: MoveReport, layout: MoveLayout): string {
  const { style, home } = layout
  const lines = report.receipts.flatMap(({ files, folder, undo }) => [
    `${style.bold(`${counted(files, 'file')} moved or changed`)}; what they were is in ${shortPath(safeName(folder), home)}`,
    `To take it back: ${safeName(undo)}`,
  ])
  return [...lines, ...endLines(report, style)].join('\n')
}

export interface MoveUndone {
  readonly receiptId: string
  readonly restored: number
  readonly alreadyThere: number
  readonly conflicts: readonly { readonly path: string; readonly why: string }[]
}

export function moveUndoneJson({ receiptId, restored, alreadyThere, conflicts }: MoveUndone): string {
  return toJson({ receiptId, restored, alreadyThere, conflicts })
}

export function moveUndoneText({ receiptId, restored, alreadyThere, conflicts }: MoveUndone, style: Style): string {
  const there = alreadyThere === 0 ? '' : `, ${alreadyThere} were as they should be`
  return [
    `${counted(restored, 'file')} put back${there} (${safeName(receiptId)})`,
    ...conflicts.map(({ path, why }) => style.bad(`${safeName(path)}: ${CONFLICTS[why] ?? why}`)),
  ].join('\n')
}

const CONFLICTS: Readonly<Record<string, string>> = {
  different: 'was changed since in a way that cannot be taken back; what it was stays beside the receipt',
  lost: 'is in neither place any more',
}
