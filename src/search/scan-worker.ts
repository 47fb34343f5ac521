// A thread of a scan. Whatever it has found is handed on before it goes into a file, and every tenth of a second inside
// of one: a regex may keep it for ever, and then it is ended from outside.

import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { enterRecord, leaveRecord } from './scan-board.ts'
import type { ScanJob, ScanPart, ScanTask, WatchTask } from './scan-thread.ts'
import { scanTargets } from './scan-thread.ts'

export interface ScanOrder {
  readonly job: ScanJob
  readonly slot: number
  readonly first: ScanTask | null
}

export interface ScanReport {
  readonly parts: readonly ScanPart[]
  /** Of the files that were finished since the last report. */
  readonly doneBytes: number
  /** Where another worker would have to go on in the file that is being read. */
  readonly checkpoint: ScanTask | null
  readonly isDone: boolean
}

const CHECKPOINT_MS = 100
const REPORT_BYTES = 8 << 20

if (parentPort !== null) run(workerData as ScanOrder)

function run({ job, slot, first }: ScanOrder): void {
  // At no record yet, but at work.
  enterRecord(job.board, slot, { index: -1, line: 0, offset: 0, length: 0 })
  // V8 then goes on with an engine that takes linear time when a pattern backtracks too often. It says the same about
  // whether and where there is a match. Patterns with back references, look-around or ignored case stay with the usual one.
  if (job.pattern.kind === 'regex') {
    setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  }
  let doneBytes = 0
  const report = (parts: readonly ScanPart[], checkpoint: ScanTask | null, isDone = false): void => {
    parentPort?.postMessage({ parts, doneBytes, checkpoint, isDone } satisfies ScanReport)
    doneBytes = 0
  }
  const watchTask: WatchTask = (task, handOn) => {
    let checkpointMs = performance.now()
    let { foundCount } = task
    return {
      begin: ({ number, offset, length }) => {
        if (task.skipped.includes(number)) return false
        // In a file that has cost a worker already, every record may cost the next one.
        if (task.skipped.length > 0 || performance.now() - checkpointMs > CHECKPOINT_MS) {
          const part = handOn()
          foundCount += part.hits.length
          report([part], { ...task, from: { offset, number }, foundCount })
          checkpointMs = performance.now()
        }
        enterRecord(job.board, slot, { index: task.index, line: number, offset, length })
        return true
      },
      end: () => leaveRecord(job.board, slot),
    }
  }
  for (const part of scanTargets(job, first, watchTask)) {
    doneBytes += job.targets[part.index]?.sizeBytes ?? 0
    const isWorthTelling = part.hits.length > 0 || part.problems.length > 0 || part.isCut
    if (isWorthTelling) report([part], null)
    else if (doneBytes > REPORT_BYTES) report([], null)
  }
  report([], null, true)
}
