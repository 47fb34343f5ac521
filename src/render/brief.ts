// A Brief for a terminal, as Markdown, and as JSON. Each line ends with the record it rests on, so that
// `clew show 2ab65b76#07338147` leads there.

import type { Subagent } from '../conversation/model.ts'
import { recordName, referenceOf } from '../digest/citation.ts'
import { shorten } from '../digest/condense.ts'
import type { Brief, Citation, Digest, TurnBrief } from '../digest/model.ts'
import type { Mark, Section, SectionLine } from '../digest/sections.ts'
import { digestSections, line, plain, present, section } from '../digest/sections.ts'
import type { Usage } from '../record/model.ts'
import { agentHead, headLine } from './head.ts'
import { markdownLine, markdownWords } from './markdown-line.ts'
import type { Style } from './style.ts'
import { safeLine } from './terminal.ts'
import { count, counted, duration, iso } from './units.ts'
import { tokenFields } from './usage.ts'
import { widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

export interface BriefLayout {
  readonly columns: number
  readonly style: Style
}

/** `turn` picks one Turn; null is the whole Conversation. */
export function briefText(brief: Brief, turn: TurnBrief | null, agent: Subagent | null, layout: BriefLayout): string {
  const { columns, style } = layout
  const head =
    agent === null
      ? headLine(brief.title, brief.sessionId, columns, style)
      : agentHead(agent, brief.sessionId, columns, style)
  const told = briefFacts(brief, turn).map(safeLine).join(' · ')
  const facts = style.dim(wrapLine(told, Math.max(20, columns), 4).join('\n'))
  const blocks = briefSections(brief, turn).map(({ heading, lines }) =>
    [style.bold(heading), ...lines.flatMap((one) => lineText(one, brief.path, layout))].join('\n'),
  )
  return [`${head}\n${facts}`, ...blocks].join('\n\n')
}

export function briefMarkdown(brief: Brief, turn: TurnBrief | null, agent: Subagent | null): string {
  const facts = briefFacts(brief, turn).map(markdownLine).join(' · ')
  const blocks = briefSections(brief, turn).map((section) => sectionMarkdown(section, brief.path))
  return `${[`# ${markdownWords(agent?.description || brief.title || brief.sessionId)}`, `${facts}\nSession \`${agent === null ? brief.sessionId : `${brief.sessionId}/${agent.agentId}`}\``, ...blocks].join('\n\n')}\n`
}

function sectionMarkdown({ heading, lines }: Section, path: string): string {
  return [`## ${heading}`, '', ...lines.map((one) => lineMarkdown(one, path))].join('\n')
}

const MARKDOWN_MARKS: Readonly<Record<Mark, string>> = { good: '✓ ', bad: '✗ ', open: '… ', none: '' }

function lineMarkdown({ mark, text, note, cites }: SectionLine, path: string): string {
  const beside = note === '' ? '' : ` (${markdownWords(note)})`
  return `- ${MARKDOWN_MARKS[mark]}${mark === 'none' ? markdownLine(text) : markdownWords(text)}${beside}${citeText(cites, path)}`
}

/** The JSON of a Brief: times as ISO texts, tokens under the API's own names. */
export function briefJson(brief: Brief, agentId: string | null): unknown {
  const { turns, sessionId, title, project, gitBranch, path, intents, openQuestions, abandoned, ...digest } = brief
  const head = { sessionId, agentId, title, project, gitBranch, path, intents, openQuestions, abandoned }
  return { ...head, ...digestJson(digest), turns: turns.map(turnBriefJson) }
}

export function turnBriefJson({ number, intent, ...digest }: TurnBrief): unknown {
  return { number, intent, ...digestJson(digest) }
}

function digestJson({
  startedMs,
  endedMs,
  usage,
  agentUsage,
  agents,
  ...rest
}: Digest): Readonly<Record<string, unknown>> {
  return {
    startedAt: iso(startedMs),
    endedAt: iso(endedMs),
    ...rest,
    agents: agents.map(({ usage: used, ...agent }) => ({ ...agent, usage: usageJson(used) })),
    usage: usageJson(usage),
    agentUsage: usageJson(agentUsage),
  }
}

function usageJson(usage: Usage | null): unknown {
  return usage === null ? null : tokenFields(usage)
}

const PROMPT_MAX = 500

function briefSections(brief: Brief, turn: TurnBrief | null): readonly Section[] {
  const options = { project: brief.project, promptMax: PROMPT_MAX }
  if (turn !== null) {
    const asked = turn.intent === null ? [] : [plain(turn.intent)]
    return present([section('Asked', asked), ...digestSections(turn, options)])
  }
  const asked = brief.intents.map(({ text, cites }) => line(shorten(text, PROMPT_MAX), [], cites))
  return present([
    section('Asked', asked),
    ...digestSections(brief, options),
    section(
      'Abandoned',
      brief.abandoned.map(({ text, cites }) => line(shorten(text, PROMPT_MAX), [], cites)),
    ),
    section('Open questions', brief.openQuestions.map(plain)),
  ])
}

function briefFacts(brief: Brief, turn: TurnBrief | null): readonly string[] {
  const digest: Digest = turn ?? brief
  const started = iso(digest.startedMs)?.slice(0, 16).replace('T', ' ')
  const tokens = [digest.usage, digest.agentUsage].reduce((sum, usage) => sum + (usage?.outputTokens ?? 0), 0)
  return [
    brief.project,
    brief.gitBranch ?? '',
    turn === null ? counted(brief.turns.length, 'turn') : `turn ${turn.number} of ${brief.turns.length}`,
    started === undefined ? '' : `${started} UTC`,
    `${duration(digest.activeMs)} of work`,
    digest.models.join(', '),
    tokens === 0 ? '' : `${count(tokens)} output tokens`,
  ].filter((fact) => fact !== '')
}

function lineText(
  { mark, text, note, cites }: SectionLine,
  path: string,
  { columns, style }: BriefLayout,
): readonly string[] {
  const paint = { good: style.good('✓'), bad: style.bad('✗'), open: style.note('…'), none: style.dim('·') }[mark]
  const wrapped = wrapLine(safeLine(text), Math.max(20, columns - 4), 12)
  const [first = '', ...rest] = wrapped
  const beside = [safeLine(note), citeText(cites, path).trim()].filter((one) => one !== '').join('  ')
  const all = [`  ${paint} ${first}`, ...rest.map((one) => `    ${one}`)]
  const fits = 4 + widthOf(wrapped.at(-1) ?? '') + 2 + widthOf(beside) <= columns
  if (beside === '') return all
  return fits ? [...all.slice(0, -1), `${all.at(-1)}  ${style.dim(beside)}`] : [...all, `    ${style.dim(beside)}`]
}

/** The first record a line rests on, as `clew show` takes it: behind the id of the brief, or with the id of another file. */
function citeText(cites: readonly Citation[], path: string): string {
  const [first] = cites
  if (first === undefined) return ''
  return ` ${first.path === path ? `#${recordName(first)}` : referenceOf(first)}`
}
