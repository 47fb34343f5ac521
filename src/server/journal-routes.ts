// The notebook by day: the Markdown that `clew journal --date` prints, and which days there are. A page reads what was
// said on that day and nothing else, so the last few are kept.

import { basename, dirname } from 'node:path'
import type { Hono } from 'hono'
import { dateIn, isDate, zoneName } from '../base/zone.ts'
import { referenceOf } from '../digest/citation.ts'
import type { JournalDay as DigestedDay } from '../digest/journal.ts'
import { journalDay } from '../digest/journal.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import { dayOf } from '../notebook/day.ts'
import { excluder } from '../notebook/exclude.ts'
import { gatherBriefs } from '../notebook/gather.ts'
import { readJournalSettings } from '../notebook/settings.ts'
import { dayMarkdown, longDate } from '../render/journal.ts'
import type { CitedPlace, JournalDay, JournalDays } from './api/journal.ts'
import { answered, Refused, textAsked } from './asked.ts'
import { remembered } from './remembered.ts'
import type { ServerWorld } from './server-world.ts'

const DAYS_KEPT = 12

export function journalRoutes(app: Hono, world: ServerWorld): void {
  const choice = chooseNotebook(world)
  const days = remembered(world, (archive) => daysIn(archive, choice, world))
  const pages = remembered(world, async () => new Map<string, Promise<DigestedDay>>())

  app.get(
    '/api/journal/days',
    answered(async (): Promise<JournalDays> => ({ days: await days() })),
  )

  app.get(
    '/api/journal',
    answered(async (context): Promise<JournalDay> => {
      const { zone, startHour } = choice
      const date = textAsked(context, 'date') ?? dateIn(world.nowMs(), zone, startHour)
      if (!isDate(date)) throw new Refused('date takes a day like 2026-11-14')
      const archive = world.archive()
      const kept = await pages()
      const digested = kept.get(date) ?? digestDay(date, archive, choice, world)
      kept.delete(date)
      kept.set(date, digested)
      if (kept.size > DAYS_KEPT) kept.delete([...kept.keys()][0] ?? '')
      return { ...pageOf(await digested, archive, zone), ...neighbours(date, await days()) }
    }),
  )
}

interface NotebookChoice {
  readonly zone: string
  readonly startHour: number
  readonly isWanted: (row: ListedConversation) => boolean
}

/** As the settings of the notebook say. Where they cannot be read the viewer goes on without; `clew journal` complains. */
function chooseNotebook({ environment, home, timeZone }: ServerWorld): NotebookChoice {
  const { settings } = readJournalSettings({ environment, home })
  const isExcluded = excluder(settings?.exclude ?? [])
  return {
    zone: zoneName(settings?.tz ?? timeZone) ?? timeZone,
    startHour: settings?.dayStart ?? 0,
    isWanted: ({ project, path }) => !isExcluded(project, basename(dirname(path))),
  }
}

/** By when people asked something, which the index knows without reading anything. The newest first. */
async function daysIn(
  archive: FoundTranscripts,
  choice: NotebookChoice,
  { index }: ServerWorld,
): Promise<JournalDays['days']> {
  const rows = new Map((await index.access().list(archive)).map((row) => [row.path, row]))
  const found = new Map<string, { readonly projects: Set<string>; turns: number }>()
  for (const { path, ms } of index.prompts(archive)) {
    const row = rows.get(path)
    if (row === undefined || !choice.isWanted(row)) continue
    const day = dateIn(ms, choice.zone, choice.startHour)
    const known = found.get(day) ?? { projects: new Set(), turns: 0 }
    found.set(day, known)
    known.projects.add(row.project)
    known.turns++
  }
  return [...found]
    .map(([day, { projects, turns }]) => ({ day, projects: projects.size, turns }))
    .sort((one, other) => (one.day < other.day ? 1 : -1))
}

async function digestDay(
  date: string,
  archive: FoundTranscripts,
  { zone, startHour, isWanted }: NotebookChoice,
  { index }: ServerWorld,
): Promise<DigestedDay> {
  const days = [dayOf(date, zone, startHour)]
  const briefs = await gatherBriefs(archive, index.access(), { days, isWanted, keepsAll: false })
  return journalDay(date, briefs.get(date) ?? [])
}

function pageOf(
  day: DigestedDay,
  archive: FoundTranscripts,
  zone: string,
): Pick<JournalDay, 'day' | 'markdown' | 'citations'> {
  if (day.projects.length === 0) return { day: day.date, markdown: '', citations: {} }
  const layout = { zone, prose: new Map(), projectEnd: () => '' }
  const markdown = `# ${longDate(day.date)}\n\n${dayMarkdown(day, layout)}`
  return { day: day.date, markdown, citations: citationsOf(day, archive) }
}

/** Only what the page shows is in backticks there; a place is told by the file it stands in. */
function citationsOf({ projects }: DigestedDay, archive: FoundTranscripts): JournalDay['citations'] {
  const files = new Map(archive.projects.flatMap((project) => project.files).map((file) => [file.path, file]))
  const places = new Map<string, CitedPlace>()
  for (const project of projects) {
    const { asked, changed, decided, failed, open, commits, pullRequests, files: touched } = project
    for (const { cites } of [asked, changed, decided, failed, open, commits, pullRequests, touched].flat()) {
      const [first] = cites
      const file = first === undefined ? undefined : files.get(first.path)
      if (first === undefined || file === undefined || file.sessionId === null) continue
      const record = first.uuid === null || first.uuid.startsWith('event-log:') ? `@${first.offset}` : first.uuid
      places.set(referenceOf(first), { id: file.sessionId, agentId: file.agentId, record })
    }
    for (const { sessionId } of project.sessions)
      places.set(`claude --resume ${sessionId}`, { id: sessionId, agentId: null, record: null })
  }
  return Object.fromEntries(places)
}

/** The days with something in them before and after this one, which may have nothing in it itself. */
function neighbours(date: string, days: JournalDays['days']): Pick<JournalDay, 'before' | 'after'> {
  return {
    before: days.find(({ day }) => day < date)?.day ?? null,
    after: days.findLast(({ day }) => day > date)?.day ?? null,
  }
}
