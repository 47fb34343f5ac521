import type { Woven } from '../conversation/build.ts'
import { briefOf } from '../digest/brief.ts'
import type { Brief, TurnBrief } from '../digest/model.ts'
import { openBodies } from '../load/bodies.ts'
import { briefSource } from '../notebook/gather.ts'
import { briefJson, briefMarkdown, briefText, turnBriefJson } from '../render/brief.ts'
import { toJson } from '../render/terminal.ts'
import { counted } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { located } from './located.ts'
import { openReference, subagentOf } from './reference.ts'
import { noteUnread, refuseUnread } from './unread.ts'

const OPTIONS = { ...ROOT_OPTIONS, turn: { type: 'string' }, format: { type: 'string' } } as const

export const brief: Command = {
  name: 'brief',
  failureCode: 1,
  help: `clew brief <id|prefix|latest|title|path>[/<agentId>][#<record>] [--turn N] [--format text|md|json] [--json] [--root DIR]

What a conversation came to, without a model: what was asked and done, files changed, commands and how they went,
commits, plans, todos, decisions, what failed, what the subagents did. The same records always give the same lines,
and each line ends with the record it rests on: clew show <id>#<record> leads there.

  --turn N        one turn; also that of a record, behind a #
  --format md     Markdown
  --format json   one document, as --json
  --json          one document with everything, all commands too
  --no-index      read the files themselves, not what the index knows of them
  --root DIR      where to look

Examples:
  clew brief latest
  clew brief 3f05 --turn 4
  clew brief latest --format md > brief.md
  clew brief latest --json | jq '.commits[].subject'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(brief, words, OPTIONS)
  if (values.help) {
    world.output.print(brief.help)
    return 0
  }
  const format = values.json ? 'json' : (values.format ?? 'text')
  if (!['text', 'md', 'json'].includes(format)) throw new Failure(`--format takes text, md or json, not “${format}”`)
  const number = values.turn === undefined ? null : wholeNumber(values.turn, 'turn')
  const referenced = await openReference(positionals.join(' ') || undefined, values, world, 'resume')
  const { session, agentId, record } = referenced
  refuseUnread(referenced)
  const opened = agentId === null ? null : subagentOf(session, agentId, 'resume')
  const woven = opened?.woven ?? session.woven
  const agent = opened?.agent ?? null
  const bodies = openBodies()
  try {
    const told = briefOf({ ...briefSource(session, bodies), woven })
    const turn = number === null ? turnAt(told, woven, record) : turnOf(told, number)
    if (told.turns.length === 0)
      world.output.note(`clew: nothing was said in it. What is in the file: clew check ${told.path}`)
    if (format === 'json')
      world.output.print(toJson(turn === null ? briefJson(told, agent?.agentId ?? null) : turnBriefJson(turn)))
    else if (format === 'md') world.output.print(briefMarkdown(told, turn, agent).trimEnd())
    else world.output.page(briefText(told, turn, agent, world.output))
    noteUnread(referenced, world.output)
  } finally {
    bodies.close()
  }
  return 0
}

/** The Turn of the record behind a `#`. */
function turnAt(told: Brief, woven: Woven, record: string | null): TurnBrief | null {
  if (record === null) return null
  const at = located(woven, record)
  if (at.branch > 0) throw new Failure(`“${record}” is on the abandoned branch ${at.branch}; clew show leads there`)
  return turnOf(told, at.turn.number)
}

function turnOf(told: Brief, number: number): TurnBrief {
  const turn = told.turns.find((one) => one.number === number)
  if (turn === undefined) throw new Failure(`there is no turn ${number}; it has ${counted(told.turns.length, 'turn')}`)
  return turn
}
