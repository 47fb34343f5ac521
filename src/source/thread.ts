// Threads, and flags of V8 while they run, which hold for all threads. Node brings compiled code of its own parts, and V8
// takes none of it while a flag is not as usual: a thread would take 47 ms to start instead of 22. So what a command began
// with is put back before a thread is started, flags are set when all have started, and are as usual again behind the last.

import { setFlagsFromString } from 'node:v8'
import type { WorkerOptions } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import { isLate, optimiseAsUsual, optimiseLate } from './optimising.ts'

export type ThreadName = 'worker' | 'ingest-worker' | 'weave-worker' | 'scan-worker' | 'index-worker'

export interface Flag {
  readonly name: string
  readonly value: number | boolean
  /** What V8 has without us. */
  readonly usual: number | boolean
}

export interface ThreadOptions extends WorkerOptions {
  readonly flags?: readonly Flag[]
  /** How large its heap may become before V8 looks through all of it. */
  readonly heapMb?: number
  /** It works for so long that fast code pays. */
  readonly isLong?: boolean
}

/** A thread may not be started, or has ended before its work: whoever started it does what is left. */
export class ThreadEnded extends Error {}

const starting = new Set<Worker>()
const flagsOf = new Map<Worker, readonly Flag[]>()
let wasLate = false

export function startThread(name: ThreadName, options: ThreadOptions = {}): Worker {
  const { flags = [], heapMb, isLong = false, ...rest } = options
  wasLate = (wasLate || isLate()) && !isLong
  optimiseAsUsual(setFlagsFromString)
  const make = (): Worker => newWorker(new URL(`../bin/${name}.js`, import.meta.url), rest)
  const thread = heapMb === undefined ? make() : withHeap(heapMb, make)
  starting.add(thread)
  flagsOf.set(thread, flags)
  thread.once('online', () => hasStarted(thread))
  thread.once('exit', () => {
    flagsOf.delete(thread)
    for (const { name: flag, usual } of flags) if (!isWanted(flag)) setFlag(flag, usual)
    hasStarted(thread)
  })
  return thread
}

/** It fails at once where the system lets a process have no more threads. */
function newWorker(path: URL, options: WorkerOptions): Worker {
  try {
    return new Worker(path, options)
  } catch (error) {
    throw new ThreadEnded('a thread could not be started', { cause: error })
  }
}

/**
 * V8 lets a new heap grow by some megabytes and looks through all of it, again and again while it is young. What it finds no
 * object of then, though there will be some again at once, it forgets the fast code for: a sixth of that was made twice. A
 * thread takes the flag when it makes its heap, which is the first thing it does; should it be late, it is as usual.
 */
function withHeap(heapMb: number, make: () => Worker): Worker {
  setFlag('initial-heap-size', heapMb)
  try {
    const thread = make()
    Atomics.wait(NOBODY, 0, 0, HEAP_MS)
    return thread
  } finally {
    setFlag('initial-heap-size', 0)
  }
}

const HEAP_MS = 1
/** Nobody ever wakes us. */
const NOBODY = new Int32Array(new SharedArrayBuffer(4))

function hasStarted(thread: Worker): void {
  if (!starting.delete(thread) || starting.size > 0) return
  for (const { name, value } of [...flagsOf.values()].flat()) setFlag(name, value)
  if (wasLate) optimiseLate(setFlagsFromString)
  wasLate = false
}

function isWanted(flag: string): boolean {
  return [...flagsOf.values()].flat().some(({ name }) => name === flag)
}

function setFlag(name: string, value: number | boolean): void {
  setFlagsFromString(typeof value === 'number' ? `--${name}=${value}` : `--${value ? '' : 'no-'}${name}`)
}
