import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { weaveProjects } from './weave.ts'
import type { WeaveTask } from './weave-in-worker.ts'

const { path, stale } = workerData as WeaveTask
const database = openDatabase(path)
try {
  for (const { rows, ...project } of weaveProjects(database, stale))
    parentPort?.postMessage({ ...project, rows: [...rows] })
} finally {
  database.close()
}
parentPort?.postMessage(null)
