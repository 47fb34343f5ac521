// Two handles of one index in one process. Locks belong to the process: whoever closes any descriptor of a file gives
// them all up, and another process would take the file for nobody's.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/search/database.ts'
import { takeLock } from '../../src/search/lock.ts'
import { newFolder, projectFolder } from '../cli/run.ts'

/** What another process meets with. */
function elsewhere(path: string, sql: string): string {
  const script = `import { DatabaseSync } from '@photostructure/sqlite'
    try { new DatabaseSync(process.argv[1]).exec(process.argv[2]); console.log('free') }
    catch (error) { console.log(error.message) }`
  const words = ['--input-type=module', '-e', script, path, sql]
  return spawnSync(process.execPath, words, { cwd: projectFolder, encoding: 'utf8' }).stdout.trim()
}

test('a second open and close leaves the first one its locks', () => {
  const path = join(newFolder('cache'), 'index.sqlite')
  const first = openDatabase(path)
  const toLeaveTheLog = 'PRAGMA journal_mode=DELETE'
  expect(elsewhere(path, toLeaveTheLog)).toBe('database is locked')
  openDatabase(path).close()
  expect(elsewhere(path, toLeaveTheLog)).toBe('database is locked')
  first.close()
})

test('a lock is given once, and to nobody else meanwhile', () => {
  const path = join(newFolder('cache'), 'index.sqlite')
  const lock = takeLock(path)
  expect(lock).not.toBeNull()
  expect(takeLock(path)).toBeNull()
  expect(elsewhere(`${path}.lock`, 'BEGIN EXCLUSIVE')).toBe('database is locked')
  lock?.release()
  expect(elsewhere(`${path}.lock`, 'BEGIN EXCLUSIVE')).toBe('free')
})

test('a lock that is garbage still locks', () => {
  const path = join(newFolder('cache'), 'index.sqlite')
  writeFileSync(join(dirname(path), 'index.sqlite.lock'), 'tide '.repeat(10_000))
  const lock = takeLock(path)
  expect(takeLock(path)).toBeNull()
  lock?.release()
})
