import { parentPort, workerData } from 'node:worker_threads'
import { readBatches } from './batch.ts'
import { RingRoom } from './doc-room.ts'
import type { ReadAnswer, ReadTask } from './read-in-worker.ts'
import { mayReadOn, weightOf } from './read-in-worker.ts'

const { work, waiting, ring, sizes } = workerData as ReadTask
const room = new RingRoom(ring)
const MESSAGE_BYTES = 1 << 17

let answers: ReadAnswer[] = []
let weight = 0

for (const [index, { file, from }] of work.entries()) {
  for (const batch of readBatches(file, from, sizes, room)) {
    answers.push({ index, batch })
    weight += weightOf(batch)
    if (weight >= MESSAGE_BYTES) send()
  }
}
send()
parentPort?.postMessage(null)

/** Many small files go in one message. */
function send(): void {
  Atomics.add(waiting, 0, weight)
  parentPort?.postMessage(answers)
  answers = []
  weight = 0
  mayReadOn(waiting)
}
