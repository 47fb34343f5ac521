// The Briefs of one day to the day's page of the notebook: by project, the one most was done in first.

import { shorten } from './condense.ts'
import type { Brief, Citation, Commit, Decision, FileTally, PullRequest, Told } from './model.ts'
import { planTitle } from './planning.ts'
import { INTERRUPTED } from './work.ts'

export interface JournalDay {
  readonly date: string
  readonly activeMs: number
  readonly projects: readonly JournalProject[]
}

export interface JournalProject {
  readonly project: string
  /** One line that tells the day: what it was about, and what came of it. */
  readonly headline: string
  readonly activeMs: number
  readonly sessions: readonly JournalSession[]
  readonly asked: readonly Told[]
  readonly changed: readonly Told[]
  readonly decided: readonly Decision[]
  /** Dead ends: what failed and was not mended, ways that were left again, plans that were turned down. */
  readonly failed: readonly Told[]
  readonly open: readonly Told[]
  readonly commits: readonly Commit[]
  readonly pullRequests: readonly PullRequest[]
  readonly files: readonly FileTally[]
}

export interface JournalSession {
  readonly sessionId: string
  readonly title: string
  readonly gitBranch: string | null
  readonly path: string
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly activeMs: number
  readonly turns: number
}

export function journalDay(date: string, briefs: readonly Brief[]): JournalDay {
  const byProject = new Map<string, Brief[]>()
  for (const brief of [...briefs].sort(byStart)) {
    const known = byProject.get(brief.project)
    if (known === undefined) byProject.set(brief.project, [brief])
    else known.push(brief)
  }
  const projects = [...byProject].map(([project, own]) => projectDay(project, own))
  projects.sort((one, other) => other.activeMs - one.activeMs || (one.project < other.project ? -1 : 1))
  return { date, activeMs: projects.reduce((sum, { activeMs }) => sum + activeMs, 0), projects }
}

function byStart(one: Brief, other: Brief): number {
  return (one.startedMs ?? 0) - (other.startedMs ?? 0) || (one.sessionId < other.sessionId ? -1 : 1)
}

function projectDay(project: string, briefs: readonly Brief[]): JournalProject {
  const commits = briefs.flatMap((brief) => brief.commits)
  const pullRequests = briefs.flatMap((brief) => brief.pullRequests)
  const files = mergedFiles(briefs)
  return {
    project,
    headline: headlineOf(briefs, commits, pullRequests, files),
    activeMs: briefs.reduce((sum, { activeMs }) => sum + activeMs, 0),
    sessions: briefs.map(sessionOf),
    asked: askedOf(briefs),
    changed: changedOf(briefs),
    decided: decidedOf(briefs),
    failed: failedOf(briefs),
    open: openOf(briefs),
    commits,
    pullRequests,
    files,
  }
}

function sessionOf(brief: Brief): JournalSession {
  const { sessionId, title, gitBranch, path, startedMs, endedMs, activeMs, turns } = brief
  return { sessionId, title, gitBranch, path, startedMs, endedMs, activeMs, turns: turns.length }
}

function headlineOf(
  briefs: readonly Brief[],
  commits: readonly Commit[],
  pullRequests: readonly PullRequest[],
  files: readonly FileTally[],
): string {
  const titles = [...briefs]
    .sort((one, other) => other.activeMs - one.activeMs)
    .map(({ title }) => shorten(title, 90))
    .filter((title) => title !== '')
  const topics = [...new Set(titles)]
  const more = topics.length > 2 ? `; and ${topics.length - 2} more` : ''
  const changed = files.filter(({ outcome }) => outcome !== 'read').length
  const facts = [
    amount(commits.length, 'commit'),
    amount(pullRequests.length, 'pull request'),
    amount(changed, 'file', ' changed'),
  ].filter((fact) => fact !== '')
  const about = `${topics.slice(0, 2).join('; ')}${more}`
  return facts.length === 0 ? about : `${about} (${facts.join(', ')})`
}

