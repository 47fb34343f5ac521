// Envelopes come back from their packed form as they went in, whatever a file made of them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textFinder } from '../../src/load/packed-bytes.ts'
import type { Envelope, Usage } from '../../src/record/model.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { packEnvelopes, unpackEnvelopes, unpackRecordUuids } from '../../src/search/envelope-page.ts'
import { type PageBytes, splitPage } from '../../src/search/page-bytes.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'
import { packRows } from './row-page.ts'

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
/** Few, so that records name each other. The odd ones look like ids until somebody looks closely. */
const idText = fc.constantFrom(
  ID,
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-4000-8000-000000000001',
  '0f3a9bc1-2d4e-4f60-8a7b-9c0d1e2f3a4g',
  '0f3a9bc1-2d4e-4f60-8a7b-9c0d1e2f3a4\u0161',
  '0f3a9bc1_2d4e-4f60-8a7b-9c0d1e2f3a4b',
  'msg_01AbCdEfGhIjKlMnOpQrStUv',
  'msg_01zzzzzzzzzzzzzzzzzzzzzz',
  'msg_bdrk_01AbCdEfGhIjKlMnOpQ',
  'req_011CAbCdEfGhIjKlMnOpQrSt',
  'toolu_01AbCdEfGhIjKlMnOpQrStUv',
  'toolu_01AbCdEfGhIjKlMnOpQrSt\u0141v',
  'toolu_01AbCdEfGhIjKlMnOpQrSt-v',
  't\u0153olu_01AbCdEfGhIjKlMnOpQrStUv',
  'msg_01',
  '01',
  '_',
  '',
)
const text = fc.oneof(
  idText,
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
    isOfTeam: fc.boolean(),
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
  fc.record({ id: text, name: text, agentType: text }),
  fc.record({ id: text, name: text, promptKey: hostileNumber, agentType: text }),
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
      tokensSaved: maybe(hostileNumber),
      preserved: maybe(preserved),
    }),
  ),
  links: maybe(links),
}) satisfies fc.Arbitrary<Envelope>

const page = fc.array(envelope, { maxLength: 6 })
/** Records such as clients write, that name each other over and over. */
const dense = fc.record({
  uuid: maybe(idText),
  parentUuid: maybe(idText),
  messageId: maybe(idText),
  requestId: maybe(idText),
  toolUses: fc.array(fc.record({ id: idText, name: fc.constantFrom('Bash', 'Task') }), { maxLength: 3 }),
  toolResults: fc.array(fc.record({ id: idText, isError: fc.boolean() }), { maxLength: 3 }),
  links: maybe(
    fc.record({ sourceToolAssistantUuid: idText, parentToolUseId: idText, leafUuid: idText }, { requiredKeys: [] }),
  ),
  usage: maybe(fc.constantFrom(...[0, -0, 7].flatMap((input) => [1, 2].map((output) => usageOf(input, output))))),
  kind: fc.constantFrom('reply', 'tool-result'),
  isMeta: fc.boolean(),
  line: fc.nat(3),
})

function usageOf(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 }
}

const densePage = fc
  .tuple(envelope, fc.array(dense, { maxLength: 40 }))
  .map(([first, others]) => others.map((one) => ({ ...first, ...one }) satisfies Envelope))

test('any Envelopes', () => {
  fc.assert(
    fc.property(page, (envelopes) => {
      expect(unpackEnvelopes(packEnvelopes(envelopes))).toEqual(envelopes)
    }),
    { numRuns: 3000 },
  )
})

test('many that name each other', () => {
  fc.assert(
    fc.property(densePage, (envelopes) => {
      expect(unpackEnvelopes(packEnvelopes(envelopes))).toEqual(envelopes)
    }),
    { numRuns: 1000 },
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

test('those of the sample, with their links in the same order, in few bytes beside their ids', () => {
  const all: Envelope[] = []
  for (const path of samplePaths()) {
    const { envelopes } = readTranscript(path, splitLines(readFileSync(path)))
    expect(JSON.stringify(unpackEnvelopes(packEnvelopes(envelopes)))).toBe(JSON.stringify(envelopes))
    all.push(...envelopes)
  }
  const packed = packEnvelopes(all)
  const { uuids, ids } = splitPage(packed) as PageBytes
  expect(all.length).toBeGreaterThan(300)
  expect((packed.length - uuids.length - ids.length) / all.length).toBeLessThan(30)
})

test('none', () => {
  expect(unpackEnvelopes(packEnvelopes([]))).toEqual([])
  expect(unpackRecordUuids(packEnvelopes([]))).toEqual([])
})

/** They are from before that link. */
function withoutTeam(envelope: Envelope): Envelope {
  if (envelope.links === null) return envelope
  const { isOfTeam: _, ...older } = envelope.links
  return { ...envelope, links: older }
}

function withoutTypes(envelope: Envelope): Envelope {
  return { ...envelope, toolUses: envelope.toolUses.map(({ agentType: _, ...toolUse }) => toolUse) }
}

function withoutSaved(envelope: Envelope): Envelope {
  return envelope.boundary === null ? envelope : { ...envelope, boundary: { ...envelope.boundary, tokensSaved: null } }
}

test('pages from before they were columns', () => {
  fc.assert(
    fc.property(fc.oneof(page, densePage), (made) => {
      const envelopes = made.map(withoutTeam).map(withoutTypes).map(withoutSaved)
      expect(unpackEnvelopes(packRows(envelopes))).toEqual(envelopes)
    }),
    { numRuns: 1000 },
  )
})

test('uuids alone are those of the Envelopes', () => {
  fc.assert(
    fc.property(fc.oneof(page, densePage), fc.constantFrom(packEnvelopes, packRows), (envelopes, pack) => {
      expect(unpackRecordUuids(pack(envelopes))).toEqual(envelopes.map(({ uuid }) => uuid))
    }),
    { numRuns: 1000 },
  )
})

test('a uuid is found in a page that names it, and in no other', () => {
  const absent = '12345678-9abc-4def-8123-456789abcdef'
  fc.assert(
    fc.property(fc.oneof(page, densePage), fc.constantFrom(packEnvelopes, packRows), (envelopes, pack) => {
      const packed = pack(envelopes)
      for (const { uuid, parentUuid, links } of envelopes)
        for (const named of [uuid, parentUuid, links?.leafUuid, links?.sourceToolAssistantUuid])
          if (typeof named === 'string') expect(textFinder([absent, named])(packed)).toBe(true)
      expect(textFinder([absent])(packed)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('a page that was damaged gives Envelopes or an error that readers expect', () => {
  const { envelopes } = readTranscript('x', splitLines(bytesOf(randomRecords(randomOf(7), 's', 60))))
  const packed = packEnvelopes(envelopes)
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(packed)
      damaged[at] = byte
      try {
        unpackEnvelopes(damaged)
      } catch (error) {
        expect([RangeError, SyntaxError, TypeError].some((kind) => error instanceof kind)).toBe(true)
      }
    }),
    { numRuns: 3000 },
  )
})

function samplePaths(): readonly string[] {
  const root = join(import.meta.dirname, '../../sample/projects')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => join(root, path))
}
