import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Turn } from '../conversation/model.ts'
import { readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { OpenSession } from '../load/session.ts'
import { goneFolder, hindranceText, outOfReach } from '../render/resumable.ts'
import { resumeCommand } from '../render/resume-command.ts'
import { toJson } from '../render/terminal.ts'
import { writeClientCopy } from '../store/client-copy.ts'
import { openStore } from '../store/open-store.ts'
import { StoreError } from '../store/store-error.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
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
  try {
    const isReached = outOfReach(summarise(session.woven, 0)) === null
    const { sessionId, path, cwd } = await (isReached ? forkOf : clientCopyOf)(session, at, values.title)
    const command = resumeCommand({ sessionId, cwd })
    world.output.print(
      values.json ? toJson({ sessionId, forkOf: session.main.transcript.sessionId, path, command }) : command,
    )
    const gone = goneFolder(cwd, existsSync)
    if (gone !== null && !values.json) world.output.note(`clew: ${hindranceText(gone)}`)
  } catch (error) {
    if (error instanceof StoreError) throw new Failure(error.message)
    throw error
  }
  return 0
}

interface Made {
  readonly sessionId: string
  readonly path: string
  readonly cwd: string
}

async function forkOf(session: OpenSession, at: string | null, title: string | undefined): Promise<Made> {
  const store = openStore({ root: rootOf(session) })
  const made = await store.fork(session.main.transcript.sessionId, {
    ...(at === null ? {} : { at }),
    ...(title === undefined ? {} : { title }),
  })
  const { id: sessionId, path } = made
  const { cwd } = made.surroundings
  await made.close()
  return { sessionId, path, cwd }
}

/** Of one that Claude Code cannot open where and as it is. */
async function clientCopyOf(session: OpenSession, at: string | null, title: string | undefined): Promise<Made> {
  const { main, woven } = session
  const { sessionId: from, cwd, title: own } = summarise(woven, 0)
  if (cwd === null || cwd === '')
    throw new Failure(`nothing in ${main.file.path} says in which folder it took place, and Claude Code goes by that`)
  const root = aboveProjects(dirname(main.file.path))
  const named = title ?? `${own} (fork)`.trim()
  return { ...(await writeClientCopy(REAL_DISK, main.file.path, { root, from, cwd, at, title: named })), cwd }
}

/** The Claude directory that a folder is a project of, or one below a project. */
function aboveProjects(folder: string): string {
  const above = dirname(folder)
  if (basename(above) === 'projects') return dirname(above)
  if (above === folder || basename(dirname(above)) !== 'projects') throw new Failure(noProject(folder))
  return dirname(dirname(above))
}

/** The Claude directory the session lies in; a single file somewhere has none to put a fork into. */
function rootOf({ main }: OpenSession): string {
  const projects = dirname(dirname(main.file.path))
  if (basename(projects) !== 'projects') throw new Failure(noProject(main.file.path))
  return dirname(projects)
}

function noProject(path: string): string {
  return `${path} does not lie in a project of a Claude directory (projects/<project>/<id>.jsonl); a fork needs one`
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
