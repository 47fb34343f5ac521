// The work of an ingest: read, write, weave. Each Batch is committed with the Watermark behind it, so whoever interrupts it
// loses what was under way and nothing else.

import { ThreadEnded } from '../source/thread.ts'
import type { Batch } from './batch.ts'
import { readBatches } from './batch.ts'
import { ConversationRows } from './conversation-rows.ts'
import type { Database } from './database.ts'
import type { IngestOptions, IngestWork } from './ingest-work.ts'
import { bytesToRead } from './ingest-work.ts'
import type { Plan, WorkFile } from './plan.ts'
import { ReadingThread } from './read-in-worker.ts'
import type { IngestSizes } from './sizes.ts'
import { SIZES } from './sizes.ts'
import { emptyLog, finishBulk, isBulk, mergeTitles, mergeWords, setLogPages, startBulk } from './tuning.ts'
import type { WovenProject } from './weave.ts'
import { weaveProjects } from './weave.ts'
import { WeaveAhead } from './weave-ahead.ts'
import { openWordLoader } from './word-loader.ts'
import type { WordWriter } from './word-rows.ts'
import { WordRows } from './word-rows.ts'
import { IndexWriter } from './write.ts'

/** Where a thread ends before its time, or may not be started, this one does what is left: `again` plans it. */
export async function runIngest(
  database: Database,
  work: IngestWork,
  options: IngestOptions,
  again: () => IngestWork,
): Promise<void> {
  const sizes = options.sizes ?? SIZES
  try {
    await ingestWork(database, work, { ...options, sizes })
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error
    await ingestWork(database, again(), { ...options, sizes: { ...sizes, workerBytes: Number.POSITIVE_INFINITY } })
  }
}

interface WorkOptions extends IngestOptions {
  readonly sizes: IngestSizes
}

async function ingestWork(database: Database, { plan, stale }: IngestWork, options: WorkOptions): Promise<void> {
  const { sizes } = options
  const transaction = new Transaction(database, sizes)
  const readBytes = bytesToRead(plan)
  const isLarge = readBytes >= sizes.workerBytes
  const isFirst = readBytes >= sizes.bulkBytes || isBulk(database)
  // The oldest first, so that the ids of docs grow with time: the newest hits of a common word are the last ones.
  const work = [...plan.work].sort((one, other) => one.file.modifiedMs - other.file.modifiedMs)
  let reader: ReadingThread | null = null
  let ahead: WeaveAhead | null = null
  try {
    reader = isLarge ? new ReadingThread(work, sizes) : null
    ahead = isLarge && isFirst ? new WeaveAhead(database, stale, work) : null
    const rows = new ConversationRows(database)
    // A project is stamped before its rows are written.
    const replace = (project: WovenProject): void => {
      transaction.begin()
      rows.replace(project)
    }
    const onWritten = (files: number): void => ahead?.written(files).forEach(replace)
    await runPlan(database, { ...plan, work }, transaction, { ...options, reader, onWritten })
    finishBulk(database)
    for await (const project of ahead?.rest() ?? weaveProjects(database, stale, work, sizes.wholeBytes))
      replace(project)
    transaction.commit()
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
    await reader?.end()
    await ahead?.end()
  }
}

interface PlanOptions extends WorkOptions {
  /** Null where it is not worth a thread. */
  readonly reader: ReadingThread | null
  /** How many of the files are written. */
  readonly onWritten: (files: number) => void
}

async function runPlan(
  database: Database,
  plan: Plan,
  transaction: Transaction,
  { nowMs, onProgress, sizes, reader, onWritten }: PlanOptions,
): Promise<void> {
  const { work } = plan
  const totalBytes = bytesToRead(plan)
  setLogPages(database, reader === null ? 'none' : 'many')
  transaction.begin()
  if (totalBytes >= sizes.bulkBytes) startBulk(database)
  const words = isBulk(database) ? openWordLoader(database) : new WordRows(database)
  const writer = new IndexWriter(database, words)
  transaction.words = words
  for (const { id, file } of plan.moved) writer.move(id, file)
  for (const { id, file } of plan.seen) writer.see(id, file)
  for (const id of plan.gone) writer.miss(id, nowMs)
  const ids = new Map<number, number>()
  let doneBytes = 0
  const write = (index: number, batch: Batch): void => {
    const one = work[index] as WorkFile
    transaction.begin()
    const id = ids.get(index) ?? writer.openFile(one)
    ids.set(index, id)
    writer.writeBatch(id, one.file, batch)
    // Those before it are over, whatever came of them.
    onWritten(batch.end === null ? index : index + 1)
    doneBytes += batch.readBytes
    transaction.commitAfter(batch.readBytes, totalBytes - doneBytes)
    onProgress?.(doneBytes, totalBytes)
  }
  try {
    if (reader !== null) await reader.readInto(write)
    else
      for (const [index, { file, from }] of work.entries())
        for (const batch of readBatches(file, from, sizes)) write(index, batch)
    onWritten(work.length)
    transaction.commit()
  } finally {
    transaction.words = null
    words.close()
  }
  if (reader === null) setLogPages(database, 'few')
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

  /** What little is left goes with what was read before: its words are one part then, and written while others weave. */
  commitAfter(bytes: number, leftBytes: number): void {
    this.#bytes += bytes
    const { commitBytes, commitMs } = this.#sizes
    const isEnough = this.#bytes >= commitBytes && leftBytes >= commitBytes / 2
    if (isEnough || performance.now() - this.#startedMs >= commitMs) this.commit()
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
