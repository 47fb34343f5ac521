// The laws everything rests on, each over random transcripts. A failure names its seed.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { conversationOf } from '../../src/conversation/conversation.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { graphOf } from '../../src/graph/model.ts'
import type { Envelope } from '../../src/record/model.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { readLines } from '../../src/source/lines.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'
import { expectBothWays } from '../record/both-ways.ts'
import { wovenOf } from '../woven.ts'

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const folder = mkdtempSync(join(tmpdir(), 'clew-laws-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('laws', () => {
  it('any split of reads gives the same lines', () => {
    const path = join(folder, 'split.jsonl')
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 1, max: 97 }),
        fc.integer({ min: 1, max: 300 }),
        (seed, readBytes, keepBytes) => {
          const random = randomOf(seed)
          const bytes = damage(bytesOf(randomRecords(random, 's')), random)
          writeFileSync(path, bytes)
          const fd = openSync(path, 'r')
          const lines = [...readLines(fd, undefined, { readBytes, keepBytes })].length
          const read = readTranscript(path, readLines(fd, undefined, { readBytes, keepBytes }))
          closeSync(fd)
          expect(lines).toBe([...splitLines(bytes)].length)
          expect(read).toEqual(readTranscript(path, splitLines(bytes)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('the order in which records come does not change the graph or a reading', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = randomOf(seed)
        const one = envelopesOf(bytesOf(randomRecords(random, 'one')))
        const other = envelopesOf(bytesOf([...randomRecords(random, 'other'), ...randomRecords(random, 'one', 4)]))
        const files = [
          { sessionId: 'one', envelopes: one },
          { sessionId: 'other', envelopes: other },
        ]
        const shuffled = [
          { sessionId: 'other', envelopes: shuffle(other, random) },
          { sessionId: 'one', envelopes: shuffle(one, random) },
        ]
        const graph = graphOf(files)
        expect(graphOf(shuffled)).toEqual(graph)
        expect(JSON.parse(JSON.stringify(graph))).toEqual(graph)
      }),
      { numRuns: 500 },
    )
  })

  it('every record of the file is in the conversation exactly once', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = randomOf(seed)
        const whole = bytesOf(randomRecords(random, 's', 60))
        const { woven, read } = wovenOf(random.chance(0.5) ? whole : damage(whole, random))
        const conversation = conversationOf(woven)
        const offsets = [
          ...conversation.branches
            .flatMap(({ turns }) => turns.flatMap(({ records }) => records))
            .filter((one) => one.envelope.uuid !== null),
          ...conversation.metadata,
          ...conversation.replays,
          ...conversation.queuedPrompts,
        ].map(({ envelope }) => envelope.offset)
        const inline = woven.outline.sidechain.length
        expect(offsets.length + inline).toBe(read.envelopes.length)
        expect(new Set(offsets).size).toBe(offsets.length)
      }),
      { numRuns: 1500 },
    )
  })

  it('every model value survives JSON', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { woven, read } = wovenOf(bytesOf(randomRecords(randomOf(seed), 's', 40)))
        for (const value of [read.envelopes, conversationOf(woven), readFull(woven), readContextTurns(woven)]) {
          expect(JSON.parse(JSON.stringify(value))).toEqual(value)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('reading twice is reading once, and the scanner gives what the exact way gives', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = randomOf(seed)
        const bytes = damage(bytesOf(randomRecords(random, 's', 40)), random)
        const read = readTranscript('x', splitLines(bytes))
        expect(readTranscript('x', splitLines(bytes))).toEqual(read)
        expectBothWays(bytes)
      }),
      { numRuns: 1500 },
    )
  })

  it('no reading holds a message twice', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { woven } = wovenOf(bytesOf(randomRecords(randomOf(seed), 's', 60)))
        for (const branch of woven.outline.branches.keys()) {
          const { chain } = readFull(woven, branch)
          expect(new Set(chain).size).toBe(chain.length)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

function envelopesOf(bytes: Buffer): readonly Envelope[] {
  return readTranscript('x', splitLines(bytes)).envelopes
}

function shuffle<Value>(values: readonly Value[], random: ReturnType<typeof randomOf>): readonly Value[] {
  const shuffled = [...values]
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const kept = shuffled[at] as Value
    shuffled[at] = shuffled[other] as Value
    shuffled[other] = kept
  }
  return shuffled
}
