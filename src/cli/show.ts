import type { Woven } from '../conversation/build.ts'
import { conversationProblems } from '../conversation/build.ts'
import type { Subagent, Turn } from '../conversation/model.ts'
import { type BodyOf, partsOf } from '../conversation/parts.ts'
import type { Reading } from '../conversation/reading.ts'
import { readContextTurns, readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import type { TipRule } from '../graph/context.ts'
import type { Bodies } from '../load/bodies.ts'
import { openBodies } from '../load/bodies.ts'
import type { OpenSession } from '../load/session.ts'
import { openSubagent } from '../load/session.ts'
import { agentHead, headLine } from '../render/head.ts'
import type { Include, ShowLayout } from '../render/show.ts'
import { partText, turnHead } from '../render/show.ts'
import { safeLine, toJson } from '../render/terminal.ts'
import { counted, iso } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { openReference, subagentOf } from './reference.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  reading: { type: 'string' },
  tip: { type: 'string' },
  branch: { type: 'string' },
  turn: { type: 'string' },
  include: { type: 'string' },
} as const

export const show: Command = {
  name: 'show',
  summary: 'One conversation, whole',
  failureCode: 1,
  help: `clew show <id|prefix|latest|title|path>[/<agentId>] [--reading full|context] [--tip resume|file]
          [--branch N] [--turn N..M] [--include thinking,tools,injections,subagents] [--json] [--root DIR]

A conversation as it happened: what was said before compactions, in other files and beside the live branch too.

  --reading full      what was said, compaction summaries hidden (default)
  --reading context   what the model saw at the tip
  --tip resume        the tip the client itself would resume from (default)
  --tip file          the tip the official SDK takes: the last one in the file
  --branch N          another branch (clew tree lists them)
  --turn N..M         only these turns; also N, N.. and ..M
  --include LIST      add thinking, tools (their output), injections (what the client wrote), subagents
  --json              one document: conversation, reading, tip, turns, chain, problems

Examples:
  clew show latest
  clew show 3f05 --turn 4.. --include tools
  clew show "tide tables" --reading context --json | jq .chain`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(show, words, OPTIONS)
  if (values.help) {
    world.output.print(show.help)
    return 0
  }
  const rule = oneOf(values.reading ?? 'full', ['full', 'context'] as const, 'reading')
  const tipRule = oneOf(values.tip ?? 'resume', ['resume', 'file'] as const, 'tip')
  const include = includes(values.include)
  const wanted = turnRange(values.turn)
  const { session, agentId } = await openReference(positionals.join(' ') || undefined, values.root, world, tipRule)
  const opened = agentId === null ? null : subagentOf(session, agentId, tipRule)
  const woven = opened?.woven ?? session.woven
  const branch = branchNumber(values.branch, woven)
  if (branch > 0 && rule === 'context')
    throw new Failure('the context reading follows the live tip; --branch needs --reading full')
  const reading = rule === 'full' ? readFull(woven, branch) : readContextTurns(woven)
  const turns = reading.turns.filter(({ number }) => number >= wanted.from && number <= wanted.to)
  if (turns.length === 0 && values.turn !== undefined)
    world.output.note(`clew: no turn ${values.turn} here; it has ${counted(reading.turns.length, 'turn')}`)
  const bodies = openBodies()
  try {
    const agent = opened?.agent ?? null
    if (values.json) world.output.print(document(session, agent, woven, reading, turns, tipRule, bodies, include))
    else world.output.page(text(session, agent, woven, reading, turns, tipRule, bodies, include, world))
  } finally {
    bodies.close()
  }
  return 0
}

function document(
  session: OpenSession,
  agent: Subagent | null,
  woven: Woven,
  reading: Reading,
  turns: readonly Turn[],
  tipRule: TipRule,
  bodies: Bodies,
  include: ReadonlySet<Include>,
): string {
  const problems = conversationProblems(woven)
  const { createdMs, lastRecordMs, ...facts } = summarise(woven, problems.length)
  const withParts = (turn: Turn, of: Woven) => ({
    number: turn.number,
    segment: turn.segment,
    promptUuid: turn.prompt?.envelope.uuid ?? null,
    startedAt: iso(turn.startedMs),
    endedAt: iso(turn.endedMs),
    parts: partsOf(turn, bodyOf(of, bodies)),
  })
  const subagents = !include.has('subagents')
    ? undefined
    : woven.agents.subagents.map((agent) => {
        const inner = openSubagent(session, agent.agentId, tipRule)
        const innerReading = inner === null ? null : readFull(inner)
        const innerTurns = innerReading?.turns.map((turn) => withParts(turn, inner as Woven)) ?? []
        return { ...agent, chain: innerReading?.chain ?? [], turns: innerTurns }
      })
  return toJson({
    conversation: {
      ...facts,
      agentId: agent?.agentId ?? null,
      createdAt: iso(createdMs),
      modifiedAt: iso(lastRecordMs),
      sizeBytes: agent?.sizeBytes ?? session.main.file.sizeBytes,
      transcripts: pathsOf(woven),
    },
    reading: reading.rule,
    tip: { rule: tipRule, uuid: reading.tipUuid },
    branch: reading.branch,
    turns: turns.map((turn) => withParts(turn, woven)),
    chain: reading.chain,
    ...(subagents === undefined ? {} : { subagents }),
    problems,
  })
}

