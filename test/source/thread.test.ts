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

const flag = (name: string, value: number) => ({ name, value, usual: 7 })

it('sets flags when all threads have started, and puts them back behind the last that wants them', () => {
  const one = startThread('worker', { workerData: 'first', flags: [flag('one', 1)] })
  const other = startThread('scan-worker', { flags: [flag('one', 1), flag('other', 2)] })
  expect(did).toEqual(['worker.js first', 'scan-worker.js'])
  one.emit('online')
  expect(did.length).toBe(2)
  other.emit('online')
  expect([...new Set(did.slice(2))]).toEqual(['--one=1', '--other=2'])
  did.length = 0
  one.emit('exit')
  expect(did).toEqual([])
  other.emit('exit')
  expect(did).toEqual(['--one=7', '--other=7'])
})

it('does not wait for a thread that has failed to start', () => {
  const one = startThread('worker', { flags: [flag('one', 1)] })
  const other = startThread('worker', { flags: [flag('other', 2)] })
  other.emit('online')
  expect(did).toEqual(['worker.js', 'worker.js'])
  one.emit('exit')
  expect(did.slice(2)).toEqual(['--one=7', '--other=2'])
  other.emit('exit')
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

it.runIf(isNode20)('stays as usual for a thread that works long, also beside one that does not', () => {
  optimiseLate(set)
  const one = startThread('worker')
  const other = startThread('ingest-worker', { isLong: true })
  one.emit('online')
  other.emit('online')
  expect(did.at(-1)).toBe('ingest-worker.js')
  expect(isLate()).toBe(false)
})
