// A transcript of 100 MB, planned from its file and written again as a new session: only Envelopes are kept of it.

import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planRepair } from '../../src/mend/plan.ts'
import { bytesInFile } from '../../src/mend/transcript-bytes.ts'
import { GONE, longTalk } from './damage.ts'

test('a transcript of 100 MB is planned in seconds, and what is kept is not its size', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clew-large-'))
  const path = join(folder, 'large.jsonl')
  const written = openSync(path, 'w')
  const filler = 'tide '.repeat(400)
  for (const [at, record] of longTalk(25_000).entries()) {
    const parentUuid = at % 1000 === 500 ? GONE : record['parentUuid']
    writeSync(written, `${JSON.stringify({ ...record, parentUuid, toolUseResult: filler })}\n`)
  }
  closeSync(written)
  const fd = openSync(path, 'r')
  const { size } = fstatSync(fd)
  const before = process.memoryUsage().rss
  const started = performance.now()
  const { plan, bytes } = planRepair(bytesInFile(fd, size, path), { nowMs: 0 })
  const plannedMs = performance.now() - started
  let length = 0
  for (const part of bytes({ kind: 'new-session', sessionId: 'new', fromSessionId: 'old' })) length += part.length
  const grownBytes = process.memoryUsage().rss - before
  const facts = { megabytes: size / 1e6, plannedMs, writtenMs: performance.now() - started - plannedMs, grownBytes }
  console.log(JSON.stringify(facts))
  closeSync(fd)
  rmSync(folder, { recursive: true })
  expect(size).toBeGreaterThan(100_000_000)
  expect(plan.steps).toHaveLength(50)
  expect(length).toBeGreaterThan(size)
  expect(plannedMs).toBeLessThan(60_000)
  expect(grownBytes).toBeLessThan(600_000_000)
})
