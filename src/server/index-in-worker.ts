// The index brought up to date by a thread of its own, so that the server answers meanwhile. Both have the same file open.

import type { Worker } from 'node:worker_threads'
import type { CopyFolders } from '../archive/copies.ts'
import { startThread } from '../source/thread.ts'
import type { Keeper, Report } from './keep-archive.ts'

export interface IndexTask {
  readonly path: string
  readonly roots: readonly string[]
  readonly copies: CopyFolders | null
}

/** An ingest that is under way may be broken off: what it has committed stays. */
const PATIENCE_MS = 500
const AGAIN_MS = 5000

export function keepInWorker(task: IndexTask, onReport: (report: Report) => void): Keeper {
  let isStopped = false
  let again: NodeJS.Timeout | null = null
  const start = (): Worker => {
    const worker = startThread('index-worker', {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
      isLong: true,
    })
    worker.on('message', onReport)
    worker.on('error', (error) => {
      onReport({ kind: 'failed', message: error.message })
      if (!isStopped) again = setTimeout(() => (current = start()), AGAIN_MS)
    })
    return worker
  }
  let current = start()
  return {
    stop: async () => {
      isStopped = true
      if (again !== null) clearTimeout(again)
      const isOver = new Promise<void>((resolve) => current.once('exit', () => resolve()))
      current.postMessage(null)
      await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())])
      await current.terminate()
    },
  }
}
