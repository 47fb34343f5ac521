// Weaving beside reading, in a first build: a project goes to a third thread when everything of it is written, which for
// most is long before the last record. That thread has no index. It is given what the index holds of a project, committed
// or not, and gives back its rows.

import type { Worker } from 'node:worker_threads'
import { startThread } from '../source/thread.ts'
import type { Database } from './database.ts'
import { layoutStamps } from './layouts.ts'
import type { KnownFile, WorkFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import type { StaleProject } from './stale.ts'
import type { StoredFile } from './stored.ts'
import { storedFile } from './stored.ts'
import type { WovenProject } from './weave.ts'
import { isRead } from './weave.ts'

/** A project, and all that it is woven from. */
export interface WeaveTask {
  readonly stale: StaleProject
  readonly known: ReadonlyMap<string, KnownFile>
  /** By the numbers of files. */
  readonly stored: ReadonlyMap<number, StoredFile>
  readonly stamps: ReadonlyMap<number, string>
}

interface Waiting {
  readonly stale: StaleProject
  /** How many of the files are written when the last of its own is. */
  readonly afterFiles: number
}

/** What lies ready for it while this thread has other things to do: all that there is would be too much. */
const AHEAD_BYTES = 8 << 20

/** V8 lets a heap grow to three times what is in use, which for the largest project is much. */
const FLAGS = ['--heap-growing-percent=100']

export class WeaveAhead {
  readonly #database: Database
  readonly #waiting: Waiting[]
  readonly #worker: Worker
  #writtenFiles = 0
  /** What those weigh that have not come back. */
  readonly #sent: number[] = []
  #arrived: WovenProject[] = []
  #failure: { readonly error: unknown } | null = null
  #wake: () => void = () => undefined

  /** `work` in the order in which it is read. */
  constructor(database: Database, stale: readonly StaleProject[], work: readonly WorkFile[]) {
    this.#database = database
    this.#worker = this.#start()
    const places = new Map(work.map(({ file }, index) => [file.path, index]))
    this.#waiting = stale
      .map((one) => {
        const last = Math.max(-1, ...one.project.files.map(({ path }) => places.get(path) ?? -1))
        return { stale: one, afterFiles: last + 1 }
      })
      .sort((one, other) => one.afterFiles - other.afterFiles)
  }

  /** So many of the files are written. Gives what was woven meanwhile. */
  written(files: number): readonly WovenProject[] {
    this.#writtenFiles = Math.max(this.#writtenFiles, files)
    if (this.#failure !== null) throw this.#failure.error
    const arrived = this.#arrived
    this.#arrived = []
    this.#sent.splice(0, arrived.length)
    this.#send()
    return arrived
  }

  /** When everything is written. */
  async *rest(): AsyncGenerator<WovenProject, void, void> {
    do {
      yield* this.written(Number.POSITIVE_INFINITY)
      if (this.#sent.length > 0 && this.#arrived.length === 0 && this.#failure === null)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    } while (this.#sent.length > 0)
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #send(): void {
    while (sum(this.#sent) < AHEAD_BYTES) {
      const next = this.#waiting[0]
      if (next === undefined || next.afterFiles > this.#writtenFiles) return
      this.#waiting.shift()
      const task = taskOf(this.#database, next.stale)
      if (task === null) continue
      this.#worker.postMessage(task)
      this.#sent.push(weightOf(task))
    }
  }

  #start(): Worker {
    const worker = startThread('weave-worker', {
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
      flags: FLAGS,
      isLong: true,
    })
    worker.on('message', (project: WovenProject) => {
      this.#arrived.push(project)
      this.#wake()
    })
    const fail = (error: unknown): void => {
      this.#failure ??= { error }
      this.#wake()
    }
    worker.on('error', fail)
    worker.on('messageerror', fail)
    worker.on('exit', () => fail(new Error('the thread that weaves has ended before its work')))
    return worker
  }
}

function taskOf(database: Database, stale: StaleProject): WeaveTask | null {
  const known = knownFiles(database, stale.project.files)
  if (!isRead(stale, known)) return null
  const stampOf = layoutStamps(database)
  const stored = new Map<number, StoredFile>()
  const stamps = new Map<number, string>()
  for (const { id } of known.values()) {
    const file = storedFile(database, id)
    const stamp = stampOf(id)
    if (file !== null) stored.set(id, file)
    if (stamp !== undefined) stamps.set(id, stamp)
  }
  return { stale, known, stored, stamps }
}

function weightOf({ stored }: WeaveTask): number {
  return sum([...stored.values()].map(({ state, pages }) => state.length + sum(pages.map(({ length }) => length))))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
