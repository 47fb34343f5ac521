// Commands that show one conversation bring an index up to date that is a little behind, where else all of the project would
// be read; they never make one, and say the same when another Clew is at it.

import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { filesBehind } from '../../src/search/behind.ts'
import { openDatabase } from '../../src/search/database.ts'
import { KeptIndex } from '../../src/search/kept-index.ts'
import { takeLock } from '../../src/search/lock.ts'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from './records.ts'
import { clew, newFolder } from './run.ts'

const [quiet, live] = [sessionId('1'), sessionId('2')]
const LINES = [
  ['show', 'zebra'],
  ['show', quiet, '--json'],
  ['brief', quiet],
  ['export', quiet],
  ['tree', quiet],
  ['check', quiet],
  ['files', quiet],
  ['brief', `projects/-home-ada-tidewatch/${quiet}.jsonl`],
  ['export', `projects/-home-ada-tidewatch/${quiet}.jsonl`],
  ['tree', `projects/-home-ada-tidewatch/${quiet}.jsonl`],
  ['check', `projects/-home-ada-tidewatch/${quiet}.jsonl`],
]

/** An index that is behind: a session has gone on, and one has begun. */
function behind() {
  const root = writeBelow(newFolder('claude'), {
    [`projects/-home-ada-tidewatch/${quiet}.jsonl`]: session(quiet, [
      prompt('u1', null, 'a zebra'),
      reply('a1', 'u1', 'Striped.'),
    ]),
    [`projects/-home-ada-tidewatch/${live}.jsonl`]: session(live, [prompt('u2', null, 'an okapi')]),
  })
  const cache = newFolder('cache')
  const run = (words: readonly string[]) =>
    clew([...words, '--root', root], { cwd: root, env: { XDG_CACHE_HOME: cache } })
  const index = join(cache, 'clew', 'index.sqlite')
  run(['list'])
  const [more] = session(live, [reply('a2', 'u2', 'Half striped.')])
  appendFileSync(
    join(root, 'projects', '-home-ada-tidewatch', `${live}.jsonl`),
    jsonl(more === undefined ? [] : [more]),
  )
  writeBelow(root, {
    [`projects/-home-ada-tidewatch/${sessionId('3')}.jsonl`]: session(sessionId('3'), [prompt('u3', null, 'a tapir')]),
  })
  const left = (): number => {
    const database = openDatabase(index)
    const count = filesBehind(database, findTranscripts([root]))
    database.close()
    return count
  }
  expect(left()).toBe(2)
  return { run, index, left }
}

test.each(LINES)('%s %s', (...words) => {
  const { run, left } = behind()
  const ran = run(words)
  expect(left()).toBe(0)
  expect(ran).toEqual(run([...words, '--no-index']))
  expect(ran.status).toBe(0)
})

test('with another Clew at it, the files are read', () => {
  const { run, index, left } = behind()
  const lock = takeLock(index)
  try {
    for (const words of LINES) expect(run(words)).toEqual(run([...words, '--no-index']))
    expect(left()).toBe(2)
  } finally {
    lock?.release()
  }
})

test('a name that fits several conversations leaves it as it is', () => {
  const folder = 'projects/-home-ada-tidewatch'
  const root = writeBelow(newFolder('claude'), {
    [`${folder}/abc0-1.jsonl`]: session('abc0-1', [prompt('u1', null, 'a zebra')]),
    [`${folder}/abc0-2.jsonl`]: session('abc0-2', [prompt('u2', null, 'an okapi')]),
    [`${folder}/other.jsonl`]: session('other', [prompt('u3', null, 'a tapir')]),
  })
  const cache = newFolder('cache')
  const run = (...words: readonly string[]) => clew([...words, '--root', root], { env: { XDG_CACHE_HOME: cache } })
  const stamps = () => {
    const index = new KeptIndex(join(cache, 'clew', 'index.sqlite'))
    const all = index.stamps()
    index.close()
    return all
  }
  run('list')
  const before = stamps()
  expect(before.size).toBe(1)
  for (const command of ['show', 'check'])
    expect(run(command, 'abc0').err).toMatch(/fits 2 conversations: .*\((?:a zebra|an okapi)\), .*\)\n$/)
  expect(stamps()).toEqual(before)
})

test('none is made', () => {
  const root = writeBelow(newFolder('claude'), {
    [`projects/-home-ada-tidewatch/${quiet}.jsonl`]: session(quiet, [prompt('u1', null, 'a zebra')]),
  })
  const cache = newFolder('cache')
  for (const words of LINES) clew([...words, '--root', root], { env: { XDG_CACHE_HOME: cache } })
  expect(existsSync(join(cache, 'clew', 'index.sqlite'))).toBe(false)
})
