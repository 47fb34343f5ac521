// Starts the client without a shell, hands it a text and takes what it prints. The only program that prose starts, and
// the only process it ever ends.

import { spawn } from 'node:child_process'
import { ProseError } from './prose-error.ts'

export interface Run {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly input: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Ran {
  /** By itself, by us, or not begun because there is no such program. */
  readonly end: 'ended' | 'killed' | 'missing'
  readonly exitCode: number | null
  readonly output: string
  readonly errorOutput: string
}

const OUTPUT_LENGTH_MAX = 4 << 20
/** From asking it to end to making it. */
const GRACE_MS = 2000

export function runClaude({ words, environment, folder, input, timeoutMs, signal }: Run): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn('claude', words, { cwd: folder, env: { ...environment }, stdio: 'pipe', windowsHide: true })
    const texts = { output: '', errorOutput: '' }
    let isKilled = false
    let tooLong = false
    let grace: NodeJS.Timeout | undefined
    const kill = (): void => {
      isKilled = true
      child.kill('SIGTERM')
      grace ??= setTimeout(() => {
        child.kill('SIGKILL')
        // What the client itself has started may hold on to the pipes, and is nobody of ours to end.
        child.stdout.destroy()
        child.stderr.destroy()
      }, GRACE_MS)
    }
    const timer = setTimeout(kill, timeoutMs)
    const finish = (): void => {
      clearTimeout(timer)
      clearTimeout(grace)
      signal.removeEventListener('abort', kill)
      process.off('exit', kill)
    }
    const take = (name: keyof typeof texts) => (text: string) => {
      texts[name] += text
      if (texts[name].length <= OUTPUT_LENGTH_MAX) return
      texts[name] = ''
      tooLong = true
      kill()
    }
    child.stdout.setEncoding('utf8').on('data', take('output'))
    child.stderr.setEncoding('utf8').on('data', take('errorOutput'))
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish()
      if (error.code === 'ENOENT') resolve({ end: 'missing', exitCode: null, ...texts })
      else reject(new ProseError('setup', `claude cannot be started (${error.code ?? error.message})`))
    })
    child.once('close', (exitCode) => {
      finish()
      if (tooLong) reject(new ProseError('lasting', 'Claude Code printed more than any answer is'))
      else resolve({ end: isKilled ? 'killed' : 'ended', exitCode, ...texts })
    })
    signal.addEventListener('abort', kill)
    // Nobody would read what it still has to say.
    process.once('exit', kill)
    if (signal.aborted) kill()
    // A program that ends without reading breaks the pipe; how it ended tells more than that.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(input)
  })
}
