import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { summarise } from '../conversation/summary.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { OpenSession } from '../load/session.ts'
import { goneFolder, hindranceOf, hindranceText } from '../render/resumable.ts'
import { resumeCommand } from '../render/resume-command.ts'
import { toJson } from '../render/terminal.ts'
import { FORMAT_VERSION } from '../store/client-record.ts'
import { resumedChain } from '../store/dialect.ts'
import { planFit } from '../store/fit.ts'
import { messagesOf } from '../store/messages.ts'
import { readStored } from '../store/stored-transcript.ts'
import type { Command, World } from './command.ts'
import { openTranscripts, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import { openReference, wordFor } from './reference.ts'
import { conversationFilter } from './scope.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  exec: { type: 'boolean' },
  messages: { type: 'boolean' },
  budget: { type: 'string' },
} as const

export const resume: Command = {
  name: 'resume',
  failureCode: 1,
  help: `clew resume [<id|prefix|latest|title|path>] [--exec] [--messages [--budget N]] [--json] [--root DIR]

The command with which Claude Code goes on with a conversation, in the folder it took place in. Without an id: the
newest conversation of this folder.

  --exec        run it, instead of printing it
  --messages    print what the model will be sent: the messages of the conversation, as JSON
  --budget N    with --messages: compacted to about N tokens, if they are more
  --json        the command, the folder and the id as one JSON object

Examples:
  clew resume
  eval "$(clew resume 3f05)"
  clew resume latest --messages | jq length`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(resume, words, OPTIONS)
  if (values.help) {
    world.output.print(resume.help)
    return 0
  }
  if (values.budget !== undefined && values.messages !== true) throw new Failure('--budget needs --messages')
  const reference = positionals.join(' ') || (await newestHere(values, world))
  const referenced = await openReference(reference, values, world, 'resume')
  const { session, isCopy } = referenced
  const summary = summarise(session.woven, 0)
  const { sessionId, cwd } = summary
  const hindrance = values.messages ? null : hindranceOf({ ...summary, isCopy }, wordFor(referenced))
  if (hindrance !== null) throw new Failure(`${sessionId} cannot be resumed: ${hindranceText(hindrance)}`)
  const budget = values.budget === undefined ? null : wholeNumber(values.budget, 'budget')
  if (values.messages) world.output.print(toJson(await messagesFor(session, budget)))
  else if (values.exec) return runClient(session)
  else {
    const command = resumeCommand({ sessionId, cwd })
    const gone = goneFolder(cwd, existsSync)
    world.output.print(values.json ? toJson({ sessionId, cwd, cwdThere: gone === null, command }) : command)
    if (gone !== null && !values.json) world.output.note(`clew: ${hindranceText(gone)}`)
  }
  return 0
}

/** What the client itself would offer first: the newest one that ran here. */
async function newestHere(
  values: { readonly root?: readonly string[] | undefined; readonly 'no-index'?: boolean | undefined },
  world: World,
): Promise<string> {
  const archive = openTranscripts(values.root, world)
  const rows = await bringUpIndex(values['no-index'], archive, world, ({ access }) =>
    access.list(archive, world.progress.show),
  )
  world.progress.clear()
  const isHere = conversationFilter({ here: true }, world.folder)
  const newest = rows.find((row) => row.messages > 0 && isHere(row))
  if (newest === undefined)
    throw new Failure('no conversation took place in this folder. Name one: clew resume <id>, or clew resume latest')
  world.output.note(`clew: ${newest.title}`)
  return newest.sessionId
}

async function messagesFor({ main, woven }: OpenSession, budgetTokens: number | null): Promise<unknown> {
  const { sessionId, cwd } = summarise(woven, 0)
  const stored = readStored(REAL_DISK, main.file.path)
  const chain = resumedChain(stored, { sessionId, cwd: cwd ?? '', version: FORMAT_VERSION, newId: randomUUID })
  const plan = budgetTokens === null ? null : await planFit(chain, { budgetTokens })
  if (plan === null) return messagesOf(chain.map(({ body }) => body))
  const recap = { type: 'user', message: { role: 'user', content: plan.summary } }
  return messagesOf([recap, ...plan.preserve.map(({ body }) => body)])
}

function runClient({ woven }: OpenSession): number {
  const { sessionId, cwd } = summarise(woven, 0)
  const gone = goneFolder(cwd, existsSync)
  if (gone !== null) throw new Failure(hindranceText(gone))
  // An id comes from the name of a file; one that looks like an option must not become one.
  const { error, status } = spawnSync('claude', [`--resume=${sessionId}`], {
    stdio: 'inherit',
    ...(cwd === null || cwd === '' ? {} : { cwd }),
  })
  if (error !== undefined) throw new Failure(`claude cannot be run: ${error.message}`)
  return status ?? 1
}
