// A day of the notebook as Markdown that other notes tools open, as JSON, and in a few lines for pasting.

import { clockIn, dateIn } from '../base/zone.ts'
import { referenceOf } from '../digest/citation.ts'
import { shorten } from '../digest/condense.ts'
import type { JournalDay, JournalProject, JournalSession } from '../digest/journal.ts'
import { LEFT_AGAIN } from '../digest/journal.ts'
import type { Citation, Told } from '../digest/model.ts'
import type { SectionLine } from '../digest/sections.ts'
import { fileLine, line, plain } from '../digest/sections.ts'
import { markdownLine, markdownWords } from './markdown-line.ts'
import { counted, duration, iso } from './units.ts'

export interface JournalLayout {
  readonly zone: string
  /** What a model wrote about a project, by its path. */
  readonly prose: ReadonlyMap<string, readonly Told[]>
  /** What stands at the end of a project: room for notes. */
  readonly projectEnd: (project: JournalProject) => string
}

/** What a new page begins with. */
export function pageHead(date: string): string {
  return `---\ndate: ${date}\ntags: [claude-code]\n---\n\n# ${longDate(date)}\n\n`
}

export function dayMarkdown(day: JournalDay, layout: JournalLayout): string {
  const lead = `${duration(day.activeMs)} of work in ${counted(day.projects.length, 'project')}.`
  return [lead, ...day.projects.map((project) => projectMarkdown(project, layout))].join('\n\n')
}

const FILES_MAX = 30

function projectMarkdown(project: JournalProject, layout: JournalLayout): string {
  const changed = project.files.filter(({ outcome }) => outcome !== 'read')
  const files = changed.slice(0, FILES_MAX).map((file) => fileLine(file, project.project))
  const left = changed.length - files.length
  const commits = project.commits.map(({ hash, subject, branch, cites }) =>
    line(subject || '(no message)', [hash?.slice(0, 10), branch === null ? null : `on ${branch}`], cites),
  )
  const requests = project.pullRequests.map(({ url, title, cites }) =>
    line(title ?? url, [title === null ? null : url], cites),
  )
  const decided = project.decided.map(({ question, answer, cites }) =>
    line(`${shorten(question, 200)} → ${answer ?? 'not answered'}`, [], cites),
  )
  const prose = layout.prose.get(project.project) ?? []
  const blocks = [
    `## ${markdownWords(shortName(project.project))}`,
    `**${markdownWords(project.headline)}**`,
    `${markdownLine(project.project)} · ${duration(project.activeMs)}`,
    ...prose.map(
      (one) => `${markdownLine(one.text)}${one.cites.length === 0 ? ' (no source given)' : referencesText(one.cites)}`,
    ),
    block('Asked', project.asked.map(plain)),
    block('Changed', project.changed.map(plain)),
    block('Decided', decided),
    block('Failed', project.failed.map(plain)),
    block('Open', project.open.map(plain)),
    block('Commits', commits),
    block('Pull requests', requests),
    block('Files', left === 0 ? files : [...files, line(`… ${left} more`, [], [])]),
    ['### Sessions', '', ...project.sessions.map((session) => sessionLine(session, layout.zone))].join('\n'),
    layout.projectEnd(project),
  ]
  return blocks.filter((text) => text !== '').join('\n\n')
}

function block(heading: string, lines: readonly SectionLine[]): string {
  if (lines.length === 0) return ''
  const told = lines.map(({ text, note, cites }) => {
    const beside = note === '' ? '' : ` (${markdownWords(note)})`
    return `- ${markdownLine(text)}${beside}${referencesText(cites.slice(0, 1))}`
  })
  return [`### ${heading}`, '', ...told].join('\n')
}

function referencesText(cites: readonly Citation[]): string {
  return cites.map((one) => ` \`${referenceOf(one)}\``).join('')
}

function sessionLine({ sessionId, title, startedMs, endedMs, turns }: JournalSession, zone: string): string {
  const end = endedMs ?? startedMs
  const isNextDay = startedMs !== null && end !== null && dateIn(startedMs, zone) !== dateIn(end, zone)
  const from =
    startedMs === null || end === null
      ? ''
      : `${clockIn(startedMs, zone)}–${clockIn(end, zone)}${isNextDay ? ' the next day' : ''}, `
  return `- ${markdownLine(title || '(no title)')} (${from}${counted(turns, 'turn')}) \`claude --resume ${sessionId}\``
}

export function dayJson(day: JournalDay, prose: ReadonlyMap<string, readonly Told[]>): unknown {
  return {
    date: day.date,
    activeMs: day.activeMs,
    projects: day.projects.map(({ sessions, ...project }) => ({
      ...project,
      prose: prose.get(project.project) ?? [],
      sessions: sessions.map(({ startedMs, endedMs, ...session }) => ({
        ...session,
        startedAt: iso(startedMs),
        endedAt: iso(endedMs),
      })),
    })),
  }
}

const STANDUP_LINES = 3

/** Days in a few lines each, for pasting; what is open at the end of the last one. */
export function standupMarkdown(days: readonly { readonly label: string; readonly day: JournalDay }[]): string {
  const blocks = days.map(({ label, day }) => {
    const lines = day.projects.flatMap((project) => [
      `- **${markdownWords(shortName(project.project))}**: ${markdownWords(project.headline)}`,
      ...project.pullRequests.map(
        ({ url, title }) => `  - ${markdownWords(title === null ? url : `${shorten(title, 120)} ${url}`)}`,
      ),
      ...project.commits.slice(-STANDUP_LINES).map(({ subject }) => `  - ${markdownWords(shorten(subject, 120))}`),
      ...project.changed.slice(-STANDUP_LINES).map(({ text }) => `  - ${markdownWords(shorten(text, 160))}`),
      ...stuckIn(project).map(({ text }) => `  - Stuck: ${markdownWords(shorten(text, 160))}`),
    ])
    return [`**${label}**`, ...(lines.length === 0 ? ['- nothing'] : lines)].join('\n')
  })
  const open = days.flatMap(({ day }) => day.projects.flatMap((project) => project.open)).slice(-5)
  const left = open.map(({ text }) => `- ${markdownLine(shorten(text, 160))}`)
  return [...blocks, ...(left.length === 0 ? [] : [['**Open**', ...left].join('\n')])].join('\n\n')
}

/** The last thing that failed; a way that was left again is no obstacle. */
function stuckIn({ failed }: JournalProject): readonly Told[] {
  return failed.filter(({ text }) => !text.startsWith(LEFT_AGAIN)).slice(-1)
}

export function shortName(project: string): string {
  return (
    project
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? project
  )
}

/** `Saturday, 14 November 2026` */
export function longDate(date: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).formatToParts(Date.parse(`${date}T12:00:00.000Z`))
  const value = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? ''
  return `${value('weekday')}, ${value('day')} ${value('month')} ${value('year')}`
}
