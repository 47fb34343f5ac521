// Weaving at the end of a first build, by two threads: a worker begins while this one is still busy, and where there is much
// both take the next project until none is left. What is woven is handed on at once: all of it would be too much.

import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Database } from './database.ts'
import type { IngestSizes } from './sizes.ts'
import type { StaleProject } from './stale.ts'
import type { WovenProject } from './weave.ts'
import { weaveProjects } from './weave.ts'

export interface WeaveTask {
  readonly path: string
  /** The largest first. */
  readonly stale: readonly StaleProject[]
  /** How many of them are taken. */
  readonly taken: Int32Array
}

/** `meanwhile` is what this thread has to do first. */
export async function* weaveInTwo(
  database: Database,
  path: string,
  stale: readonly StaleProject[],
  { twoWeaveBytes }: IngestSizes,
  meanwhile: () => void,
): AsyncGenerator<WovenProject, void, void> {
  const task = { path, stale: largestFirst(stale), taken: new Int32Array(new SharedArrayBuffer(4)) }
  const other = new OtherThread(task)
  try {
    meanwhile()
    const chosen = sizeOf(stale) < twoWeaveBytes ? [] : untaken(task, 'smallest')
    for (const project of weaveProjects(database, task.stale, { chosen })) {
      yield project
      await setImmediate()
      yield* other.arrived()
    }
    while (await other.isAtWork()) yield* other.arrived()
    yield* other.arrived()
  } finally {
    await other.end()
  }
}

/** Each thread takes from its own end, so that two large projects are never in memory at once. */
export function* untaken(
  { stale, taken }: WeaveTask,
  from: 'largest' | 'smallest',
): Generator<StaleProject, void, void> {
  const own = from === 'largest' ? stale : stale.toReversed()
  for (const project of own) {
    if (Atomics.add(taken, 0, 1) >= stale.length) return
    yield project
  }
}

function sizeOf(stale: readonly StaleProject[]): number {
  return stale.reduce((all, { project }) => project.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, all), 0)
}

function largestFirst(stale: readonly StaleProject[]): readonly StaleProject[] {
  const sizes = new Map(stale.map((one) => [one, sizeOf([one])]))
  return [...stale].sort((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0))
}

/** The worker posts one project after the other, and null behind the last. */
class OtherThread {
  readonly #worker: Worker
  #arrived: WovenProject[] = []
  #isOver = false
  #failure: { readonly error: unknown } | null = null
  #wake: () => void = () => undefined

  constructor(task: WeaveTask) {
    this.#worker = new Worker(new URL('./weave-worker.js', import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    })
    this.#worker.on('message', (project: WovenProject | null) => {
      if (project === null) this.#isOver = true
      else this.#arrived.push(project)
      this.#wake()
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('messageerror', (error) => this.#fail(error))
    this.#worker.on('exit', () => {
      if (!this.#isOver) this.#fail(new Error('the thread that weaves has ended before its work'))
    })
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  arrived(): readonly WovenProject[] {
    const all = this.#arrived
    this.#arrived = []
    return all
  }

  /** Comes back when something has arrived, or nothing will any more. */
  async isAtWork(): Promise<boolean> {
    if (this.#arrived.length === 0 && !this.#isOver && this.#failure === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#failure !== null) throw this.#failure.error
    return !this.#isOver
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
