import type { Woven } from '../conversation/build.ts'
import type { Turn } from '../conversation/model.ts'
import { readContextTurns, readFull } from '../conversation/reading.ts'
import { openBodies } from '../load/bodies.ts'
import type { Include } from '../render/show.ts'
import { counted } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { located } from './located.ts'
import { oneOf, turnRange } from './option-values.ts'
import { openReference, subagentOf } from './reference.ts'
import type { Shown } from './shown.ts'
import { shownJson, shownText } from './shown.ts'
import { noteUnread, refuseUnread } from './unread.ts'

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
  failureCode: 1,
  help: `clew show <id|prefix|latest|title|path>[/<agentId>][#<record>] [--reading full|context] [--tip resume|file]
          [--branch N] [--turn N..M] [--include thinking,tools,injections,subagents] [--json] [--root DIR]

A conversation as it happened: what was said before compactions, in other files and beside the live branch too.
A reference from clew search (2ab65b76#07338147) shows the turn that was found, with the record it was found in.

  --reading full      what was said; what the client wrote is left out (default)
  --reading context   what the model saw at the tip
  --tip resume        the tip the client itself would resume from (default)
  --tip file          the tip the official SDK takes: the last one in the file
  --branch N          another branch (clew tree lists them)
  --turn N..M         only these turns; also N, N.. and ..M
  --include LIST      add thinking, tools (their output), injections (what the client wrote), subagents
  --json              one document: conversation, reading, tip, at, turns, chain, problems
  --no-index          read the files themselves, not what the index knows of them

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
  const wanted = values.turn === undefined ? { from: 0, to: Number.POSITIVE_INFINITY } : turnRange(values.turn, 'turn')
  const reference = positionals.join(' ') || undefined
  const options = { ...values, isAlone: values.json !== true }
  const referenced = await openReference(reference, options, world, tipRule)
  const { session, agentId, record, isCopy } = referenced
  refuseUnread(referenced)
  if (isCopy) world.output.note(copyNote(session.main.transcript.sessionId))
  const opened = agentId === null ? null : subagentOf(session, agentId, tipRule)
  const woven = opened?.woven ?? session.woven
  const at = record === null ? null : located(woven, record)
  const branch = values.branch === undefined && rule === 'full' ? (at?.branch ?? 0) : branchNumber(values.branch, woven)
  if (branch > 0 && rule === 'context')
    throw new Failure('the context reading follows the live tip; --branch needs --reading full')
  const reading = rule === 'full' ? readFull(woven, branch) : readContextTurns(woven)
  const isHere = (turn: Turn): boolean => turn.records.some(({ envelope }) => envelope.offset === at?.offset)
  const turns =
    at !== null && values.turn === undefined
      ? reading.turns.filter(isHere)
      : reading.turns.filter(({ number }) => number >= wanted.from && number <= wanted.to)
  if (turns.length === 0 && values.turn !== undefined)
    throw new Failure(`there is no turn ${values.turn}; the conversation has ${counted(reading.turns.length, 'turn')}`)
  const bodies = openBodies()
  const shown: Shown = {
    session,
    isCopy,
    agent: opened?.agent ?? null,
    woven,
    reading,
    turns,
    at,
    tipRule,
    bodies,
    include,
  }
  try {
    if (values.json) world.output.print(shownJson(shown))
    else {
      world.output.page(shownText(shown, world.output))
      noteUnread(referenced, world.output)
      if (at !== null) world.output.note(placeNote(shown))
    }
  } finally {
    bodies.close()
  }
  return 0
}

function copyNote(sessionId: string): string {
  return `clew: its own file was deleted; this is the copy of the archive. To have it back: clew archive restore ${sessionId}`
}

function placeNote({ woven, reading, turns, agent }: Shown): string {
  const name = `${woven.source.sessionId.slice(0, 8)}${agent === null ? '' : `/${agent.agentId}`}`
  const branch = reading.branch === 0 ? '' : ` --branch ${reading.branch}`
  return `clew: turn ${turns[0]?.number ?? '?'} of ${reading.turns.length}. All of it: clew show ${name}${branch}`
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

const INCLUDES: readonly Include[] = ['thinking', 'tools', 'injections', 'subagents']

function includes(value: string | undefined): ReadonlySet<Include> {
  const words = (value ?? '').split(',').filter((word) => word !== '')
  return new Set(words.map((word) => oneOf(word.trim(), INCLUDES, 'include')))
}
