// A command run in this process, with a home, a clock and a terminal of its own, and what it printed.

import { join } from 'node:path'
import type { Command } from '../../src/cli/command.ts'
import { Failure } from '../../src/cli/failure.ts'
import { styleOf } from '../../src/render/style.ts'
import { gate, safeName } from '../../src/render/terminal.ts'
import { newFolder } from './run.ts'

export interface RanHere {
  readonly status: number
  readonly out: string
  readonly err: string
}

const home = newFolder('home')

export async function runHere(
  command: Command,
  words: readonly string[],
  nowMs: number,
  more: Readonly<Record<string, string>> = {},
  folder = home,
): Promise<RanHere> {
  let out = ''
  let err = ''
  const print = (text: string): void => {
    out += `${gate(text, false)}\n`
  }
  const write = (bytes: Uint8Array): void => {
    out += Buffer.from(bytes).toString('utf8')
  }
  const note = (text: string): void => {
    err += `${safeName(text)}\n`
  }
  const world = {
    output: { style: styleOf(false), columns: 140, isTerminal: false, print, page: print, write, note },
    progress: { show: () => undefined, clear: () => undefined },
    environment: { XDG_CACHE_HOME: join(home, 'cache'), CLAUDE_CONFIG_DIR: join(home, 'nothing-here'), ...more },
    home,
    folder,
    nowMs,
  }
  try {
    return { status: await command.run(words, world), out, err }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    note(`clew: ${error.message}`)
    return { status: error.exitCode, out, err }
  }
}
