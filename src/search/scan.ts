// `--exact` and `--regex`: every byte of every Transcript and Spill is looked at, by two threads. A literal is searched
// by this thread and a worker; a regex only by workers, because one that runs away can be ended there.

import { availableParallelism } from 'node:os'
import { openBoard, stopAll } from './scan-board.ts'
import type { ScanOptions, ScanPattern, ScanResult, ScanTarget } from './scan-model.ts'
import { checkPattern } from './scan-pattern.ts'
import type { ScanJob, ScanPart } from './scan-thread.ts'
import { scanTargets } from './scan-thread.ts'
import { runScanWorker } from './scan-workers.ts'

/** Throws for a pattern that `checkPattern` refuses. */
export async function scanFiles(
  targets: readonly ScanTarget[],
  pattern: ScanPattern,
  { limitPerFile, limit, onProgress, signal }: ScanOptions = {},
): Promise<ScanResult> {
  const reason = checkPattern(pattern)
  if (reason !== null) throw new Error(reason)
  signal?.throwIfAborted()
  const totalBytes = targets.reduce((sum, target) => sum + target.sizeBytes, 0)
  const workerCount = workersFor(pattern, targets, totalBytes)
  const job: ScanJob = {
    targets,
    pattern,
    limitPerFile: limitPerFile ?? Number.POSITIVE_INFINITY,
    limit: limit ?? Number.POSITIVE_INFINITY,
    board: openBoard(workerCount),
  }
  const gathered: ScanPart[] = []
  let doneBytes = 0
  const gather = (parts: readonly ScanPart[], bytes: number): void => {
    gathered.push(...parts)
    doneBytes += bytes
    if (bytes > 0) onProgress?.(doneBytes, totalBytes)
  }
  const threads = Array.from({ length: workerCount }, (_, slot) =>
    runScanWorker(job, slot, { onReport: (report) => gather(report.parts, report.doneBytes), signal }),
  )
  if (pattern.kind === 'exact') threads.push(scanHere(job, gather, signal))
  try {
    await Promise.all(threads)
    // What is left when none of them could be started.
    await scanHere(job, gather, signal)
  } finally {
    stopAll(job.board)
  }
  return resultOf(gathered, job.limit)
}

/** A worker takes 40 ms to start; in that time one thread alone looks through so much. */
const WORTH_BYTES = 48 << 20
const THREADS = 2

function workersFor(pattern: ScanPattern, targets: readonly ScanTarget[], totalBytes: number): number {
  if (targets.length === 0) return 0
  const threads = totalBytes < WORTH_BYTES || targets.length === 1 ? 1 : Math.min(THREADS, availableParallelism())
  return pattern.kind === 'regex' ? threads : threads - 1
}

/** How long this thread may keep others of the process waiting. */
const SLICE_MS = 20

async function scanHere(
  job: ScanJob,
  gather: (parts: readonly ScanPart[], doneBytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  let sliceStartMs = performance.now()
  for (const part of scanTargets(job)) {
    gather([part], job.targets[part.index]?.sizeBytes ?? 0)
    signal?.throwIfAborted()
    if (performance.now() - sliceStartMs < SLICE_MS) continue
    await new Promise(setImmediate)
    sliceStartMs = performance.now()
  }
}

/** Parts of one file come in the order of its lines, and sorting keeps that. */
function resultOf(parts: readonly ScanPart[], limit: number): ScanResult {
  const inOrder = [...parts].sort((one, other) => one.index - other.index)
  const hits = inOrder.flatMap((part) => part.hits)
  const isCut = hits.length > limit || parts.some((part) => part.isCut)
  return { hits: hits.slice(0, limit), isCut, problems: inOrder.flatMap((part) => part.problems) }
}
