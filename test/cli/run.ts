// The built command, run as a person would run it: a process of its own, a home folder of its own, bytes out.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))
export const sample = join(projectFolder, 'sample')

/** Another build can be named, to try one out while this one is being rebuilt. */
export const command = process.env['CLEW_COMMAND'] ?? join(projectFolder, 'dist', 'bin', 'clew.js')

export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
  readonly outBytes: Buffer
  readonly errBytes: Buffer
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly uid?: number
}

const scratch = mkdtempSync(join(tmpdir(), 'clew-cli-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A new empty folder that is gone after the tests of this file. */
export function newFolder(name = 'folder'): string {
  return mkdtempSync(join(scratch, `${name}-`))
}

const home = newFolder('home')

export function environment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, CLAUDE_CONFIG_DIR: join(home, 'nothing-here'), TZ: 'UTC', ...more }
}

export function clew(words: readonly string[], options: RunOptions = {}): Ran {
  const { cwd = home, env = {}, uid } = options
  const identity = uid === undefined ? {} : { uid, gid: uid }
  const ran = spawnSync(process.execPath, [command, ...words], {
    cwd,
    env: environment({ NO_COLOR: '1', ...env }),
    maxBuffer: 1 << 28,
    timeout: 60_000,
    ...identity,
  })
  if (ran.error !== undefined) throw ran.error
  const { status, stdout, stderr } = ran
  return { status, out: stdout.toString(), err: stderr.toString(), outBytes: stdout, errBytes: stderr }
}

/** What a program would read: one JSON value a line, from a command that must have worked. */
export function clewJson<Value>(words: readonly string[], options: RunOptions = {}): readonly Value[] {
  const { out, err, status } = clew([...words, '--json'], options)
  if (err !== '' || status === null || status > 1) throw new Error(`clew ${words.join(' ')}: ${status} ${err}`)
  return linesOf(out).map((line) => JSON.parse(line) as Value)
}

export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
