// The notebook in prose, when somebody asks for it: the lines of each project of each day go to a model, redacted, and
// come back as paragraphs that still cite. What it will cost is said before anything is sent.

import { readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { JournalDay, JournalProject } from '../digest/journal.ts'
import type { Told } from '../digest/model.ts'
import { LIST_PRICES } from '../digest/prices.ts'
import { fileLine } from '../digest/sections.ts'
import { estimateProse } from '../prose/estimate.ts'
import type { Price, ProseOptions, ProseTask, Route, RouteKind, Spending } from '../prose/model.ts'
import { openRoute, ROUTE_KINDS } from '../prose/open-route.ts'
import { ProseError } from '../prose/prose-error.ts'
import { writeProse } from '../prose/write-prose.ts'
import type { Redactor } from '../redact/model.ts'
import { shortName } from '../render/journal.ts'
import { count, counted } from '../render/units.ts'
import type { World } from './command.ts'
import { wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { openRedactor } from './redaction.ts'

export interface ProseWords {
  readonly llm?: string | undefined
  readonly model?: string | undefined
  readonly 'max-cost'?: string | undefined
  readonly 'max-tokens'?: string | undefined
  readonly language?: string | undefined
  readonly instructions?: string | undefined
  readonly estimate?: boolean | undefined
}

/** What was written, by date and project. */
export type DayProse = ReadonlyMap<string, ReadonlyMap<string, readonly Told[]>>

export interface WrittenProse {
  readonly prose: DayProse
  /** 1 when something could not be written; the rest is there all the same. */
  readonly exitCode: number
}

const NO_PROSE: WrittenProse = { prose: new Map(), exitCode: 0 }
const COST_MAX_USD = 0.5

/** The days that are `shown` are made once more for it, of redacted records. */
export async function proseOfDays(
  shown: readonly JournalDay[],
  daysBy: (redactor: Redactor) => Promise<readonly JournalDay[]>,
  words: ProseWords,
  world: World,
): Promise<WrittenProse> {
  if (words.llm === undefined) {
    const lonely = (['model', 'max-cost', 'max-tokens', 'language', 'instructions', 'estimate'] as const).find(
      (name) => words[name] !== undefined,
    )
    if (lonely !== undefined) throw new Failure(`--${lonely} goes with --llm ${ROUTE_KINDS.join(', ')}`)
    return NO_PROSE
  }
  const options = optionsOf(words, world)
  const days = await daysBy(options.redactor)
  const tasks = days.flatMap((day) => day.projects.map((project) => taskOf(day, project, shown)))
  if (tasks.length === 0) return NO_PROSE
  const { note } = world.output
  const expected = await estimateProse(tasks, options)
  const { route } = options
  note(
    `clew: ${route.kind} (${route.model}): ${spendingText(expected)} at most, for ${counted(tasks.length, 'project')}`,
  )
  if (words.estimate) return NO_PROSE
  const report = await writeProse(tasks, options)
  world.progress.clear()
  const prose = new Map<string, Map<string, readonly Told[]>>()
  let failed = 0
  for (const [place, result] of report.results.entries()) {
    const task = tasks[place] as JournalTask
    if (result.error !== null) {
      failed++
      note(`clew: ${task.date} ${task.project}: ${result.state}: ${result.error}`)
    } else {
      const ofDay = prose.get(task.date) ?? new Map<string, readonly Told[]>()
      prose.set(task.date, ofDay.set(task.project, result.paragraphs))
    }
  }
  note(`clew: used ${spendingText(report.spent)}`)
  if (failed > 0)
    note(`clew: ${counted(failed, 'project')} without prose; run it again, and only what is missing is asked for`)
  if (report.cacheProblem !== null) note(`clew: answers cannot be kept: ${report.cacheProblem}`)
  return { prose, exitCode: failed === 0 ? 0 : 1 }
}

function optionsOf(words: ProseWords, world: World): ProseOptions {
  const maxCostUsd = words['max-cost'] === undefined ? COST_MAX_USD : dollars(words['max-cost'])
  const { environment, home, folder } = world
  const cache = environment['XDG_CACHE_HOME']
  const options: ProseOptions = {
    route: routeOf(words, world),
    redactor: openRedactor(world),
    priceOf: listPrice,
    maxCostUsd,
    maxTokens: words['max-tokens'] === undefined ? null : wholeNumber(words['max-tokens'], 'max-tokens'),
    cacheFolder: join(cache !== undefined && isAbsolute(cache) ? cache : join(home, '.cache'), 'clew', 'prose'),
    onProgress: ({ done, total }) => world.progress.show(done, total),
  }
  const language = words.language === undefined ? {} : { language: words.language }
  const instructions =
    words.instructions === undefined ? {} : { instructions: wishes(resolve(folder, words.instructions)) }
  return { ...options, ...language, ...instructions }
}

function routeOf({ llm, model }: ProseWords, { environment }: World): Route {
  const kind = ROUTE_KINDS.find((one): one is RouteKind => one === llm)
  if (kind === undefined) throw new Failure(`--llm takes ${ROUTE_KINDS.join(', ')}, not “${llm}”`)
  try {
    return openRoute(kind, model === undefined ? { environment } : { environment, model })
  } catch (error) {
    if (error instanceof ProseError) throw new Failure(error.message)
    throw error
  }
}

function listPrice(model: string): Price | null {
  const price = LIST_PRICES.models.get(model)
  return price === undefined ? null : { inputPerMillion: price.input, outputPerMillion: price.output }
}

function dollars(typed: string): number {
  const value = /^\$?(\d+(?:\.\d+)?)$/.exec(typed)?.[1]
  if (value === undefined) throw new Failure(`--max-cost takes dollars, 0.50 say, not “${typed}”`)
  return Number(value)
}

function wishes(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

interface JournalTask extends ProseTask {
  readonly date: string
  /** As it is called on the page. */
  readonly project: string
}

function taskOf({ date }: JournalDay, day: JournalProject, shown: readonly JournalDay[]): JournalTask {
  const { project } = day
  const told = (lead: string, lines: readonly Told[]): readonly Told[] =>
    lines.map(({ text, cites }) => ({ text: `${lead}: ${text}`, cites }))
  const decided = day.decided.map(({ question, answer, cites }) => ({
    text: `${question} → ${answer ?? 'not answered'}`,
    cites,
  }))
  const commits = day.commits.map(({ subject, cites }) => ({ text: subject, cites }))
  const requests = day.pullRequests.map(({ url, title, cites }) => ({ text: title ?? url, cites }))
  const files = day.files.filter(({ outcome }) => outcome !== 'read').map((file) => fileLine(file, project))
  return {
    id: `${date} ${project}`,
    date,
    project: shownAs(date, day, shown),
    heading: `${shortName(project)}, ${date}`,
    lines: [
      ...told('Asked', day.asked),
      ...told('Changed', day.changed),
      ...told('Decided', decided),
      ...told('Failed', day.failed),
      ...told('Open', day.open),
      ...told('Commit', commits),
      ...told('Pull request', requests),
      ...told('File', files),
    ],
  }
}

/** Where a path holds a Secret, the project that is sent has another name than the one on the page. Its files are the same. */
function shownAs(date: string, { project, sessions }: JournalProject, shown: readonly JournalDay[]): string {
  const paths = new Set(sessions.map(({ path }) => path))
  const projects = shown.find((day) => day.date === date)?.projects ?? []
  return projects.find((one) => one.sessions.some(({ path }) => paths.has(path)))?.project ?? project
}

function spendingText({ calls, inputTokens, outputTokens, costUsd }: Spending): string {
  const cost = costUsd === null ? 'no known price' : `$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`
  return `${counted(calls, 'call')}, ${count(inputTokens + outputTokens)} tokens, ${cost}`
}
