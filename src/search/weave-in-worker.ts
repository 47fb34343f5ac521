// Weaving beside the merge at the end of a first build: a worker reads what was committed, this thread is busy merging.

import { Worker } from 'node:worker_threads'
import type { StaleProject } from './stale.ts'
import type { WovenProject } from './weave.ts'

export interface WeaveTask {
  readonly path: string
  readonly stale: readonly StaleProject[]
}

/** The worker posts one project after the other, and null behind the last. */
export function weaveInWorker(task: WeaveTask): Promise<readonly WovenProject[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./weave-worker.js', import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    })
    const woven: WovenProject[] = []
    worker.on('message', (project: WovenProject | null) => {
      if (project !== null) woven.push(project)
      else void worker.terminate().then(() => resolve(woven))
    })
    worker.on('error', reject)
  })
}
