// A Conversation to its Brief, without a model: the same records always give the same lines.

import type { Turn } from '../conversation/model.ts'
import { branchesOfConversation, readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import type { AgentWork } from './agents.ts'
import { agentsOfWork, looseAgents, tokensOnly } from './agents.ts'
import { joinCites } from './citation.ts'
import { shorten } from './condense.ts'
import { digestOf } from './digest.ts'
import type { Brief, Decision, Told, TurnBrief } from './model.ts'
import { usageOfReplies } from './tokens.ts'
import type { BriefSource, Holds, SaidText, Work } from './work.ts'
import { turnWork } from './work.ts'

const EVERYTHING: Holds = () => true

export function briefOf(source: BriefSource, holds: Holds = EVERYTHING): Brief {
  const { woven } = source
  const told = new Set<string>()
  const all = readFull(woven).turns
  const turns = all.flatMap((turn) => openTurn(turn, source, holds, told))
  const works = turns.map(({ work }) => work)
  const todoTexts = namedTasks(works)
  const asked = turns.map(({ turn, work }, place) => {
    const next = all[all.indexOf(turn) + 1]
    // What was asked at night may have been answered in the morning, which is another day.
    const after = turns[place + 1]?.work ?? (next === undefined ? null : turnWork(next, source, EVERYTHING))
    return askedBy(work, after)
  })
  const briefs = turns.map(({ turn, work, agents }, place): TurnBrief => {
    const decided = (asked[place] as readonly Decision[]).filter(({ answer }) => answer !== null)
    const digest = digestOf({ works: [work], agents, done: condensed(work.texts), asked: decided, todoTexts })
    return { number: turn.number, intent: joinedIntent(work.intents), ...digest }
  })
  const abandoned = abandonedWays(source, holds, told)
  const beside = [...abandoned.flatMap(({ agents }) => agents), ...looseAgents(source, holds, told)]
  const digest = digestOf({
    works,
    agents: [...turns.flatMap(({ agents }) => agents), ...beside],
    done: works.flatMap(({ texts }) => lastLead(texts)),
    asked: asked.flat().filter(({ answer }) => answer !== null),
    todoTexts,
  })
  const { sessionId, title, project, gitBranch, path } = summarise(woven, 0)
  const replies = [...works, ...abandoned.flatMap(({ works }) => works)].flatMap((work) => work.replies)
  return {
    sessionId,
    title,
    project,
    gitBranch,
    path,
    intents: works.flatMap(({ intents }) => intents),
    openQuestions: (asked.at(-1) ?? [])
      .filter(({ answer }) => answer === null)
      .map(({ question, cites }) => ({ text: question, cites })),
    abandoned: abandoned.flatMap(({ intent }) => intent ?? []),
    ...digest,
    usage: usageOfReplies(replies),
    turns: briefs,
  }
}

interface OpenTurn {
  readonly turn: Turn
  readonly work: Work
  readonly agents: readonly AgentWork[]
}

/** None for a Turn that has no Record in what is asked for. */
function openTurn(turn: Turn, source: BriefSource, holds: Holds, told: Set<string>): readonly OpenTurn[] {
  if (!turn.records.some(holds)) return []
  const work = turnWork(turn, source, holds)
  // Of a Turn of another day only what the client noted down later may be in this one.
  if (holds !== EVERYTHING && work.intents.length + work.texts.length + work.calls.length + work.upsets.length === 0)
    return []
  return [{ turn, work, agents: agentsOfWork(work, source, holds, told) }]
}

function joinedIntent(intents: readonly Told[]): Told | null {
  if (intents.length === 0) return null
  return { text: intents.map(({ text }) => text).join('\n\n'), cites: joinCites(intents.map(({ cites }) => cites)) }
}

const EARLIER_MAX = 12

/** All that was said last, and of what was said on the way the first sentence, unless it only announces. */
function condensed(texts: readonly SaidText[]): readonly Told[] {
  const last = texts.at(-1)
  if (last === undefined) return []
  const telling = texts.slice(0, -1).filter((said) => !said.isAnnouncing && said.lead !== '')
  const earlier = telling.slice(-EARLIER_MAX).map(({ lead, cite }): Told => ({ text: lead, cites: [cite] }))
  return [...earlier, ...last.lines.map((text): Told => ({ text, cites: [last.cite] }))]
}

function lastLead(texts: readonly SaidText[]): readonly Told[] {
  const last = texts.at(-1)
  if (last === undefined) return []
  return [{ text: last.lead === '' ? (last.lines[0] ?? '') : last.lead, cites: [last.cite] }]
}

/** The questions a Turn ends with, and what the person wrote next. */
function askedBy(work: Work, next: Work | null): readonly Decision[] {
  const last = work.texts.at(-1)
  if (last === undefined || last.questions.length === 0) return []
  const said = next?.intents[0] ?? null
  if (said !== null && !isAnswer(said.text)) return []
  const answer = said
  return last.questions.map((question) => ({
    question,
    answer: answer === null ? null : shorten(answer.text, 300),
    cites: answer === null ? [last.cite] : joinCites([[last.cite], answer.cites]),
  }))
}

const ANSWERING =
  /^\W*(?:yes|yeah|yep|sure|ok|okay|no|nope|not|don't|do|go|please do|option|both|neither|none|all|just|only|use|keep|leave|let's|the (?:first|second|third|last|former|latter)|[a-d1-9]\b)/i
const SHORT = 60

/** What follows a question is mostly no answer to it: a short word is, and what begins like one. Who asks back decides nothing. */
function isAnswer(text: string): boolean {
  const said = text.trim()
  return !/[?？]$/.test(said) && (said.length <= SHORT || (said.length <= 300 && ANSWERING.test(said)))
}

function namedTasks(works: readonly Work[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { calls } of works) {
    for (const { planning } of calls)
      for (const { key, text } of planning.todos) if (text !== null) texts.set(key, text)
  }
  return texts
}

interface AbandonedWay {
  readonly intent: Told | null
  readonly works: readonly Work[]
  readonly agents: readonly AgentWork[]
}

function abandonedWays(source: BriefSource, holds: Holds, told: Set<string>): readonly AbandonedWay[] {
  return branchesOfConversation(source.woven)
    .filter(({ isLive }) => !isLive)
    .map(({ turns }) => {
      const works = turns.filter(({ records }) => records.some(holds)).map((turn) => turnWork(turn, source, holds))
      const agents = works.flatMap((work) => agentsOfWork(work, source, holds, told)).map(tokensOnly)
      return { intent: joinedIntent(works.flatMap(({ intents }) => intents).slice(0, 1)), works, agents }
    })
}
