// Threads, and flags of V8 while they run, which hold for all of them. Node brings compiled code of its own parts, and V8
// takes none of it while a flag is not as usual: a thread would take 47 ms to start instead of 22. So what a command began
// with is put back before the first thread is started, and flags are set when all have started.

import { setFlagsFromString } from 'node:v8'
import type { WorkerOptions } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { isLate, optimiseAsUsual, optimiseLate } from './optimising.ts'

export type ThreadName = 'worker' | 'ingest-worker' | 'weave-worker' | 'scan-worker' | 'index-worker'

export interface ThreadOptions extends WorkerOptions {
  readonly flags?: readonly string[]
  /** It works for so long that fast code pays. */
  readonly isLong?: boolean
}

const starting = new Set<Worker>()
const wanted = new Set<() => void>()

export function startThread(name: ThreadName, options: ThreadOptions = {}): Worker {
  const { flags = [], isLong = false, ...rest } = options
  if (isLate() && !isLong) wanted.add(() => optimiseLate(setFlagsFromString))
  for (const flag of flags) wanted.add(() => setFlagsFromString(flag))
  optimiseAsUsual(setFlagsFromString)
  const thread = new Worker(new URL(`../bin/${name}.js`, import.meta.url), rest)
  starting.add(thread)
  const hasStarted = (): void => {
    starting.delete(thread)
    if (starting.size > 0) return
    for (const set of wanted) set()
    wanted.clear()
  }
  thread.once('online', hasStarted)
  thread.once('exit', hasStarted)
  return thread
}
