// Workers of a scan and the watch over them. A worker that stays at one record for too long is ended, the record becomes
// a Problem, and a new worker goes on behind it.

import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { startThread, ThreadEnded } from '../source/thread.ts'
import type { BoardPlace } from './scan-board.ts'
import { leaveRecord, placeOf, stopAll } from './scan-board.ts'
import type { ScanJob, ScanTask } from './scan-thread.ts'
import { startOf } from './scan-thread.ts'
import type { ScanOrder, ScanReport } from './scan-worker.ts'

/** Time is counted in ticks of our own event loop: when the caller blocks it, nobody is blamed for that. */
const TICK_MS = 100
const TICKS_MAX = 20
/** A record of 100 MB may take its time. */
const BYTES_PER_TICK = 2 << 20
/** A pattern that is too slow on so many records is too slow. */
const LOST_MAX = 4

export interface WorkerOptions {
  readonly onReport: (report: ScanReport) => void
  readonly signal: AbortSignal | undefined
}

/** Resolves when the worker, or the last of those that came after it, has nothing left to do. */
export async function runScanWorker(job: ScanJob, slot: number, options: WorkerOptions): Promise<void> {
  let first: ScanTask | null = null
  for (let lostCount = 0; ; lostCount++) {
    const lost: LostWorker | null = await runOnce({ job, slot, first }, options).catch((error: unknown) => {
      // One that could not be started has taken nothing: all is left to the thread that would have had it.
      if (placeOf(job.board, slot).sequence > 0 || options.signal?.aborted) throw error
      return null
    })
    if (lost === null) return
    const isGivenUp = lostCount + 1 >= LOST_MAX
    if (isGivenUp) stopAll(job.board)
    const found = lostProblem(job, lost)
    options.onReport({
      parts: [{ ...NOTHING, index: lost.place.index, problems: [found], isCut: isGivenUp }],
      ...SILENT,
    })
    if (isGivenUp) return
    first = { ...lost.task, skipped: [...lost.task.skipped, lost.place.line] }
  }
}

const NOTHING = { hits: [] }
const SILENT = { doneBytes: 0, checkpoint: null, isDone: false }

interface LostWorker {
  readonly reason: string
  readonly place: BoardPlace
  /** Where to go on. */
  readonly task: ScanTask
}

function runOnce(order: ScanOrder, { onReport, signal }: WorkerOptions): Promise<LostWorker | null> {
  const { job, slot, first } = order
  leaveRecord(job.board, slot)
  return new Promise((resolve, reject) => {
    const worker = startThread('scan-worker', { workerData: order })
    let checkpoint = first
    let isOver = false
    const finish = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      signal?.removeEventListener('abort', onAbort)
      void worker.terminate()
      settle()
    }
    const lose = (reason: string): void => {
      const place = placeOf(job.board, slot)
      const task = checkpoint?.index === place.index ? checkpoint : startOf(place.index)
      finish(() => resolve({ reason, place, task }))
    }
    const onAbort = (): void => finish(() => reject(signal?.reason))
    const isStuck = stuckWatch(job, slot)
    const timer = setInterval(() => {
      if (isStuck()) lose('the pattern takes too long on this record')
    }, TICK_MS)
    signal?.addEventListener('abort', onAbort)
    worker.on('message', (report: ScanReport) => {
      if (isOver) return
      checkpoint = report.checkpoint
      onReport(report)
      if (report.isDone) finish(() => resolve(null))
    })
    worker.on('error', (error) => {
      if (isOutOfMemory(error) && placeOf(job.board, slot).line !== 0) lose('the record does not fit into memory')
      else finish(() => reject(error))
    })
    worker.on('exit', () => finish(() => reject(new ThreadEnded('a thread of the scan has ended before its work'))))
  })
}

function stuckWatch({ board }: ScanJob, slot: number): () => boolean {
  let lastSequence = -1
  let ticks = 0
  return () => {
    const { sequence, line, length } = placeOf(board, slot)
    ticks = line !== 0 && sequence === lastSequence ? ticks + 1 : 0
    lastSequence = sequence
    return ticks > TICKS_MAX + length / BYTES_PER_TICK
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function lostProblem({ targets }: ScanJob, { reason, place }: LostWorker): Problem {
  const { index, line, offset, length } = place
  const position = { path: targets[index]?.path ?? '', line, offset, length }
  return problem('pattern-too-slow', position, `${reason}; it was left out`)
}
