// Processes that are killed while they write, all on one store that survives them, and many that write to one session at
// once. Each tells through a pipe what the store has promised it. `npm run faults` kills 500 times; CLEW_STORE_KILLS sets
// how often, CLEW_STORE_SEED where to begin.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import { runWriter, wordsOf } from './killed-process.ts'

const kills = Number(process.env['CLEW_STORE_KILLS'] ?? 10)
const seed = Number(process.env['CLEW_STORE_SEED'] ?? 1)
const isShort = kills < 50
const random = randomOf(seed)
const CWD = '/home/ada/tide'
/** A session is left to itself after so many kills, and looked at again at the end. */
const KILLS_EACH = 20

/** The words of each record by its uuid. */
type Promised = Map<string, string>

function pathOf(root: string, id: string): string {
  return join(root, 'projects', CWD.replaceAll('/', '-'), `${id}.jsonl`)
}

function sessionId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

interface Look {
  readonly lost: string[]
  readonly damaged: string[]
  readonly copies: number
  readonly torn: number
  readonly unpromised: number
}

/** Lines are split at the byte and parsed here, not by the reader of the store. */
function lookAt(path: string, promised: Readonly<Promised>): Look {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const found = new Map<string, string>()
  let [copies, torn, unpromised] = [0, 0, 0]
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(0x0a, from)
    const line = bytes.toString('utf8', from, at < 0 ? bytes.length : at)
    from = at < 0 ? bytes.length : at + 1
    if (line === '') continue
    const uuid = uuidOf(line)
    if (uuid === null) torn++
    else if (uuid !== '') {
      if (found.has(uuid)) copies++
      else if (!promised.has(uuid)) unpromised++
      found.set(uuid, line)
    }
  }
  const lost = [...promised.keys()].filter((uuid) => !found.has(uuid))
  const damaged = [...promised].flatMap(([uuid, words]) =>
    found.get(uuid)?.includes(JSON.stringify(words)) === false ? [uuid] : [],
  )
  return { lost, damaged, copies, torn, unpromised }
}

/** Null for what is no record, empty for a record without one. */
function uuidOf(line: string): string | null {
  try {
    const { uuid = '' } = JSON.parse(line) as { uuid?: string }
    return uuid
  } catch {
    return null
  }
}

test(`${kills} kills of a writer, from seed ${seed}`, { timeout: 14_400_000 }, async () => {
  const root = newFolder('store')
  const sessions = new Map<string, Promised>()
  const figures = { killed: 0, whileOpening: 0, promised: 0, torn: 0, unpromised: 0 }
  for (let round = 0; figures.killed < kills; round++) {
    const id = sessionId(Math.floor(figures.killed / KILLS_EACH))
    const promised = sessions.get(id) ?? new Map<string, string>()
    sessions.set(id, promised)
    const name = `w${round}`
    const sizes = random.pick([[60], [1000, 200, 4000], [1000, 300_000], [100, 20_000, 1_500_000]])
    const producers = random.pick([1, 4, 16])
    const isEarly = random.chance(0.15)
    const afterMs = random.below(isEarly ? 120 : random.pick([20, 100, 400]))
    const kill = { from: isEarly ? 'start' : 'ready', afterMs } as const
    const { acks, isReady } = await runWriter({ root, id, name, cwd: CWD, producers, count: 0, sizes }, kill)
    figures.killed++
    if (!isReady) figures.whileOpening++
    figures.promised += acks.length
    for (const ack of acks) promised.set(ack.uuid, wordsOf(name, ack))
    const look = lookAt(pathOf(root, id), promised)
    expect({ round, ...look }).toMatchObject({ lost: [], damaged: [], copies: 0 })
  }
  for (const [id, promised] of sessions) {
    const look = lookAt(pathOf(root, id), promised)
    expect(look).toMatchObject({ lost: [], damaged: [], copies: 0 })
    figures.torn += look.torn
    figures.unpromised += look.unpromised
  }
  console.log(`store kills: ${JSON.stringify(figures)}`)
  expect(figures.promised).toBeGreaterThan(kills)
})

const writers = isShort ? 4 : 16
const count = isShort ? 9 : 25
const sizes = isShort ? [1000, 20_000, 600_000] : [1000, 10_000, 100_000, 600_000, 2_000_000]

test(`${writers} processes at one session`, { timeout: 3_600_000 }, async () => {
  const root = newFolder('store')
  const id = sessionId(1)
  const first = { root, id, name: 'first', cwd: CWD, producers: 1, count: 1, sizes: [10] }
  const promised: Promised = new Map()
  const run = async (name: string, producers: number, times: number): Promise<void> => {
    const { acks } = await runWriter({ ...first, name, producers, count: times, sizes }, null)
    expect(acks).toHaveLength(times)
    for (const ack of acks) promised.set(ack.uuid, wordsOf(name, ack))
  }
  await run('first', 1, 1)
  await Promise.all(Array.from({ length: writers }, (_, index) => run(`p${index}`, 2, count)))
  const look = lookAt(pathOf(root, id), promised)
  console.log(`store writers: ${JSON.stringify({ writers, promised: promised.size, torn: look.torn })}`)
  expect(promised.size).toBe(writers * count + 1)
  // A record of a compaction comes with one that nobody asked for.
  expect(look).toMatchObject({ lost: [], damaged: [], copies: 0, torn: 0 })
})
