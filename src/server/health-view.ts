// Everything that was checked → what a page shows of it: all of it counted, the worst of it listed.

import { setImmediate } from 'node:timers/promises'
import type { Problem, Severity } from '../base/problem.ts'
import { PROBLEMS } from '../base/problem.ts'
import type { CheckedFile } from '../load/check.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { ownRoots } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { DoctorLayout } from '../render/doctor.ts'
import { cleanupLines, keepHints } from '../render/doctor.ts'
import { PROBLEM_DEEDS } from '../render/problem-deeds.ts'
import { styleOf } from '../render/style.ts'
import type { TranscriptFile } from '../source/model.ts'
import { claudeFolder } from '../source/roots.ts'
import { examineFolders } from '../store/examine.ts'
import type { FileHealth, Health, ProblemTally, ProblemView, Retention } from './api/health.ts'
import type { ServerWorld } from './server-world.ts'

const FILES_MAX = 200
const PROBLEMS_MAX = 50
const EXPIRING_MAX = 50
const DISK_MAX = 50
const DRIFT_MAX = 200

export async function healthOf(
  archive: FoundTranscripts,
  world: ServerWorld,
  idOf: (path: string) => string,
): Promise<Health> {
  const checked = await checkAll(archive, world)
  const rows = new Map((await world.index.access().list(archive)).map((row) => [row.sessionId, row]))
  const files = new Map(archive.projects.flatMap((project) => project.files).map((file) => [file.path, file]))
  const troubled = [
    ...archive.problems.map((problem) => nowhere(problem, idOf)),
    ...checked
      .filter(({ problems }) => problems.length > 0)
      .map((file) => fileHealth(file, files.get(file.path), rows, idOf)),
  ].sort((one, other) => rankOf(one) - rankOf(other) || (one.path < other.path ? -1 : 1))
  const all = [archive.problems, ...checked.map(({ problems }) => problems)]
  const sum = (of: (file: CheckedFile) => number): number => checked.reduce((total, file) => total + of(file), 0)
  return {
    files: troubled.slice(0, FILES_MAX),
    filesLeft: Math.max(0, troubled.length - FILES_MAX),
    totals: {
      files: checked.length,
      bytes: sum(({ account }) => account.sizeBytes),
      records: sum(({ recordCount }) => recordCount),
      problems: all.flat().reduce((total, { count }) => total + count, 0),
      lostBytes: all.flat().reduce((total, problem) => total + lostIn(problem), 0),
    },
    codes: talliesOf(all),
    drift: driftOf(checked),
    ...(await doctored(archive, [...rows.values()], world)),
  }
}

/** Project by project, so that others are answered meanwhile. */
async function checkAll(archive: FoundTranscripts, { index }: ServerWorld): Promise<readonly CheckedFile[]> {
  const access = index.access()
  const checked: CheckedFile[] = []
  for (const project of archive.projects) {
    checked.push(...(await access.check({ ...archive, projects: [project] })))
    await setImmediate()
  }
  return checked
}

const RANKS: Readonly<Record<Severity, number>> = { 'data-loss': 0, error: 1, info: 2 }

function rankOf({ problems }: FileHealth): number {
  return problems.reduce((least, { severity }) => Math.min(least, RANKS[severity as Severity]), RANKS.info)
}

function lostIn({ severity, position }: Problem): number {
  return severity === 'data-loss' ? (position?.length ?? 0) : 0
}

/** A file or folder that could not be read at all: it is in no list of files. */
function nowhere(problem: Problem, idOf: (path: string) => string): FileHealth {
  const path = problem.position?.path ?? ''
  return {
    file: idOf(path),
    path,
    id: null,
    agentId: null,
    title: null,
    sizeBytes: 0,
    records: 0,
    reached: 0,
    problems: [problemView(problem)],
    problemsLeft: 0,
  }
}

function fileHealth(
  { path, account, recordCount, reach, problems, sessionId }: CheckedFile,
  file: TranscriptFile | undefined,
  rows: ReadonlyMap<string, ListedConversation>,
  idOf: (path: string) => string,
): FileHealth {
  const worst = [...problems].sort((one, other) => RANKS[one.severity] - RANKS[other.severity])
  const row = rows.get(file?.sessionId ?? sessionId)
  return {
    file: idOf(path),
    path,
    id: row?.sessionId ?? null,
    agentId: file?.agentId ?? null,
    title: row?.title ?? null,
    sizeBytes: account.sizeBytes,
    records: recordCount,
    reached: reach?.full ?? 0,
    problems: worst.slice(0, PROBLEMS_MAX).map(problemView),
    problemsLeft: Math.max(0, worst.length - PROBLEMS_MAX),
  }
}

/** What concerns a whole file has no line, and nothing to look at. */
function problemView({ code, severity, message, position, count }: Problem): ProblemView {
  const isSomewhere = position !== null && position.line > 0 && position.length > 0
  const { line, offset, length } = isSomewhere ? position : { line: null, offset: null, length: null }
  return { code, severity, message, line, offset, length, count }
}

function talliesOf(all: readonly (readonly Problem[])[]): readonly ProblemTally[] {
  const tallies = new Map<Problem['code'], { count: number; files: number }>()
  for (const problems of all) {
    for (const { code, count } of problems) {
      const known = tallies.get(code) ?? { count: 0, files: 0 }
      known.count += count
      tallies.set(code, known)
    }
    for (const code of new Set(problems.map((problem) => problem.code))) (tallies.get(code) ?? { files: 0 }).files++
  }
  return [...tallies]
    .map(([code, counts]) => {
      const [severity, meaning] = PROBLEMS[code]
      return { code, severity, meaning, deed: PROBLEM_DEEDS[code], ...counts }
    })
    .sort((one, other) => RANKS[one.severity] - RANKS[other.severity] || other.count - one.count)
}

function driftOf(checked: readonly CheckedFile[]): Health['drift'] {
  const found = new Map<string, Health['drift'][number]>()
  for (const drift of checked.flatMap((file) => file.drift)) {
    const key = `${drift.kind}\n${drift.name}\n${drift.version}`
    const known = found.get(key)
    found.set(key, known === undefined ? drift : { ...known, count: known.count + drift.count })
  }
  return [...found.values()].sort((one, other) => other.count - one.count).slice(0, DRIFT_MAX)
}

async function doctored(
  archive: FoundTranscripts,
  listed: readonly ListedConversation[],
  world: ServerWorld,
): Promise<Pick<Health, 'retention' | 'disk'>> {
  const roots = [...new Set(ownRoots(archive).flatMap((root) => claudeFolder(root) ?? []))]
  const examined = examineFolders(roots, archive, listed, world.nowMs())
  const { folders, expiring, projects, withinDays } = examined
  const layout: DoctorLayout = { columns: 200, home: world.home, style: styleOf(false) }
  const retention: Retention = {
    days: folders.length === 0 ? null : Math.min(...folders.map((folder) => folder.retention.days)),
    withinDays,
    expiring: expiring.slice(0, EXPIRING_MAX).map(({ sessionId, title, project, sizeBytes, daysLeft }) => ({
      id: sessionId,
      title,
      project,
      sizeBytes,
      daysLeft,
    })),
    expiringTotal: expiring.length,
    lines: cleanupLines(examined, layout),
    keep: keepHints(examined),
  }
  const disk = projects.slice(0, DISK_MAX).map(({ projectKey, sessions, totalBytes }) => ({
    project: projectKey ?? '(no project)',
    sessions,
    bytes: totalBytes,
  }))
  return { retention, disk }
}
