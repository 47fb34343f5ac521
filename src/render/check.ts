// What `clew check` found: a summary a person can act on, or one JSON object a file.

import type { Problem } from '../base/problem.ts'
import { PROBLEMS } from '../base/problem.ts'
import type { Reach } from '../conversation/reach.ts'
import type { Drift } from '../record/drift.ts'
import type { ByteAccount } from '../record/model.ts'
import type { PrognosisView } from './prognosis.ts'
import { prognosisLines } from './prognosis.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { count, counted, size } from './units.ts'

export interface CheckedTranscript {
  readonly path: string
  readonly role: string
  readonly sessionId: string
  readonly account: ByteAccount
  readonly recordCount: number
  readonly replays: number
  readonly problems: readonly Problem[]
  readonly unplaced: readonly { readonly line: number; readonly type: string; readonly reason: string }[]
  readonly reach: Reach | null
  readonly drift: readonly Drift[]
  /** What the client will do with it; null where nothing is wrong, and for a subagent's file. */
  readonly resume: PrognosisView | null
}

export function fileJson(file: CheckedTranscript): string {
  const { account, problems, reach, ...facts } = file
  return toJson({
    path: facts.path,
    role: facts.role,
    sessionId: facts.sessionId,
    ...account,
    recordCount: facts.recordCount,
    replays: facts.replays,
    problemCount: problems.length,
    problemsByCode: byCode(problems),
    unplaced: facts.unplaced,
    reachable: reach === null ? null : reachJson(reach),
    islands: reach?.islands ?? [],
    drift: facts.drift,
    resume: facts.resume === null ? null : resumeJson(facts.resume),
  })
}

/** For files and folders that could not be read at all. */
export function problemJson(found: Problem): string {
  return toJson({
    path: found.position?.path ?? null,
    role: null,
    sessionId: null,
    sizeBytes: 0,
    records: 0,
    problems: 0,
    tail: 0,
    blank: 0,
    recordCount: 0,
    replays: 0,
    problemCount: 1,
    problemsByCode: byCode([found]),
    unplaced: [],
    reachable: null,
    islands: [],
    drift: [],
    resume: null,
  })
}

function reachJson(reach: Reach): Readonly<Record<string, number>> {
  const { records, full, contextFile, contextResume, branches } = reach
  return { records, full, contextFile, contextResume, branches }
}

function resumeJson({ outcome, health, fixes, repaired }: PrognosisView): Readonly<Record<string, unknown>> {
  const { records, reachable, sent, troubles, harmless } = health
  return { outcome, records, reachable, sent, fixes, repairedReachable: repaired.reachable, troubles, harmless }
}

function byCode(problems: readonly Problem[]): Readonly<Record<string, unknown>> {
  const codes: Record<string, { severity: string; count: number; positions: unknown[] }> = {}
  for (const { code, severity, position, message, count: times } of problems) {
    const known = codes[code] ?? { severity, count: 0, positions: [] }
    known.count += times
    if (position !== null) {
      known.positions.push({ line: position.line, offset: position.offset, length: position.length, message })
    }
    codes[code] = known
  }
  return codes
}

const POSITIONS_SHOWN = 5

export function checkText(files: readonly CheckedTranscript[], problems: readonly Problem[], style: Style): string {
  const lines: string[] = []
  for (const found of problems)
    lines.push(`${safeName(found.position?.path ?? '')}: ${style.bad(safeLine(found.message))}`)
  const quiet = files.filter((file) => files.length > FILES_IN_FULL && isQuiet(file))
  for (const file of files) if (!quiet.includes(file)) lines.push(...fileText(file, style))
  lines.push(totals(files, style), ...notesText(quiet, style))
  return lines.join('\n')
}

/** Of a few files everything is told; of many only what is wrong, and the rest in one line. */
const FILES_IN_FULL = 3

function isQuiet(file: CheckedTranscript): boolean {
  const islands = file.reach?.islands.length ?? 0
  return islands === 0 && file.unplaced.length === 0 && file.problems.every(({ severity }) => severity === 'info')
}

function notesText(files: readonly CheckedTranscript[], style: Style): readonly string[] {
  const codes = new Map<string, number>()
  for (const { problems } of files) {
    for (const { code, count: times } of problems) codes.set(code, (codes.get(code) ?? 0) + times)
  }
  if (codes.size === 0) return []
  const notes = [...codes].map(([code, times]) => `${code} × ${count(times)}`)
  return [style.dim(`Notes: ${notes.join(', ')}. Name a file to see where.`)]
}

