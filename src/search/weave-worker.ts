import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { weaveProjects } from './weave.ts'
import type { WeaveTask } from './weave-in-two.ts'
import { untaken, waitForBegin } from './weave-in-two.ts'

const task = workerData as WeaveTask
waitForBegin(task)
const database = openDatabase(task.path)
try {
  for (const { rows, ...project } of weaveProjects(database, task.stale, { chosen: untaken(task, 'largest') }))
    parentPort?.postMessage({ ...project, rows: [...rows] })
} finally {
  database.close()
}
parentPort?.postMessage(null)
