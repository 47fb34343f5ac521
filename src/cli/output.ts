// The only place that prints. Everything goes through the terminal gate; a reader that closes its end is no error.

import { writeSync } from 'node:fs'
import type { Style } from '../render/style.ts'
import { styleOf } from '../render/style.ts'
import { gate, safeName } from '../render/terminal.ts'
import { widthOf } from '../render/width.ts'

export interface Output {
  readonly style: Style
  readonly columns: number
  readonly isTerminal: boolean
  /** A line, or several, to standard output. */
  readonly print: (text: string) => void
  /** The same, through a pager when a person is watching and it does not fit on the screen. */
  readonly page: (text: string) => void
  /** The bytes of a file to standard output, as they are; made safe where a person would see them. */
  readonly write: (bytes: Uint8Array) => void
  /** One line to standard error, whatever the text holds. */
  readonly note: (text: string) => void
}

export interface Terminal {
  readonly isTerminal: boolean
  readonly isErrorTerminal: boolean
  readonly columns: number
  readonly rows: number
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function openOutput(terminal: Terminal): Output {
  const hasColours = wantsColours(terminal)
  const print = (text: string): void => writeAll(1, `${gate(text, hasColours)}\n`)
  return {
    style: styleOf(hasColours),
    columns: terminal.columns,
    isTerminal: terminal.isTerminal,
    print,
    page: (text) => {
      if (!terminal.isTerminal || fits(text, terminal) || !runPager(gate(text, hasColours), terminal.environment))
        print(text)
    },
    write: (bytes) => {
      if (terminal.isTerminal) print(Buffer.from(bytes).toString('utf8'))
      else writeAll(1, bytes)
    },
    note: (text) => writeAll(2, `${safeName(text)}\n`),
  }
}

function wantsColours({ isTerminal, environment }: Terminal): boolean {
  if (environment['NO_COLOR']) return false
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined && forced !== '0' && forced !== 'false') return true
  return isTerminal && environment['TERM'] !== 'dumb'
}

/** Long lines take several rows. */
function fits(text: string, { rows, columns }: Terminal): boolean {
  let used = 0
  for (const line of text.split('\n')) {
    const printed = line.replace(/\u001b\[[\d;]*m/g, '')
    used += Math.max(1, Math.ceil(widthOf(printed, rows * columns) / columns))
    if (used >= rows) return false
  }
  return true
}

function runPager(text: string, environment: Terminal['environment']): boolean {
  const chosen = environment['CLEW_PAGER'] ?? environment['PAGER'] ?? 'less'
  if (chosen === '' || chosen === 'cat') return false
  const [command = 'less', ...rest] = chosen.split(' ').filter((word) => word !== '')
  const settings = { ...environment, LESS: environment['LESS'] ?? 'FRX' } as NodeJS.ProcessEnv
  // Loaded here, because most commands never start one.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const ran = spawnSync(command, rest, { input: text, stdio: ['pipe', 'inherit', 'inherit'], env: settings })
  // Whoever leaves the pager early closes the pipe; printing everything once more would be the wrong answer.
  return ran.error === undefined || ('code' in ran.error && ran.error.code === 'EPIPE')
}

/** Pipes may take less than is offered, or be closed by the reader: `clew list | head` is ordinary use. */
function writeAll(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
        continue
      }
      if (code === 'EPIPE') process.exit(0)
      throw error
    }
  }
}
