import { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'

const did: string[] = []

vi.mock('node:v8', () => ({ setFlagsFromString: (flag: string) => did.push(flag) }))
vi.mock('node:worker_threads', () => ({
  Worker: class extends EventEmitter {
    constructor(path: URL, { workerData }: { readonly workerData?: string }) {
      super()
      did.push(`${path.pathname.split('/').at(-1)} ${workerData ?? ''}`.trim())
    }
  },
}))

const { startThread } = await import('../../src/source/thread.ts')
const { isLate, optimiseLate, optimiseAsUsual } = await import('../../src/source/optimising.ts')
const set = (flag: string): void => {
  did.push(flag)
}
const isNode20 = process.versions.node.startsWith('20.')

afterEach(() => {
  optimiseAsUsual(set)
  did.length = 0
})

it('sets flags when all threads have started, each once for each thread that wants it', () => {
  const one = startThread('worker', { workerData: 'first', flags: ['--one'] })
  const other = startThread('scan-worker', { flags: ['--other'] })
  expect(did).toEqual(['worker.js first', 'scan-worker.js'])
  one.emit('online')
  expect(did.length).toBe(2)
  other.emit('online')
  expect(did.slice(2)).toEqual(['--one', '--other'])
  one.emit('exit')
  other.emit('exit')
  expect(did.length).toBe(4)
})

it('does not wait for a thread that has failed to start', () => {
  const one = startThread('worker', { flags: ['--one'] })
  one.emit('exit')
  expect(did).toEqual(['worker.js', '--one'])
})

it.runIf(isNode20)('starts threads with V8 as usual, and goes on as the command has begun', () => {
  optimiseLate(set)
  did.length = 0
  const one = startThread('worker')
  const other = startThread('worker')
  expect(did).toEqual(['--interrupt-budget=67584', 'worker.js', 'worker.js'])
  one.emit('online')
  other.emit('online')
  expect(did.slice(3)).toEqual(['--interrupt-budget=1000000'])
  expect(isLate()).toBe(true)
})

it.runIf(isNode20)('stays as usual for a thread that works long', () => {
  optimiseLate(set)
  startThread('ingest-worker', { isLong: true }).emit('online')
  expect(did.at(-1)).toBe('ingest-worker.js')
  expect(isLate()).toBe(false)
})
