// A writer in a process of its own, and what it was promised before it came to its end, or to ours.

import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { command, environment, projectFolder } from '../cli/run.ts'

export interface WriterOptions {
  readonly root: string
  readonly id: string
  readonly name: string
  readonly cwd: string
  readonly producers: number
  /** Zero for as long as it lives. */
  readonly count: number
  readonly sizes: readonly number[]
}

export interface Ack {
  readonly uuid: string
  readonly number: number
  readonly length: number
}

export interface WriterKill {
  /** Since it was started, or since it had opened its session. */
  readonly from: 'start' | 'ready'
  readonly afterMs: number
}

export interface WriterRun {
  readonly acks: readonly Ack[]
  readonly isReady: boolean
}

export async function runWriter({ root, id, ...given }: WriterOptions, kill: WriterKill | null): Promise<WriterRun> {
  const script = join(projectFolder, 'test', 'store', 'killed-writer.mjs')
  const words = [script, join(dirname(command), '..'), root, id, JSON.stringify(given)]
  const child = spawn(process.execPath, words, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, out] = ['', '']
  child.stderr.on('data', (bytes) => (said += bytes))
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (bytes) => {
      out += bytes
      if (out.startsWith('ready\n')) resolve()
    }),
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)))
  if (kill?.from === 'ready') await Promise.race([ready, ended])
  if (kill !== null) {
    await Promise.race([setTimeout(kill.afterMs), ended])
    child.kill('SIGKILL')
  }
  const status = await ended
  // Null is ours; anything else is a writer that gave up.
  if (status !== null && (status !== 0 || kill !== null || said !== '')) throw new Error(`a writer said: ${said}`)
  // A line it did not finish was no promise yet.
  const lines = out.slice(0, out.lastIndexOf('\n') + 1).split('\n')
  const acks = lines.flatMap((line) => {
    const [uuid = '', number, length] = line.split(' ')
    return length === undefined ? [] : [{ uuid, number: Number(number), length: Number(length) }]
  })
  return { acks, isReady: out.startsWith('ready\n') }
}

/** What a record says, as killed-writer.mjs made it. */
export function wordsOf(name: string, { number, length }: Ack): string {
  return `${name}#${number}:`.padEnd(length, 'the tide comes in and goes out again ')
}
