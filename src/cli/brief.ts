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
import { openReference, subagentOf } from './reference.ts'

const OPTIONS = { ...ROOT_OPTIONS, turn: { type: 'string' }, format: { type: 'string' } } as const

export const brief: Command = {
  name: 'brief',
  failureCode: 1,
  help: `clew brief <id|prefix|latest|title|path>[/<agentId>] [--turn N] [--format text|md|json] [--json] [--root DIR]

What a conversation came to, without a model: what was asked and done, files changed, commands and how they went,
commits, plans, todos, decisions, what failed, what the subagents did. The same records always give the same lines,
and each line ends with the record it rests on: clew show <id>#<record> leads there.

  --turn N        one turn
  --format md     Markdown
  --format json   one document, as --json
  --no-index      read the files themselves, not what the index knows of them

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
  const { session, agentId } = await openReference(positionals.join(' ') || undefined, values, world, 'resume')
  const woven = agentId === null ? session.woven : subagentOf(session, agentId, 'resume').woven
  const bodies = openBodies()
  try {
    const told = briefOf({ ...briefSource(session, bodies), woven })
    const turn = number === null ? null : turnOf(told, number)
    if (format === 'json') world.output.print(toJson(turn === null ? briefJson(told) : turnBriefJson(turn)))
    else if (format === 'md') world.output.print(briefMarkdown(told, turn).trimEnd())
    else world.output.page(briefText(told, turn, world.output))
  } finally {
    bodies.close()
  }
  return 0
}

function turnOf(told: Brief, number: number): TurnBrief {
  const turn = told.turns.find((one) => one.number === number)
  if (turn === undefined) throw new Failure(`there is no turn ${number}; it has ${counted(told.turns.length, 'turn')}`)
  return turn
}
