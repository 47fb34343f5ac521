import { basename, dirname } from 'node:path'
import type { Turn } from '../conversation/model.ts'
import { readFull } from '../conversation/reading.ts'
import type { OpenSession } from '../load/session.ts'
import { resumeCommand } from '../render/resume-command.ts'
import { toJson } from '../render/terminal.ts'
import { openStore } from '../store/open-store.ts'
import { StoreError } from '../store/store-error.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { goneFolderText, isFolderThere } from './gone-folder.ts'
import { located } from './located.ts'
import { openReference } from './reference.ts'

const OPTIONS = { ...ROOT_OPTIONS, at: { type: 'string' }, title: { type: 'string' } } as const

export const fork: Command = {
  name: 'fork',
  failureCode: 1,
  help: `clew fork <id|prefix|latest|title|path> [--at <turn|uuid>] [--title T] [--json] [--root DIR]

A copy of a conversation under a new id, which Claude Code and its SDK open like any other. The original stays as it is.

  --at N        up to and with turn N (clew show numbers them), or up to and with the record of this uuid
  --title T     what to call it; its own title and “(fork)” without it
  --json        its id, its file and the command that resumes it, as one JSON object

Examples:
  clew fork latest
  clew fork 3f05 --at 4 --title "another way"`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(fork, words, OPTIONS)
  if (values.help) {
    world.output.print(fork.help)
    return 0
  }
  const { session, record } = await openReference(positionals.join(' ') || undefined, values, world, 'resume')
  const named = values.at ?? record
  const at = named === null ? null : recordAt(session, named)
  const { title } = values
  try {
    const store = openStore({ root: rootOf(session) })
    const made = await store.fork(session.main.transcript.sessionId, {
      ...(at === null ? {} : { at }),
      ...(title === undefined ? {} : { title }),
    })
    const { id: sessionId, path } = made
    const { cwd } = made.surroundings
    const command = resumeCommand({ sessionId, cwd })
    await made.close()
    world.output.print(
      values.json ? toJson({ sessionId, forkOf: session.main.transcript.sessionId, path, command }) : command,
    )
    if (!isFolderThere(cwd) && !values.json) world.output.note(`clew: ${goneFolderText(cwd)}`)
  } catch (error) {
    if (error instanceof StoreError) throw new Failure(error.message)
    throw error
  }
  return 0
}

/** The Claude directory the session lies in; a single file somewhere has none to put a fork into. */
function rootOf({ main }: OpenSession): string {
  const projects = dirname(dirname(main.file.path))
  if (basename(projects) !== 'projects')
    throw new Failure(
      `${main.file.path} does not lie in a project of a Claude directory (projects/<project>/<id>.jsonl); a fork needs one`,
    )
  return dirname(projects)
}

function recordAt({ woven }: OpenSession, at: string): string {
  if (!/^\d{1,6}$/.test(at)) {
    const uuid = located(woven, at).uuid
    if (uuid === null) throw new Failure(`the conversation has no record “${at}”`)
    return uuid
  }
  const { turns } = readFull(woven)
  const turn = turns.find(({ number }) => number === Number(at))
  const uuid = turn === undefined ? null : lastOwn(turn)
  if (uuid === null) throw new Failure(`there is no turn ${at}; the conversation has ${turns.length}`)
  return uuid
}

/** The last record of a Turn that stands in the session's own file. */
function lastOwn({ records }: Turn): string | null {
  return (
    records.findLast(({ transcript, envelope }) => transcript === 0 && envelope.uuid !== null)?.envelope.uuid ?? null
  )
}
