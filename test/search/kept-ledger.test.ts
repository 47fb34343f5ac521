// The ledgers that an index keeps: for which archives, and under which version. That they are right is a law in
// laws.test.ts; how they are used, a test of the command.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { foldUsage } from '../../src/digest/usage-fold.ts'
import type { UsageLedger } from '../../src/digest/usage-ledger.ts'
import { ledgerOf } from '../../src/digest/usage-ledger.ts'
import { rollUp } from '../../src/digest/usage-rollup.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { openDatabase, versionOf } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { keepLedger, LEDGER_VERSION, readLedger } from '../../src/search/kept-ledger.ts'
import { packLedger, unpackLedger } from '../../src/search/ledger-pack.ts'
import { takeLock } from '../../src/search/lock.ts'
import { record, source, usage } from '../digest/usage-case.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SOURCES = [
  source('one', [record('m', { isFinal: false }), record('n', { line: 2, timestampMs: 5, rate: 'us' })]),
  source('two', [record('m', { sessionId: 'two', isFork: true, usage: usage(9, 1, 2, 3, 1) })]),
  source('one', [record('a', { usage: usage(3, 7, 250_000), model: 'claude-sonnet-4-5' }), record(null)], {
    role: 'subagent',
    agentId: 'a1',
    path: '/p/agent-a1.jsonl',
  }),
  source('gone', [record('g', { timestampMs: null, cwd: null, sessionId: null })], { isGone: true }),
]
const made = rollUp(ledgerOf(foldUsage(SOURCES))) as UsageLedger

// When this fails, old indexes hold ledgers that mean something else: raise LEDGER_VERSION, then write both down anew.
test('what a ledger says is that of its version', () => {
  const { places, paths, ...columns } = unpackLedger(packLedger(made))
  const said = JSON.stringify([places, [...paths], columns])
  expect([LEDGER_VERSION, crc32(said)]).toEqual([1, 3_657_613_378])
})

test('kept while nothing changes, for a few archives, and by one process at a time', async () => {
  const path = join(folder, 'index.sqlite')
  const sample = join(import.meta.dirname, '../../sample')
  const database = openDatabase(path)
  const archives = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
      cpSync(sample, join(folder, name), { recursive: true })
      const archive = findTranscripts([join(folder, name)])
      await ingest(database, path, archive, { nowMs: 1 })
      return archive
    }),
  )
  const keep = (archive: (typeof archives)[number], version = versionOf(database)): void =>
    keepLedger(database, path, archive, { ledger: made, goneFiles: 1, version })
  const [first, ...rest] = archives as [(typeof archives)[number], ...typeof archives]
  const lock = takeLock(path)
  keep(first)
  expect(readLedger(database, first, true)).toBeNull()
  lock?.release()
  keep(first, versionOf(database) - 1)
  expect(readLedger(database, first, true)).toBeNull()
  keep(first)
  expect(readLedger(database, first, true)).toEqual(made)
  expect(readLedger(database, first, false)).toBeNull()
  expect(readLedger(database, { ...first, projects: first.projects.slice(1) }, true)).toBeNull()
  for (const archive of rest) keep(archive)
  expect(archives.map((archive) => readLedger(database, archive, true) !== null)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
  database.close()
})
