// Projects spread over two workers where that pays: reading is bound by the processor, and projects do not touch each
// other. Small archives stay in this thread, where starting a worker would cost more than the work, and so does what a worker
// has left that ended before its time.

import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Flag } from '../source/thread.ts'
import { startThread, ThreadEnded } from '../source/thread.ts'
import type { Project } from './found.ts'
import type { Job, JobName, Jobs } from './jobs.ts'
import { runJob } from './jobs.ts'

const WORTH_BYTES = 48 << 20
const WORKERS = 2

/**
 * Workers read gigabytes and keep megabytes. Left to itself a heap may grow fourfold between two collections; less costs
 * hardly any time and a hundred megabytes less.
 */
const FLAGS: readonly Flag[] = [{ name: 'heap-growing-percent', value: 180, usual: 0 }]

export type OnProgress = (doneBytes: number, totalBytes: number) => void

export async function runProjects<Name extends JobName>(
  projects: readonly Project[],
  name: Name,
  onProgress?: OnProgress,
): Promise<readonly Jobs[Name][]> {
  const queue = [...projects].sort((one, other) => other.sizeBytes - one.sizeBytes)
  const totalBytes = queue.reduce((sum, project) => sum + project.sizeBytes, 0)
  const isWorthIt = totalBytes >= WORTH_BYTES && Math.min(availableParallelism(), queue.length) >= WORKERS
  const results: Jobs[Name][] = []
  let doneBytes = 0
  const onDone = (project: Project, result: Jobs[Name]): void => {
    results.push(result)
    doneBytes += project.sizeBytes
    onProgress?.(doneBytes, totalBytes)
  }
  // One begins with the largest project, the other with the smallest: two large ones are never in memory at once.
  const takers = isWorthIt ? [() => queue.shift(), () => queue.pop()] : []
  const left = await Promise.all(takers.map((take) => runWorker(take, name, onDone)))
  for (const project of [...left.flat(), ...queue]) {
    onDone(project, runJob({ name, project } as Job) as Jobs[Name])
    // Lets a signal or a closed pipe be noticed between projects.
    await new Promise(setImmediate)
  }
  return results
}

/** Gives what it had in hand when its thread ended before its work. */
function runWorker<Name extends JobName>(
  take: () => Project | undefined,
  name: Name,
  onDone: (project: Project, result: Jobs[Name]) => void,
): Promise<readonly Project[]> {
  return new Promise((resolve) => {
    const worker = newThread()
    if (worker === null) return resolve([])
    let current: Project | undefined
    let isOver = false
    const end = (): void => {
      isOver = true
      resolve(current === undefined ? [] : [current])
    }
    const next = (): void => {
      current = take()
      if (current === undefined) void worker.terminate().then(end)
      else worker.postMessage({ name, project: current })
    }
    worker.on('message', (result: Jobs[Name]) => {
      // An answer may come behind the news that the thread has ended: then its project is done again.
      if (isOver) return
      if (current !== undefined) onDone(current, result)
      next()
    })
    worker.on('error', end)
    worker.on('exit', end)
    next()
  })
}

function newThread(): Worker | null {
  try {
    return startThread('worker', { resourceLimits: { maxYoungGenerationSizeMb: 16 }, flags: FLAGS })
  } catch (error) {
    if (error instanceof ThreadEnded) return null
    throw error
  }
}
