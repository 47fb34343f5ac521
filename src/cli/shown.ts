// What `clew show` shows, as text and as one JSON document.

import type { Woven } from '../conversation/build.ts'
import { conversationProblems } from '../conversation/build.ts'
import type { Located } from '../conversation/locate.ts'
import type { Subagent, Turn } from '../conversation/model.ts'
import type { BodyOf, Part } from '../conversation/parts.ts'
import { partsOf } from '../conversation/parts.ts'
import type { Reading } from '../conversation/reading.ts'
import { readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import type { TipRule } from '../graph/context.ts'
import type { Bodies } from '../load/bodies.ts'
import type { OpenSession } from '../load/session.ts'
import { openSubagent } from '../load/session.ts'
import { agentHead, headLine } from '../render/head.ts'
import type { Include, ShowLayout } from '../render/show.ts'
import { partText, turnHead } from '../render/show.ts'
import { safeLine, toJson } from '../render/terminal.ts'
import { counted, iso } from '../render/units.ts'
import type { Output } from './output.ts'

export interface Shown {
  readonly session: OpenSession
  /** Its own file was deleted; it is read from the archive's copy. */
  readonly isCopy: boolean
  /** The subagent that is shown instead of the conversation itself. */
  readonly agent: Subagent | null
  readonly woven: Woven
  readonly reading: Reading
  /** Those of the Reading's Turns that were asked for. */
  readonly turns: readonly Turn[]
  /** The record that was asked for. */
  readonly at: Located | null
  readonly tipRule: TipRule
  readonly bodies: Bodies
  readonly include: ReadonlySet<Include>
}

export function shownJson(shown: Shown): string {
  const { session, agent, woven, reading, turns, tipRule, include } = shown
  const problems = conversationProblems(woven)
  const { createdMs, lastRecordMs, ...facts } = summarise(woven, problems.length)
  return toJson({
    conversation: {
      ...facts,
      agentId: agent?.agentId ?? null,
      createdAt: iso(createdMs),
      modifiedAt: iso(lastRecordMs),
      sizeBytes: agent?.sizeBytes ?? session.main.file.sizeBytes,
      isCopy: shown.isCopy,
      transcripts: pathsOf(woven),
    },
    reading: reading.rule,
    tip: { rule: tipRule, uuid: reading.tipUuid },
    branch: reading.branch,
    at: shown.at === null ? null : { uuid: shown.at.uuid, branch: shown.at.branch, turn: shown.at.turn.number },
    turns: turns.map((turn) => turnJson(shown, turn, woven)),
    chain: reading.chain,
    ...(include.has('subagents') ? { subagents: subagentsJson(shown) } : {}),
    problems,
  })
}

function subagentsJson(shown: Shown): readonly unknown[] {
  return shown.woven.agents.subagents.map((agent) => {
    const inner = openSubagent(shown.session, agent.agentId, shown.tipRule)
    if (inner === null) return { ...agent, chain: [], turns: [] }
    const { chain, turns } = readFull(inner)
    return { ...agent, chain, turns: turns.map((turn) => turnJson(shown, turn, inner)) }
  })
}

function turnJson(shown: Shown, turn: Turn, woven: Woven): unknown {
  return {
    number: turn.number,
    segment: turn.segment,
    promptUuid: turn.prompt?.envelope.uuid ?? null,
    startedAt: iso(turn.startedMs),
    endedAt: iso(turn.endedMs),
    parts: visibleParts(shown, turn, woven),
  }
}

export function shownText(shown: Shown, output: Output): string {
  const { agent, woven, reading } = shown
  const { style, columns } = output
  // What it is related to is not told here, and takes long to find.
  const summary = summarise({ ...woven, source: { ...woven.source, relation: UNRELATED } }, 0)
  const facts = [
    summary.project,
    summary.gitBranch ?? '',
    counted(reading.turns.length, 'turn'),
    woven.outline.branches.length > 1 ? `branch ${reading.branch} of ${woven.outline.branches.length}` : '',
  ]
  const head =
    agent === null
      ? headLine(summary.title, summary.sessionId, columns, style)
      : agentHead(agent, summary.sessionId, columns, style)
  const told = facts.filter((fact) => fact !== '').map(safeLine)
  const inner = turnsText(shown, woven, shown.turns, output, columns, new Set(agent === null ? [] : [agent.agentId]))
  return [head, style.dim(told.join(' · ')), inner].join('\n')
}

const UNRELATED = { continues: null, forkOf: null }

/** Some Turns of a Reading and nothing else: for a preview. */
export function turnsOnly(
  { session, woven, reading, bodies }: Pick<Shown, 'session' | 'woven' | 'reading' | 'bodies'>,
  turns: readonly Turn[],
  layout: Pick<Output, 'style' | 'columns'>,
): string {
  const shown: Shown = {
    session,
    isCopy: false,
    agent: null,
    woven,
    reading,
    turns,
    at: null,
    tipRule: 'resume',
    bodies,
    include: new Set(),
  }
  return turnsText(shown, woven, turns, layout, layout.columns, new Set()).trimStart()
}

const COLUMNS_MIN = 40

function turnsText(
  shown: Shown,
  woven: Woven,
  turns: readonly Turn[],
  output: Pick<Output, 'style'>,
  columns: number,
  /** Subagents that have been shown: each is shown once, however many calls name it. */
  told: Set<string>,
): string {
  const layout: ShowLayout = {
    columns,
    style: output.style,
    include: shown.include,
    subagent: (agentId) => {
      const inner = told.has(agentId) ? null : openSubagent(shown.session, agentId, shown.tipRule)
      if (inner === null) return null
      told.add(agentId)
      return turnsText(shown, inner, readFull(inner).turns, output, Math.max(COLUMNS_MIN, columns - 6), told)
    },
  }
  const blocks: string[] = []
  let isMarked = false
  for (const turn of turns) {
    blocks.push('', turnHead(turn.number, turn.startedMs, layout))
    for (const part of visibleParts(shown, turn, woven)) {
      // The record that was asked for is shown whole, whatever is left out elsewhere.
      const isHere = shown.at !== null && woven === shown.woven && holdsRecord(part, shown.at.offset)
      const block = partText(part, isHere ? { ...layout, include: EVERYTHING } : layout)
      if (isHere && !isMarked) blocks.push(output.style.note('▼ found here'))
      isMarked ||= isHere
      if (block !== null) blocks.push(block)
    }
  }
  return blocks.join('\n')
}

const EVERYTHING: ReadonlySet<Include> = new Set(['thinking', 'tools', 'injections'])

function holdsRecord(part: Part, offset: number): boolean {
  if (part.record.offset === offset) return true
  if (part.kind !== 'reply') return false
  return (
    part.records.includes(offset) ||
    part.blocks.some((one) => one.kind === 'tool' && one.call.result?.record.offset === offset)
  )
}

/** The full Reading leaves out what a compaction wrote: nobody said it. Asking for injections brings it back. */
function visibleParts(shown: Shown, turn: Turn, woven: Woven): readonly Part[] {
  const parts = partsOf(turn, bodyOf(woven, shown.bodies))
  if (shown.reading.rule === 'context' || shown.include.has('injections')) return parts
  return parts.filter((part) => part.kind !== 'recap' || part.record.offset === shown.at?.offset)
}

function bodyOf(woven: Woven, bodies: Bodies): BodyOf {
  const paths = pathsOf(woven)
  return ({ transcript, envelope }) => bodies.read(paths[transcript] ?? '', envelope)
}

function pathsOf(woven: Woven): readonly string[] {
  return [woven.source.main.path, ...woven.source.earlier.map((one) => one.path)]
}
