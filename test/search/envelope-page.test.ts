// Envelopes come back from their packed form as they went in, whatever a file made of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Envelope } from '../../src/record/model.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { packEnvelopes, unpackEnvelopes } from '../../src/search/envelope-page.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'

/** Everything JSON can say, and what it says too large. */
const hostileNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    126,
    127,
    128,
    2 ** 31,
    2 ** 32,
    2 ** 50,
    2 ** 53 - 3,
    2 ** 53 - 2,
    2 ** 53 - 1,
    2 ** 53,
  ),
  fc.constantFrom(0.1, -0.5, 1e308, -1e308, 5e-324, Infinity, -Infinity, -(2 ** 53), 1_790_000_000_000.5),
  fc.double({ noNaN: true }),
  fc.maxSafeInteger(),
)
const ID = '0f3a9bc1-2d4e-4f60-8a7b-9c0d1e2f3a4b'
const text = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    '\ud83c',
    '\udf0a',
    '\ud83c\udf0a',
    '"\\\n',
    '__proto__',
    ID,
    ID.toUpperCase(),
    `${ID}\n`,
    `-${ID}`,
  ),
  fc.uuid(),
  fc.uuid().map((uuid) => uuid.replaceAll('-', '')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const length = fc.oneof(fc.nat(300), fc.constantFrom(2 ** 31, 2 ** 32 + 1, 2 ** 40))
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null })

const links = fc.record(
  {
    logicalParentUuid: text,
    forkedFromSessionId: text,
    forkedFromUuid: text,
    sourceToolAssistantUuid: text,
    sourceToolUseId: text,
    spawnedAgentId: text,
    spillPath: text,
    leafUuid: text,
    leafIsExplicit: fc.boolean(),
    queuedSourceUuid: text,
    snapshotOfUuid: text,
    parentToolUseId: text,
    toolDenialKind: text,
    parentSessionId: text,
    relocatedCwd: text,
    promptId: text,
    textKey: hostileNumber,
  },
  { requiredKeys: [] },
)
const preserved = fc.record({
  anchorUuid: text,
  uuids: maybe(fc.array(text)),
  headUuid: maybe(text),
  tailUuid: maybe(text),
})
const usage = fc.record({
  inputTokens: hostileNumber,
  outputTokens: hostileNumber,
  cacheReadTokens: hostileNumber,
  cacheWriteTokens: hostileNumber,
  cacheWrite1hTokens: hostileNumber,
})
const toolUse = fc.oneof(
  fc.record({ id: text, name: text }),
  fc.record({ id: text, name: text, promptKey: hostileNumber }),
)

const envelope = fc.record({
  line: fc.nat(),
  offset: length,
  length,
  type: text,
  subtype: maybe(text),
  kind: fc.constantFrom('prompt', 'reply', 'unknown'),
  injection: maybe(fc.constantFrom('command', 'shell')),
  author: maybe(fc.constantFrom('human', 'model')),
  uuid: maybe(text),
  parentUuid: maybe(text),
  sessionId: maybe(text),
  agentId: maybe(text),
  timestampMs: maybe(hostileNumber),
  isSidechain: fc.boolean(),
  isMeta: fc.boolean(),
  cwd: maybe(text),
  gitBranch: maybe(text),
  version: maybe(text),
  messageId: maybe(text),
  requestId: maybe(text),
  blockIndex: maybe(hostileNumber),
  model: maybe(text),
  stopReason: maybe(text),
  blocks: fc.array(text, { maxLength: 3 }),
  toolUses: fc.array(toolUse, { maxLength: 3 }),
  toolResults: fc.array(fc.record({ id: text, isError: fc.boolean() }), { maxLength: 3 }),
  usage: maybe(usage),
  boundary: maybe(
    fc.record({
      trigger: maybe(text),
      preTokens: maybe(hostileNumber),
      postTokens: maybe(hostileNumber),
      preserved: maybe(preserved),
    }),
  ),
  links: maybe(links),
}) satisfies fc.Arbitrary<Envelope>

test('any Envelopes', () => {
  fc.assert(
    fc.property(fc.array(envelope, { maxLength: 6 }), (envelopes) => {
      expect(unpackEnvelopes(packEnvelopes(envelopes))).toEqual(envelopes)
    }),
    { numRuns: 3000 },
  )
})

test('those of damaged files', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
      const random = randomOf(seed)
      const { envelopes } = readTranscript('x', splitLines(damage(bytesOf(randomRecords(random, 's', 60)), random)))
      expect(unpackEnvelopes(packEnvelopes(envelopes))).toEqual(envelopes)
    }),
    { numRuns: 500 },
  )
})

test('a page needs a fraction of the room', () => {
  const { envelopes } = readTranscript('x', splitLines(bytesOf(randomRecords(randomOf(1), 's', 500))))
  expect(packEnvelopes(envelopes).length * 4).toBeLessThan(JSON.stringify(envelopes).length)
})
