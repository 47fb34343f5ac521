// Weaving at the end of a first build, by two threads: a worker begins while this one is still busy, and where there is much
// both take the next project until none is left. What is woven is handed on at once: all of it would be too much. The worker
// is started while there is nothing to write yet, and waits.

import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
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
  /** How many of them are taken; and 1 when everything is written that is woven. */
  readonly shared: Int32Array
}

const TAKEN = 0
const BEGUN = 1

/** For the worker: comes back when the first may be taken. */
export function waitForBegin({ shared }: WeaveTask): void {
  Atomics.wait(shared, BEGUN, 0)
}

/** `meanwhile` is what this thread has to do first. */
export async function* weaveInTwo(
  database: Database,
  other: OtherThread,
  { twoWeaveBytes }: IngestSizes,
  meanwhile: () => void,
): AsyncGenerator<WovenProject, void, void> {
  const { task } = other
  // V8 lets a heap grow to three times what is in use, which for the largest project is much.
  setFlagsFromString('--heap-growing-percent=80')
  other.begin()
  meanwhile()
  const chosen = sizeOf(task.stale) < twoWeaveBytes ? [] : untaken(task, 'smallest')
  for (const project of weaveProjects(database, task.stale, { chosen })) {
    yield project
    await setImmediate()
    yield* other.arrived()
  }
  while (await other.isAtWork()) yield* other.arrived()
  yield* other.arrived()
}

/** Each thread takes from its own end, so that two large projects are never in memory at once. */
export function* untaken(
  { stale, shared }: WeaveTask,
  from: 'largest' | 'smallest',
): Generator<StaleProject, void, void> {
  const own = from === 'largest' ? stale : stale.toReversed()
  for (const project of own) {
    if (Atomics.add(shared, TAKEN, 1) >= stale.length) return
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
export class OtherThread {
  readonly task: WeaveTask
  readonly #worker: Worker
  #arrived: WovenProject[] = []
  #isOver = false
  #failure: { readonly error: unknown } | null = null
  #wake: () => void = () => undefined

  constructor(path: string, stale: readonly StaleProject[]) {
    this.task = { path, stale: largestFirst(stale), shared: new Int32Array(new SharedArrayBuffer(8)) }
    this.#worker = new Worker(new URL('../bin/weave-worker.js', import.meta.url), {
      workerData: this.task,
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

  begin(): void {
    Atomics.store(this.task.shared, BEGUN, 1)
    Atomics.notify(this.task.shared, BEGUN)
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
