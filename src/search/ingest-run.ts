// The work of an ingest: read, write, weave. Each Batch is committed with the Watermark behind it, so whoever interrupts it
// loses what was under way and nothing else.

import { setFlagsFromString } from 'node:v8'
import { optimiseAsUsual } from '../source/optimising.ts'
import type { Batch } from './batch.ts'
import { readBatches } from './batch.ts'
import { ConversationRows } from './conversation-rows.ts'
import type { Database } from './database.ts'
import type { IngestOptions, IngestWork } from './ingest-work.ts'
import { bytesToRead } from './ingest-work.ts'
import type { Plan, WorkFile } from './plan.ts'
import { readInWorker } from './read-in-worker.ts'
import type { IngestSizes } from './sizes.ts'
import { SIZES } from './sizes.ts'
import { emptyLog, finishBulk, isBulk, mergeTitles, mergeWords, setLogPages, startBulk } from './tuning.ts'
import type { WovenProject } from './weave.ts'
import { weaveProjects } from './weave.ts'
import { OtherThread, weaveInTwo } from './weave-in-two.ts'
import { openWordLoader } from './word-loader.ts'
import type { WordWriter } from './word-rows.ts'
import { WordRows } from './word-rows.ts'
import { IndexWriter } from './write.ts'

export async function runIngest(
  database: Database,
  path: string | null,
  { plan, stale }: IngestWork,
  options: IngestOptions,
): Promise<void> {
  const sizes = options.sizes ?? SIZES
  const transaction = new Transaction(database, sizes)
  const readBytes = bytesToRead(plan)
  const isLarge = readBytes >= sizes.workerBytes
  const isFirst = readBytes >= sizes.bulkBytes || isBulk(database)
  if (isLarge) tuneForThreads()
  const other = path !== null && isLarge && isFirst ? new OtherThread(path, stale) : null
  try {
    await runPlan(database, plan, transaction, { ...options, sizes, isLarge })
    const finish = (): void => finishBulk(database)
    if (other === null) finish()
    const woven =
      other === null ? weaveProjects(database, stale, { work: plan.work }) : weaveInTwo(database, other, sizes, finish)
    await replaceRows(database, transaction, woven)
    if (isFirst) {
      mergeTitles(database)
      emptyLog(database)
    } else {
      transaction.begin()
      mergeWords(database, readBytes)
      transaction.commit()
    }
  } catch (error) {
    transaction.rollBack()
    setLogPages(database, 'few')
    throw error
  } finally {
    await other?.end()
  }
}

/**
 * V8 makes fast code for each thread anew, beside both of them: a fifth of the processor time of a first build. Where it puts
 * fewer functions into each other, the whole build takes some 7 % less.
 */
function tuneForThreads(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')
  optimiseAsUsual(setFlagsFromString)
}

async function runPlan(
  database: Database,
  plan: Plan,
  transaction: Transaction,
  { nowMs, onProgress, sizes, isLarge }: IngestOptions & { readonly sizes: IngestSizes; readonly isLarge: boolean },
): Promise<void> {
  // The oldest first, so that the ids of docs grow with time: the newest hits of a common word are the last ones.
  const work = [...plan.work].sort((one, other) => one.file.modifiedMs - other.file.modifiedMs)
  const totalBytes = bytesToRead(plan)
  setLogPages(database, isLarge ? 'many' : 'none')
  transaction.begin()
  if (totalBytes >= sizes.bulkBytes) startBulk(database)
  const words = isBulk(database) ? openWordLoader(database) : new WordRows(database)
  const writer = new IndexWriter(database, words)
  transaction.words = words
  for (const { id, file } of plan.moved) writer.move(id, file)
  for (const { id, file } of plan.seen) writer.see(id, file)
  for (const id of plan.gone) writer.miss(id, nowMs)
  const ids = new Map<WorkFile, number>()
  let doneBytes = 0
  const write = (one: WorkFile, batch: Batch): void => {
    transaction.begin()
    const id = ids.get(one) ?? writer.openFile(one)
    ids.set(one, id)
    writer.writeBatch(id, one.file, batch)
    doneBytes += batch.readBytes
    transaction.commitAfter(batch.readBytes)
    onProgress?.(doneBytes, totalBytes)
  }
  try {
    if (isLarge) await readInWorker(work, write, sizes)
    else for (const one of work) for (const batch of readBatches(one.file, one.from, sizes)) write(one, batch)
    transaction.commit()
  } finally {
    transaction.words = null
    words.close()
  }
  if (!isLarge) setLogPages(database, 'few')
}

async function replaceRows(
  database: Database,
  transaction: Transaction,
  woven: Iterable<WovenProject> | AsyncIterable<WovenProject>,
): Promise<void> {
  const rows = new ConversationRows(database)
  for await (const project of woven) {
    transaction.begin()
    rows.replace(project)
  }
  transaction.commit()
}

class Transaction {
  /** Words that are gathered belong to what is committed. */
  words: WordWriter | null = null
  readonly #database: Database
  readonly #sizes: IngestSizes
  #isOpen = false
  #bytes = 0
  #startedMs = 0

  constructor(database: Database, sizes: IngestSizes) {
    this.#database = database
    this.#sizes = sizes
  }

  begin(): void {
    if (this.#isOpen) return
    this.#database.exec('BEGIN IMMEDIATE')
    this.#isOpen = true
    this.#bytes = 0
    this.#startedMs = performance.now()
  }

  commitAfter(bytes: number): void {
    this.#bytes += bytes
    const { commitBytes, commitMs } = this.#sizes
    if (this.#bytes >= commitBytes || performance.now() - this.#startedMs >= commitMs) this.commit()
  }

  commit(): void {
    if (!this.#isOpen) return
    this.words?.write()
    this.#database.exec('COMMIT')
    this.#isOpen = false
  }

  rollBack(): void {
    this.#isOpen = false
    // A full disk has ended it already.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }
}
