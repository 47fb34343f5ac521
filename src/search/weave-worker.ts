import { parentPort } from 'node:worker_threads'
import { readerOf } from './stored.ts'
import { weaveWhole } from './weave.ts'
import type { WeaveAnswer, WeaveTask } from './weave-ahead.ts'

parentPort?.on('message', ({ stale, known, stored, stamps }: WeaveTask) => {
  const read = readerOf(known, (id) => stored.get(id) ?? null)
  const { rows } = weaveWhole(stale, { known, read, stampOf: (file) => stamps.get(file) })
  parentPort?.postMessage([...rows] satisfies WeaveAnswer)
})
