import { parentPort, workerData } from 'node:worker_threads'
import { readBatches } from './batch.ts'
import type { ReadAnswer, ReadTask } from './read-in-worker.ts'
import { mayReadOn, weightOf } from './read-in-worker.ts'

const { work, waiting, sizes } = workerData as ReadTask
const MESSAGE_BYTES = 1 << 20

let answers: ReadAnswer[] = []
let weight = 0

for (const [index, { file, from }] of work.entries()) {
  for (const batch of readBatches(file, from, sizes)) {
    answers.push({ index, batch })
    weight += weightOf(batch)
    if (weight >= MESSAGE_BYTES) send()
  }
}
send()
parentPort?.postMessage(null)

/** Many small files go in one message; the bytes change hands and are not copied. */
function send(): void {
  Atomics.add(waiting, 0, weight)
  const moved = answers.flatMap(({ batch }) => [
    batch.docs.texts.buffer as ArrayBuffer,
    batch.docs.numbers.buffer as ArrayBuffer,
    batch.docs.places.buffer as ArrayBuffer,
  ])
  parentPort?.postMessage(answers, moved)
  answers = []
  weight = 0
  mayReadOn(waiting)
}
