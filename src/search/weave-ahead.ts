// Weaving beside reading, in a first build: a project goes to a third thread when everything of it is written, which for
// an old one is long before the last record. That thread has no index. It is given what the index holds of a project, committed
// or not, and gives back its rows.

import type { Worker } from 'node:worker_threads'
import type { Flag } from '../source/thread.ts'
import { startThread } from '../source/thread.ts'
import type { ConversationRow } from './conversation-rows.ts'
import type { Database } from './database.ts'
import { layoutStamps } from './layouts.ts'
import type { KnownFile, WorkFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import type { StaleProject } from './stale.ts'
import { asRead } from './stale.ts'
import type { StoredFile } from './stored.ts'
import { storedFile } from './stored.ts'
import type { WovenProject } from './weave.ts'
import { weaveProjects } from './weave.ts'

/** A project, and all that it is woven from. */
export interface WeaveTask {
  readonly stale: StaleProject
  readonly known: ReadonlyMap<string, KnownFile>
  /** By the numbers of files. */
  readonly stored: ReadonlyMap<number, StoredFile>
  readonly stamps: ReadonlyMap<number, string>
}

export type WeaveAnswer = readonly (readonly [number, ConversationRow | null])[]

interface Waiting {
  readonly stale: StaleProject
  /** How many of the files are written when the last of its own is. */
  readonly afterFiles: number
}

interface Sent {
  readonly stale: StaleProject
  readonly weight: number
}

/** What lies ready for it while this thread has other things to do: all that there is would be too much. */
const AHEAD_BYTES = 8 << 20

/** V8 lets a heap grow to several times what is in use, which for the largest project is much. */
const FLAGS: readonly Flag[] = [{ name: 'heap-growing-percent', value: 100, usual: 0 }]

/** Most projects are woven in less. */
const HEAP_MB = 32

export class WeaveAhead {
  readonly #database: Database
  readonly #waiting: Waiting[]
  readonly #worker: Worker
  #writtenFiles = 0
  /** Those that have not come back, in the order in which they will. */
  #sent: Sent[] = []
  #answers: WeaveAnswer[] = []
  /** What is not woven then is left to this thread: perhaps it was too large for another one. */
  #hasFailed = false
  #wake: () => void = () => undefined
  #ended: Promise<unknown> | null = null

  /** `work` in the order in which it is read. */
  constructor(database: Database, stale: readonly StaleProject[], work: readonly WorkFile[]) {
    this.#database = database
    const places = new Map(work.map(({ file }, index) => [file.path, index]))
    this.#waiting = stale
      .map((one) => ({ stale: one, afterFiles: 1 + lastPlace(one, places) }))
      .sort((one, other) => one.afterFiles - other.afterFiles)
    this.#worker = startThread('weave-worker', {
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
      heapMb: HEAP_MB,
      flags: FLAGS,
      isLong: true,
    })
    const fail = (): void => {
      this.#hasFailed = true
      this.#wake()
    }
    this.#worker.on('error', fail)
    this.#worker.on('messageerror', fail)
    this.#worker.on('exit', fail)
    this.#worker.on('message', (answer: WeaveAnswer) => {
      this.#answers.push(answer)
      this.#wake()
    })
  }

  /** So many of the files are written. Gives what was woven meanwhile. */
  written(files: number): readonly WovenProject[] {
    this.#writtenFiles = Math.max(this.#writtenFiles, files)
    const arrived = this.#answers.map((rows, place) => ({ ...(this.#sent[place] as Sent).stale, rows, isWhole: true }))
    this.#sent = this.#sent.slice(arrived.length)
    this.#answers = []
    if (!this.#hasFailed) this.#send()
    return arrived
  }

  /** When everything is written and committed. */
  async *rest(): AsyncGenerator<WovenProject, void, void> {
    do {
      yield* this.written(Number.POSITIVE_INFINITY)
      if (this.#sent.length > 0 && this.#answers.length === 0 && !this.#hasFailed)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    } while (this.#sent.length > 0 && !(this.#hasFailed && this.#answers.length === 0))
    const left = [...this.#sent, ...this.#waiting].map(({ stale }) => stale)
    // It takes some milliseconds to end, in which there is something to do.
    void this.end()
    yield* weaveProjects(this.#database, left)
  }

  async end(): Promise<void> {
    this.#ended ??= this.#worker.terminate()
    await this.#ended
  }

  #send(): void {
    while (this.#sent.reduce((sum, { weight }) => sum + weight, 0) < AHEAD_BYTES) {
      const next = this.#waiting[0]
      if (next === undefined || next.afterFiles > this.#writtenFiles) return
      this.#waiting.shift()
      const task = taskOf(this.#database, next.stale)
      if (task === null) continue
      this.#worker.postMessage(task)
      this.#sent.push({ stale: task.stale, weight: weightOf(task) })
    }
  }
}

/** Of its last file; -1 where there is nothing to be read of it. */
function lastPlace({ project: { files } }: StaleProject, places: ReadonlyMap<string, number>): number {
  return files.reduce((last, { path }) => Math.max(last, places.get(path) ?? -1), -1)
}

function taskOf(database: Database, found: StaleProject): WeaveTask | null {
  const known = knownFiles(database, found.project.files)
  const stale = asRead(found, known)
  if (stale === null) return null
  const { files } = stale.project
  const stampOf = layoutStamps(database)
  const stored = new Map<number, StoredFile>()
  const stamps = new Map<number, string>()
  for (const { path, role, sessionId } of files) {
    const { id } = known.get(path) as KnownFile
    // Of Subagents in their own folders nothing is read.
    const file = role === 'main' || sessionId === null ? storedFile(database, id) : null
    const stamp = stampOf(id)
    if (file !== null) stored.set(id, file)
    if (stamp !== undefined) stamps.set(id, stamp)
  }
  return { stale, known, stored, stamps }
}

function weightOf({ stored }: WeaveTask): number {
  let weight = 0
  for (const { state, pages } of stored.values())
    weight += pages.reduce((sum, { length }) => sum + length, state.length)
  return weight
}
