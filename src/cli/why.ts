import { join } from 'node:path'
import { timeMs } from '../base/time.ts'
import type { Commit } from '../recover/commit.ts'
import { parseCommit, writersOf } from '../recover/commit.ts'
import type { Version } from '../recover/model.ts'
import type { Recovered } from '../recover/recovered.ts'
import type { WhyCommit, WhyTurn } from '../render/blame.ts'
import { whyJson, whyText } from '../render/blame.ts'
import { repositoryFolders } from '../source/repository.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { showCommit } from './git.ts'
import { withRecovered } from './recovered-files.ts'
import { turnCommand } from './turn-command.ts'
import { refOf } from './version-rows.ts'

export const why: Command = {
  name: 'why',
  failureCode: 1,
  help: `clew why <commit> [--json] [--root DIR]

Which turns wrote the lines that a commit added, with what was asked for in them: by the words of each line, by its
file, and by time. The commit is read with git show, and nothing is written into git. Worktrees of one repository
count as one.

  --json      one document: commit, author, authoredAt, subject, lines, attributed, files, turns
  --no-index  read the transcripts themselves, not what the index knows of them
  --root DIR  where to look for conversations

Examples:
  clew why HEAD
  clew why 3f2a9c1 --json | jq -r '.turns[].prompt'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(why, words, ROOT_OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(why.help)
    return 0
  }
  const [typed, more] = positionals
  if (typed === undefined) throw new Failure('which commit? Try: clew why HEAD')
  if (more !== undefined) throw new Failure(`why takes one commit, not “${more}” too`)
  const { top, printed } = showCommit(typed, world.folder, world)
  const commit = parseCommit(printed)
  if (commit === null) throw new Failure(`git showed nothing of ${typed}. Try: git show ${typed}`)
  if (commit.files.length === 0) throw new Failure(`${commit.hash.slice(0, 12)} added no lines, so nobody wrote any`)
  const names = commit.files.map(({ path }) => path)
  return withRecovered({ ...values, names }, world, (recovered) => {
    const told = explain(commit, top, recovered)
    if (told.attributed === 0 && !values.json)
      output.note('clew: no conversation wrote a line of it. Others may be in another place: --root DIR')
    output.page(values.json ? whyJson(told) : whyText(told, output.columns, output.style))
    return 0
  })
}

function explain(commit: Commit, top: string, recovered: Recovered): WhyCommit {
  const folders = [...new Set([top, ...repositoryFolders(top)])]
  const committedMs = timeMs(commit.committedAt) ?? Number.POSITIVE_INFINITY
  const turns = new Map<string, Found>()
  const files = commit.files.map(({ path, added }) => {
    const histories = folders.flatMap((folder) => recovered.histories.get(join(folder, path)) ?? [])
    const writers = writersOf(added, histories, committedMs).filter((one) => one !== null)
    for (const version of writers) note(turns, version, path, recovered)
    return { path, lines: added.length, attributed: writers.length }
  })
  const { hash, author, authoredAt, subject } = commit
  const sum = (pick: (file: (typeof files)[number]) => number): number =>
    files.reduce((all, file) => all + pick(file), 0)
  return {
    commit: hash,
    author,
    authoredAt,
    subject,
    lines: sum((file) => file.lines),
    attributed: sum((file) => file.attributed),
    files,
    turns: [...turns.values()].map(whyTurn).sort((one, other) => other.lines - one.lines),
  }
}

interface Found {
  readonly version: Version
  readonly turn: ReturnType<Recovered['turnOf']>
  readonly files: Set<string>
  lines: number
}

function note(turns: Map<string, Found>, version: Version, path: string, { turnOf }: Recovered): void {
  const turn = turnOf(version.place)
  const key = `${version.place.sessionId} ${turn?.branch ?? ''} ${turn?.turn ?? refOf(version.place)}`
  const found = turns.get(key) ?? { version, turn, files: new Set(), lines: 0 }
  found.files.add(path)
  found.lines++
  turns.set(key, found)
}

function whyTurn({ version, turn, files, lines }: Found): WhyTurn {
  const { sessionId, agentId, timeMs: at } = version.place
  return {
    sessionId,
    agentId,
    turn: turn?.turn ?? null,
    ref: refOf(version.place),
    timeMs: at,
    title: turn?.title ?? null,
    prompt: turn?.prompt ?? null,
    cwd: turn?.cwd ?? null,
    command: turnCommand(sessionId, turn),
    lines,
    files: [...files],
  }
}
