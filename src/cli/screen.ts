// The whole screen of a terminal, borrowed and given back as it was: on the normal way out, on an exception, on every
// signal that can be caught, and while the process is suspended. Content passes the gate; the control sequences below
// are the only others that are written.

import type { ReadStream, WriteStream } from 'node:tty'
import type { ScreenFrame, ScreenLine, ScreenSize } from '../render/piece.ts'
import { gate } from '../render/terminal.ts'

export interface Screen {
  readonly size: () => ScreenSize
  /** Writes what has changed since the last frame, at once. */
  readonly draw: (frame: ScreenFrame) => void
  /** The next frame is written whole. */
  readonly forget: () => void
  /** Gives the terminal back to the shell until that brings the process to the foreground again. */
  readonly suspend: () => void
  readonly close: () => void
}

export interface ScreenListener {
  readonly read: (bytes: Uint8Array) => void
  /** The size is another one, or the screen was away: it has to be drawn. */
  readonly changed: () => void
  /** There is no terminal any more. */
  readonly gone: () => void
}

const ESC = '\u001b['
// The alternate screen, no wrapping at the margin, pastes in brackets.
const ENTER = `${ESC}?1049h${ESC}?7l${ESC}?2004h`
const LEAVE = `${ESC}0m${ESC}?2004l${ESC}?7h${ESC}?25h${ESC}?1049l`
const HIDE_CURSOR = `${ESC}?25l`
const SHOW_CURSOR = `${ESC}?25h`
const CLEAR_SCREEN = `${ESC}2J`
const CLEAR_TO_END = `${ESC}K`
const moveTo = (row: number, column: number): string => `${ESC}${row + 1};${column + 1}H`

const isWindows = process.platform === 'win32'
const DEADLY: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(isWindows ? [] : ['SIGQUIT' as const])]
/** A process whose group nobody waits for is not stopped by SIGTSTP; then it goes on after this. */
const STOP_PATIENCE_MS = 100

export function openScreen(
  input: ReadStream,
  output: WriteStream,
  hasColours: boolean,
  listener: ScreenListener,
): Screen {
  const wasRaw = input.isRaw
  let isOpen = true
  let isEntered = false
  /** What stands in each row; null when that is not known. */
  let shown: readonly string[] | null = null

  const enter = (): void => {
    // First the mode: a process in the background is stopped here, before it has written anything.
    input.setRawMode(true)
    isEntered = true
    shown = null
    output.write(ENTER)
  }
  const restore = (): void => {
    if (!isEntered) return
    isEntered = false
    output.write(LEAVE)
    input.setRawMode(wasRaw)
  }
  const stop = (target: number): void => {
    if (isWindows) return
    restore()
    // Without a listener the signal does what it does to any program.
    process.off('SIGTSTP', stopped)
    process.kill(target, 'SIGTSTP')
    setTimeout(wake, STOP_PATIENCE_MS)
  }
  const wake = (): void => {
    if (!isOpen || isEntered) return
    process.on('SIGTSTP', stopped)
    enter()
    // Nobody tells a process in the background about a new size. This makes Node look, and then it is drawn.
    process.once('SIGWINCH', listener.changed)
    process.kill(process.pid, 'SIGWINCH')
  }
  const stopped = (): void => stop(process.pid)
  const resized = (): void => {
    shown = null
    listener.changed()
  }
  const die = (signal: NodeJS.Signals): void => {
    close()
    // Again, and now without us: whoever waits for the process learns what ended it.
    process.kill(process.pid, signal)
  }
  const close = (): void => {
    restore()
    if (!isOpen) return
    isOpen = false
    input.off('data', listener.read).off('end', listener.gone).off('error', listener.gone).pause()
    output.off('resize', resized).off('error', listener.gone)
    process.off('exit', restore).off('uncaughtExceptionMonitor', restore)
    process.off('SIGTSTP', stopped).off('SIGCONT', wake).off('SIGWINCH', listener.changed)
    for (const signal of DEADLY) process.off(signal, die)
  }

  // A terminal that goes away answers with errors, also after the screen was closed. Nobody is left to be told.
  for (const stream of [input, output])
    if (!stream.listeners('error').includes(ignoreError)) stream.on('error', ignoreError)
  input.on('data', listener.read).on('end', listener.gone).on('error', listener.gone)
  output.on('resize', resized).on('error', listener.gone)
  // Before the stack of an exception is printed, so that it does not go away with the screen.
  process.on('exit', restore).on('uncaughtExceptionMonitor', restore)
  if (!isWindows) process.on('SIGTSTP', stopped).on('SIGCONT', wake)
  for (const signal of DEADLY) process.on(signal, die)
  enter()

  return {
    // A terminal that does not know its size says 0.
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw: (frame) => {
      if (!isEntered) return
      const lines = Array.from({ length: output.rows || 24 }, (_, row) =>
        lineText(frame.lines[row] ?? [], row, hasColours),
      )
      const changed = lines.map((line, row) => (shown?.[row] === line ? '' : line))
      const { cursor } = frame
      const after = cursor === null ? '' : moveTo(cursor.row, cursor.column) + SHOW_CURSOR
      output.write(HIDE_CURSOR + (shown === null ? CLEAR_SCREEN : '') + changed.join('') + after)
      shown = lines
    },
    forget: () => {
      shown = null
    },
    // The whole job, as the terminal itself would do it.
    suspend: () => stop(0),
    close,
  }
}

/** Each piece clears what is right of it: the one before may be wider on this terminal than we think. */
function lineText(line: ScreenLine, row: number, hasColours: boolean): string {
  const start = moveTo(row, 0) + CLEAR_TO_END
  return start + line.map(({ column, text }) => moveTo(row, column) + CLEAR_TO_END + gate(text, hasColours)).join('')
}

function ignoreError(): void {
  // Told by `gone` while the screen is open.
}