function amount(number: number, noun: string, behind = ''): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}${behind}`
}

const ASKED_MAX = 240

/** “yes” and “go on” set nothing going that was not asked before. */
function askedOf(briefs: readonly Brief[]): readonly Told[] {
  const all = briefs.flatMap(({ intents }) => intents)
  const telling = all.filter(({ text }) => wordCount(text) > 3 || text.length > 24)
  return once(
    (telling.length > 0 ? telling : all).map(({ text, cites }) => ({ text: shorten(text, ASKED_MAX), cites })),
  )
}

/** Chinese and Japanese set no spaces between words, of which most are one character or two. */
function wordCount(text: string): number {
  const apart = text.replaceAll(UNSPACED, ' ').split(/\s+/)
  return apart.filter((word) => /[^\p{P}]/u.test(word)).length + Math.floor((text.match(UNSPACED)?.length ?? 0) / 1.5)
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** What Claude said at the end of each Turn that changed something; where none did, of every Turn. */
function changedOf(briefs: readonly Brief[]): readonly Told[] {
  const turns = briefs.flatMap((brief) => brief.turns.map((turn) => ({ turn, lead: leadOfTurn(brief, turn.done) })))
  const changing = turns.filter(
    ({ turn }) =>
      turn.commits.length + turn.pullRequests.length > 0 || turn.files.some(({ outcome }) => outcome !== 'read'),
  )
  return once((changing.length > 0 ? changing : turns).flatMap(({ lead }) => lead ?? []))
}

function leadOfTurn(brief: Brief, done: readonly Told[]): Told | null {
  const last = done.at(-1)?.cites[0]
  return brief.done.find(({ cites }) => cites[0]?.uuid === last?.uuid && cites[0]?.line === last?.line) ?? null
}

function decidedOf(briefs: readonly Brief[]): readonly Decision[] {
  return briefs.flatMap(({ plans, decisions }) => [
    ...plans
      .filter(({ state }) => state === 'accepted')
      .map(({ text, cites }): Decision => ({ question: `Plan: ${planTitle(text)}`, answer: 'accepted', cites })),
    ...decisions.filter(({ answer }) => answer !== null),
  ])
}

/** What a line about an abandoned Branch begins with. */
export const LEFT_AGAIN = 'Abandoned: '

function failedOf(briefs: readonly Brief[]): readonly Told[] {
  return once(
    briefs.flatMap(({ failings, abandoned, plans }) => [
      ...failings
        // Whoever stopped it knows why, and says so in what they ask next.
        .filter(({ isMended, text }) => !isMended && text !== INTERRUPTED)
        .map(({ text, times, cites }): Told => ({ text: times > 1 ? `${text} (${times}×)` : text, cites })),
      ...abandoned.map(({ text, cites }): Told => ({ text: `${LEFT_AGAIN}${shorten(text, ASKED_MAX)}`, cites })),
      ...plans
        .filter(({ state }) => state === 'rejected')
        .map(({ text, cites }): Told => ({ text: `Plan turned down: ${planTitle(text)}`, cites })),
    ]),
  )
}

function openOf(briefs: readonly Brief[]): readonly Told[] {
  return once(
    briefs.flatMap(({ openQuestions, todos, plans }) => [
      ...openQuestions,
      ...todos
        .filter(({ state }) => state !== 'done')
        .map(({ text, cites }): Told => ({ text: `To do: ${text}`, cites })),
      ...plans
        .filter(({ state }) => state === 'open')
        .map(({ text, cites }): Told => ({ text: `Plan not decided: ${planTitle(text)}`, cites })),
    ]),
  )
}

/** One line for each text; the records of all stand behind it. */
function once(lines: readonly Told[]): readonly Told[] {
  const byText = new Map<string, Citation[]>()
  for (const { text, cites } of lines) {
    const known = byText.get(text)
    if (known === undefined) byText.set(text, [...cites])
    else known.push(...cites)
  }
  return [...byText].map(([text, cites]) => ({ text, cites: cites.slice(0, 20) }))
}

function mergedFiles(briefs: readonly Brief[]): readonly FileTally[] {
  const byPath = new Map<string, FileTally>()
  for (const file of briefs.flatMap(({ files }) => files)) {
    const known = byPath.get(file.path)
    byPath.set(file.path, known === undefined ? file : joined(known, file))
  }
  return [...byPath.values()]
}

function joined(one: FileTally, other: FileTally): FileTally {
  const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)
  const isCreated = one.outcome === 'created' && other.outcome !== 'deleted'
  return {
    path: one.path,
    outcome: isCreated ? 'created' : other.outcome === 'read' ? one.outcome : other.outcome,
    reads: one.reads + other.reads,
    edits: one.edits + other.edits,
    added: sum(one.added, other.added),
    removed: sum(one.removed, other.removed),
    cites: [...one.cites, ...other.cites].slice(0, 20),
  }
}
