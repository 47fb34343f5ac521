// Strings that are mostly escapes, of every length up to several steps of the scanner: it walks over thirty-two bytes at
// once, and runs of backslashes may lie across two of these. Names that come again, and almost again, are in it too.

import { expect, it } from 'vitest'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { byScanner, expectBothWays } from './both-ways.ts'

const PIECES = [
  '\\',
  '\\',
  '"',
  '\n',
  '\t',
  '\r',
  '\b',
  '\f',
  '\u0001',
  'n',
  't',
  'u',
  'a',
  '/',
  'é',
  '漢',
  '🌊',
  '    ',
]
const NAMES = ['main', 'mainly', 'mai', '', 'größe', 'a\\b', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(257)]

function text({ below, pick }: Random): string {
  const pieces = PIECES.slice(0, 1 + below(PIECES.length))
  return Array.from({ length: below(150) }, () => pick(pieces)).join('')
}

function line(random: Random): string {
  const content = [
    { type: 'text', text: text(random) },
    { type: 'tool_use', id: 'toolu_1', name: random.pick(NAMES), input: { [text(random)]: text(random) } },
  ]
  return JSON.stringify({
    parentUuid: null,
    sessionId: random.pick(NAMES),
    cwd: random.pick(NAMES),
    gitBranch: random.pick(NAMES),
    slug: text(random),
    type: 'assistant',
    message: { id: 'msg_1', role: 'assistant', model: random.pick(NAMES), content, context: text(random) },
    uuid: '5c1f0001-0000-4000-8000-000000000001',
    timestamp: '2026-11-15T18:16:07.087Z',
  })
}

function damaged(bytes: Buffer, { below, pick }: Random): Buffer {
  const at = below(bytes.length)
  const put = Buffer.from(pick(['\\', '"', '\\"', 'x', '\\x', '\\u12', '\u0007', '']))
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + below(2))])
}

it('is sure of strings full of escapes, and reads them as the exact way does', { timeout: 120_000 }, () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed)
    const bytes = Buffer.from(Array.from({ length: 50 }, () => `${line(random)}\n`).join(''))
    expectBothWays(bytes, `seed ${seed}`)
    expect(byScanner(bytes).sure, `seed ${seed}`).toBe(50)
  }
})

it('and gives up on those that are damaged', { timeout: 120_000 }, () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const random = randomOf(seed)
    const bytes = Buffer.concat([damaged(Buffer.from(line(random)), random), Buffer.from('\n')])
    expectBothWays(bytes, `seed ${seed}`)
  }
})