function text(
  session: OpenSession,
  agent: Subagent | null,
  woven: Woven,
  reading: Reading,
  turns: readonly Turn[],
  tipRule: TipRule,
  bodies: Bodies,
  include: ReadonlySet<Include>,
  world: World,
): string {
  const { style, columns } = world.output
  const summary = summarise(woven, 0)
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
  const lines = [
    head,
    style.dim(
      facts
        .filter((fact) => fact !== '')
        .map(safeLine)
        .join(' · '),
    ),
  ]
  lines.push(turnsText(session, woven, turns, tipRule, bodies, include, world, columns, 0))
  return lines.join('\n')
}

const DEPTH_MAX = 8

function turnsText(
  session: OpenSession,
  woven: Woven,
  turns: readonly Turn[],
  tipRule: TipRule,
  bodies: Bodies,
  include: ReadonlySet<Include>,
  world: World,
  columns: number,
  depth: number,
): string {
  const layout: ShowLayout = {
    columns,
    style: world.output.style,
    include,
    subagent: (agentId) => {
      const inner = depth >= DEPTH_MAX ? null : openSubagent(session, agentId, tipRule)
      if (inner === null) return null
      const innerTurns = readFull(inner).turns
      return turnsText(
        session,
        inner,
        innerTurns,
        tipRule,
        bodies,
        include,
        world,
        Math.max(40, columns - 6),
        depth + 1,
      )
    },
  }
  const read = bodyOf(woven, bodies)
  const blocks: string[] = []
  for (const turn of turns) {
    blocks.push('', turnHead(turn.number, turn.startedMs, layout))
    for (const part of partsOf(turn, read)) {
      const block = partText(part, layout)
      if (block !== null) blocks.push(block)
    }
  }
  return blocks.join('\n')
}

function bodyOf(woven: Woven, bodies: Bodies): BodyOf {
  const paths = pathsOf(woven)
  return ({ transcript, envelope }) => bodies.read(paths[transcript] ?? '', envelope)
}

function pathsOf(woven: Woven): readonly string[] {
  return [woven.source.main.path, ...woven.source.earlier.map((one) => one.path)]
}

function branchNumber(value: string | undefined, woven: Woven): number {
  if (value === undefined) return 0
  const number = wholeNumber(value, 'branch')
  const branchCount = woven.outline.branches.length
  if (number >= branchCount)
    throw new Failure(
      `there is no branch ${number}; the conversation has ${counted(branchCount, 'branch', 'branches')}, from 0`,
    )
  return number
}

function oneOf<Value extends string>(value: string, allowed: readonly Value[], option: string): Value {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Failure(`--${option} takes ${allowed.join(' or ')}, not “${value}”`)
  return found
}

const INCLUDES: readonly Include[] = ['thinking', 'tools', 'injections', 'subagents']

function includes(value: string | undefined): ReadonlySet<Include> {
  const words = (value ?? '').split(',').filter((word) => word !== '')
  return new Set(words.map((word) => oneOf(word.trim(), INCLUDES, 'include')))
}

function turnRange(value: string | undefined): { from: number; to: number } {
  if (value === undefined) return { from: 0, to: Number.POSITIVE_INFINITY }
  const found = /^(\d*)(\.\.(\d*))?$/.exec(value)
  if (found === null || value === '' || value === '..')
    throw new Failure(`--turn takes N, N..M, N.. or ..M, not “${value}”`)
  const from = found[1] === '' ? 0 : Number(found[1])
  if (found[2] === undefined) return { from, to: from }
  const to = found[3] === '' || found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3])
  if (to < from) throw new Failure(`--turn ${value} ends before it begins`)
  return { from, to }
}
