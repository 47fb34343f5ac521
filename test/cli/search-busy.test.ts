// A search while another Clew brings the index up to date: words are there before conversations, and whoever asks for some
// conversations only is told that not all of them are known.

import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/search/database.ts'
import type { Lock } from '../../src/search/lock.ts'
import { takeLock } from '../../src/search/lock.ts'
import { prompt, session, sessionId, writeBelow } from './records.ts'
import { clew, newFolder } from './run.ts'

const root = writeBelow(newFolder('claude'), {
  [`projects/-home-ada-tidewatch/${sessionId('1')}.jsonl`]: session(sessionId('1'), [prompt('a', null, 'a zebra')]),
  [`projects/-home-ada-tidewatch/${sessionId('2')}.jsonl`]: session(sessionId('2'), [prompt('b', null, 'an okapi')]),
})
const IN_SCOPE = ['search', 'zebra', '--project', 'tidewatch', '--root', root]

let cache = ''
let lock: Lock | null = null

beforeEach(() => {
  cache = newFolder('cache')
  run(IN_SCOPE)
})

afterEach(free)

function free(): void {
  lock?.release()
  lock = null
}

function run(words: readonly string[]) {
  return clew(words, { env: { XDG_CACHE_HOME: cache } })
}

/** As it stands between what is read and what is woven, with somebody else at it. */
function unweave(): void {
  const path = join(cache, 'clew', 'index.sqlite')
  const database = openDatabase(path)
  database.exec(`DELETE FROM setting WHERE name GLOB 'settled *'; DELETE FROM conversation; DELETE FROM layout;
    DELETE FROM layout_page; DELETE FROM project`)
  database.close()
  lock = takeLock(path)
}

const NOTE = 'clew: another clew is indexing; 2 files could not be looked into yet\n'

test.each([
  ['words', IN_SCOPE],
  ['bytes', [...IN_SCOPE, '--exact']],
])('files that no conversation is known of are counted: %s', (_, words) => {
  unweave()
  const { status, out, err } = run(words)
  expect([status, out, err]).toEqual([0, '', `${NOTE}clew: nothing matches\n`])
  free()
  expect(run(words).out).toContain('a zebra')
})

test('nobody waits for another who has nothing to do for this archive', () => {
  lock = takeLock(join(cache, 'clew', 'index.sqlite'))
  const { out, err } = run(IN_SCOPE)
  expect(out).toContain('a zebra')
  expect(err).toBe('')
})
