// A terminal of its own for the picker: a private tmux server, a shell in it, and the picker started from that shell, so
// that one sees what is left when it has gone.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, environment, newFolder, projectFolder, sample } from './run.ts'

export const hasTmux = spawnSync('tmux', ['-V']).error === undefined
const dist = dirname(dirname(command))
/** An old build would only be found out by waiting in vain. */
export const isBuilt = existsSync(join(dist, 'cli', 'picker.js'))

export interface Pane {
  /** Keys as tmux names them: `Enter`, `C-z`, `tide`. */
  readonly send: (...keys: readonly string[]) => void
  readonly start: (mode?: string) => void
  readonly resize: (columns: number, rows: number) => void
  readonly paste: (text: string) => void
  readonly lines: () => readonly string[]
  readonly hasColours: () => boolean
  /** The screen, as soon as it shows this; fails with the screen when it never does. */
  readonly see: (what: string | RegExp) => Promise<readonly string[]>
  /** `1 0`: the alternate screen is on, the cursor hidden. */
  readonly state: () => string
  readonly pid: () => number
  readonly close: () => void
}

let opened = 0

export function openPane(columns: number, rows: number, env: Readonly<Record<string, string>> = {}): Pane {
  const socket = `clew-${process.pid}-${opened++}`
  const pidFile = join(newFolder(), 'pid')
  const settings = environment({ LANG: 'C.UTF-8', TERM: 'xterm-256color', TMUX_TMPDIR: newFolder(), ...env })
  const tmux = (...words: readonly string[]): string => {
    const ran = spawnSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...words], {
      env: settings,
      encoding: 'utf8',
    })
    return ran.stdout.replace(/\n$/, '')
  }
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'sh -i')
  const lines = (): readonly string[] => tmux('capture-pane', '-p').split('\n')
  const runner = join(projectFolder, 'test', 'cli', 'picker-runner.mjs')
  return {
    send: (...keys) => void tmux('send-keys', ...keys),
    start: (mode = '') =>
      void tmux(
        'send-keys',
        `clear; '${process.execPath}' '${runner}' '${dist}' '${sample}' '${pidFile}' ${mode}`,
        'Enter',
      ),
    resize: (wide, high) => void tmux('resize-window', '-x', String(wide), '-y', String(high)),
    paste: (text) => {
      tmux('set-buffer', text)
      tmux('paste-buffer', '-p')
    },
    lines,
    hasColours: () => tmux('capture-pane', '-p', '-e').includes('\u001b['),
    see: async (what) => {
      const end = Date.now() + 15_000
      for (;;) {
        const screen = lines()
        const text = screen.join('\n')
        if (typeof what === 'string' ? text.includes(what) : what.test(text)) return screen
        if (Date.now() > end) throw new Error(`no ${what} on this screen:\n${text}`)
        await sleep(40)
      }
    },
    state: () => tmux('display', '-p', '#{alternate_on} #{cursor_flag}'),
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    close: () => void tmux('kill-server'),
  }
}
