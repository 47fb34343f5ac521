import { parentPort } from 'node:worker_threads'
import type { Job } from './jobs.ts'
import { runJob } from './jobs.ts'

parentPort?.on('message', (job: Job) => parentPort?.postMessage(runJob(job)))
