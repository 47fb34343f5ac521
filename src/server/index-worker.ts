import { parentPort, workerData } from 'node:worker_threads'
import { KeptIndex } from '../search/kept-index.ts'
import type { IndexTask } from './index-in-worker.ts'
import { keepArchive } from './keep-archive.ts'

const { path, roots, copies } = workerData as IndexTask
const index = new KeptIndex(path)
const keeper = keepArchive({ roots, copies, index, onReport: (report) => parentPort?.postMessage(report) })

parentPort?.once('message', () => {
  void keeper.stop().then(() => {
    index.close()
    parentPort?.close()
  })
})
