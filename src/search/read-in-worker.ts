// Reading and writing side by side: a worker parses, this thread hands what comes to SQLite. The worker is kept from
// running ahead, so that memory stays bounded whatever the archive holds.

import type { Worker } from 'node:worker_threads'
import type { Flag } from '../source/thread.ts'
import { startThread, ThreadEnded } from '../source/thread.ts'
import type { Batch } from './batch.ts'
import type { Ring } from './doc-room.ts'
import { giveBack, newRing } from './doc-room.ts'
import type { WorkFile } from './plan.ts'
import type { IngestSizes } from './sizes.ts'

export interface ReadTask {
  readonly work: readonly WorkFile[]
  /** How many bytes were handed over and not written yet. */
  readonly waiting: Int32Array
  /** Where docs are handed over. */
  readonly ring: Ring
  readonly sizes: IngestSizes
}

export interface ReadAnswer {
  readonly index: number
  readonly batch: Batch
}

/**
 * V8 makes fast code for each thread anew, beside all of them: a fifth of the processor time of a first build. Where it puts
 * fewer functions into each other, the whole build takes some 8 % less, and 2 % where it does not write the beginning of a
 * loop twice. And where each thread collects its own garbage instead of waking others, which have enough to do, it takes
 * some 5 % less.
 */
const FLAGS: readonly Flag[] = [
  { name: 'max-inlined-bytecode-size-cumulative', value: 50, usual: 920 },
  { name: 'turbo-loop-peeling', value: false, usual: true },
  { name: 'parallel-scavenge', value: false, usual: true },
  { name: 'concurrent-sweeping', value: false, usual: true },
]

const HEAP_MB = 32

const AHEAD_BYTES = 8 << 20
/** With the message that went beyond it. */
const ROOM_BYTES = 12 << 20

export function mayReadOn(waiting: Int32Array): void {
  for (let bytes = Atomics.load(waiting, 0); bytes > AHEAD_BYTES; bytes = Atomics.load(waiting, 0)) {
    Atomics.wait(waiting, 0, bytes, 1000)
  }
}

/** What a Batch weighs while it waits: its docs, its Envelopes, and something for what has no bytes of its own. */
export function weightOf({ docs: { texts, numbers, places }, pages }: Batch): number {
  const docBytes = texts.byteLength + numbers.byteLength + places.byteLength
  return docBytes + pages.reduce((sum, page) => sum + page.length, 0) + 1024
}

/** Starts at once; what it reads is lost unless `readInto` is called before anything else can happen. */
export class ReadingThread {
  readonly #worker: Worker
  readonly #waiting = new Int32Array(new SharedArrayBuffer(4))
  readonly #ring = newRing(ROOM_BYTES)
  #hasFailed = false
  #fail: (error: unknown) => void = () => undefined

  constructor(work: readonly WorkFile[], sizes: IngestSizes) {
    this.#worker = startThread('ingest-worker', {
      workerData: { work, waiting: this.#waiting, ring: this.#ring, sizes } satisfies ReadTask,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
      heapMb: HEAP_MB,
      flags: FLAGS,
      isLong: true,
    })
    const end = (cause?: unknown): void =>
      this.#fail(new ThreadEnded('the thread that reads has ended before its work', { cause }))
    this.#worker.on('error', end)
    this.#worker.on('exit', () => end())
  }

  readInto(write: (index: number, batch: Batch) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = (error) => {
        this.#hasFailed = true
        reject(error)
      }
      this.#worker.on('message', (answers: readonly ReadAnswer[] | null) => {
        // What was under way when something failed comes all the same, and belongs to a transaction that is over.
        if (this.#hasFailed) return
        try {
          if (answers === null) resolve()
          else this.#write(answers, write)
        } catch (error) {
          this.#fail(error)
        }
      })
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #write(answers: readonly ReadAnswer[], write: (index: number, batch: Batch) => void): void {
    for (const { index, batch } of answers) {
      write(index, batch)
      giveBack(this.#ring, batch.docs.taken)
      Atomics.sub(this.#waiting, 0, weightOf(batch))
      Atomics.notify(this.#waiting, 0)
    }
  }
}