function fileText(file: CheckedTranscript, style: Style): readonly string[] {
  const { reach } = file
  const isBroken = file.problems.some(({ severity }) => severity !== 'info')
  const islands = reach?.islands ?? []
  if (file.problems.length === 0 && file.unplaced.length === 0 && islands.length === 0) return []
  const { account } = file
  const lines = [isBroken ? style.bold(safeName(file.path)) : safeName(file.path)]
  const { records, problems, tail, blank, sizeBytes } = account
  const parts = `${count(records)} in records + ${count(problems)} in problems + ${count(tail)} tail + ${count(blank)} blank`
  lines.push(style.dim(`  ${count(sizeBytes)} bytes = ${parts}; ${counted(file.recordCount, 'record')}`))
  if (reach !== null) lines.push(...reachText(reach, style))
  if (file.resume !== null) lines.push(...resumeText(file.resume, file.sessionId, style))
  const codes = new Map<string, Problem[]>()
  for (const found of file.problems) {
    const known = codes.get(found.code)
    if (known === undefined) codes.set(found.code, [found])
    else known.push(found)
  }
  for (const [code, found] of codes) {
    const [severity, meaning] = PROBLEMS[code as keyof typeof PROBLEMS]
    const paint = severity === 'info' ? style.dim : severity === 'error' ? style.note : style.bad
    lines.push(`  ${paint(`${code} × ${found.reduce((sum, one) => sum + one.count, 0)}`)}  ${style.dim(meaning)}`)
    const places = found.slice(0, POSITIONS_SHOWN).map(placeText)
    const more = found.length > places.length ? `, ${count(found.length - places.length)} more` : ''
    lines.push(style.dim(`    ${places.join(', ')}${more}`))
  }
  for (const { line, type, reason } of file.unplaced.slice(0, POSITIONS_SHOWN)) {
    lines.push(style.dim(`  unplaced: line ${line}, ${safeLine(type)}: ${safeLine(reason)}`))
  }
  return lines
}

/** What concerns a whole file has no line: there the message says more. */
function placeText({ position, message }: Problem): string {
  if (position === null || position.line === 0) return safeLine(message)
  return `line ${position.line} (byte ${count(position.offset)})`
}

function reachText(reach: Reach, style: Style): readonly string[] {
  const lines = [
    style.dim(
      `  the live tip reaches ${count(reach.full)} of ${count(reach.records)} records in ${counted(reach.branches, 'branch', 'branches')}; the model sees ${count(reach.contextResume)}`,
    ),
  ]
  for (const island of reach.islands.slice(0, POSITIONS_SHOWN)) {
    lines.push(
      style.note(`  island: ${counted(island.records, 'record')} from line ${island.line} on that nothing leads to`),
    )
  }
  return lines
}

function resumeText(resume: PrognosisView, sessionId: string, style: Style): readonly string[] {
  const paint = resume.outcome === 'whole' ? style.dim : style.note
  return prognosisLines(resume, safeName(sessionId.slice(0, 8))).map((line) => paint(`  ${line}`))
}

function totals(files: readonly CheckedTranscript[], style: Style): string {
  const sum = (of: (file: CheckedTranscript) => number): number => files.reduce((total, file) => total + of(file), 0)
  const bytes = sum(({ account }) => account.sizeBytes)
  const broken = files.filter((file) => file.problems.some(({ severity }) => severity !== 'info')).length
  const head = `${counted(files.length, 'file')}, ${size(bytes)}, ${counted(
    sum(({ recordCount }) => recordCount),
    'record',
  )}: every byte accounted for.`
  const verdict = broken === 0 ? style.good('No problems.') : style.bad(`${counted(broken, 'file')} with problems.`)
  return [`${head} ${verdict}`, ...driftText(files, style)].join('\n')
}

function driftText(files: readonly CheckedTranscript[], style: Style): readonly string[] {
  const names = new Map<string, number>()
  for (const file of files) {
    for (const { kind, name, version, count: times } of file.drift) {
      const key = `${kind} ${safeLine(name)} (client ${safeLine(version)})`
      names.set(key, (names.get(key) ?? 0) + times)
    }
  }
  if (names.size === 0) return []
  const shown = [...names].slice(0, 10).map(([name, times]) => `${name} × ${times}`)
  const more = names.size > shown.length ? `, ${names.size - shown.length} more` : ''
  return [style.dim(`Not met before (kept whole all the same): ${shown.join(', ')}${more}`)]
}
