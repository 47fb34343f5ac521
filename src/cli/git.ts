// Git, asked to show something. It is told not to run anything in turn: no pager, no diff or signature programs, no
// file-system monitor, no fetching of what is missing; and it writes nothing.

import { spawnSync } from 'node:child_process'
import { COMMIT_FORMAT } from '../recover/commit.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'

const QUIET = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'log.showSignature=false',
]
const SHOW = [
  'show',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--no-notes',
  '--first-parent',
  '-m',
  '--find-renames',
  '--unified=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  `--format=${COMMIT_FORMAT}`,
]

export interface ShownCommit {
  readonly top: string
  readonly printed: string
}

export function showCommit(typed: string, folder: string, world: World): ShownCommit {
  if (typed.startsWith('-')) throw new Failure(`“${typed}” is no commit. Try: clew why HEAD`)
  const top = ask(['rev-parse', '--show-toplevel'], folder, world)
  if (top === null)
    throw new Failure(`${folder} is in no git repository. Go into one: cd <repository> && clew why ${typed}`)
  const hash = ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${typed}^{commit}`], folder, world)
  if (hash === null)
    throw new Failure(`there is no commit “${typed}” here. Try: git log --oneline, and clew why <hash>`)
  const printed = ask([...SHOW, hash.trim(), '--'], folder, world)
  if (printed === null) throw new Failure(`git cannot show ${hash.trim()}. Try: git fsck`)
  return { top: top.replace(/\n$/, ''), printed }
}

const BYTES_MAX = 1 << 28

/** Null when git says no. */
function ask(words: readonly string[], folder: string, { environment }: World): string | null {
  const env = { ...environment, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' }
  const { error, status, stdout } = spawnSync('git', [...QUIET, ...words], { cwd: folder, env, maxBuffer: BYTES_MAX })
  if (error !== undefined) throw new Failure(`git cannot be run: ${error.message}`)
  return status === 0 ? stdout.toString('utf8') : null
}
