// An index from before there were token accounts: its files are read again, and what it knew of deleted ones stays.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { readUsage } from '../../src/load/usage.ts'
import { goneConversations } from '../../src/search/access.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { isSettled } from '../../src/search/settled.ts'
import { storedUsage } from '../../src/search/stored-usage.ts'
import { bytesOf, SESSION, talk } from '../mend/healthy.ts'
import { dumpIndex, strayRows } from './dump.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-migration-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('is brought up to what it would be had it been made today', async () => {
  const root = join(folder, 'claude')
  const path = join(folder, 'index.sqlite')
  cpSync(join(import.meta.dirname, '../../sample'), root, { recursive: true })
  const old = openDatabase(path)
  await ingest(old, path, findTranscripts([root]), { nowMs: 1 })
  rmSync(join(root, 'projects/-home-ada-dotfiles'), { recursive: true })
  const archive = findTranscripts([root])
  await ingest(old, path, archive, { nowMs: 2 })
  old.exec(
    'ALTER TABLE file DROP COLUMN changed_ms; DROP TABLE usage_page; DROP TABLE ledger; DROP INDEX file_gone; DROP TABLE layout; DROP TABLE layout_page; DROP INDEX conversation_by_continues; DROP INDEX conversation_by_fork; PRAGMA user_version=2',
  )
  old.close()

  const kept = openDatabase(path)
  expect(storedUsage(kept, archive).files).toEqual([])
  expect(storedUsage(kept, archive).stale).toHaveLength(archive.projects.flatMap(({ files }) => files).length)
  await ingest(kept, path, archive, { nowMs: 3 })
  const fresh = openDatabase(null)
  await ingest(fresh, null, archive, { nowMs: 3 })
  expect(strayRows(kept)).toEqual([])
  expect(dumpIndex(kept)).toEqual(dumpIndex(fresh))
  expect(storedUsage(kept, archive)).toEqual({ files: await readUsage(archive), stale: [] })
  expect(goneConversations(kept, [root])).toHaveLength(2)
  kept.close()
  fresh.close()
})

test.each([
  ['in which a team stands aside', 9],
  ['with fewer labels', 10],
])('an index %s is made anew', async (_, version) => {
  const root = join(folder, `${version}`)
  const path = join(folder, `${version}.sqlite`)
  const project = join(root, 'projects', '-home-ada')
  mkdirSync(project, { recursive: true })
  const records = talk().map((record) => ('uuid' in record ? { ...record, teamName: 'pilots' } : record))
  writeFileSync(join(project, `${SESSION}.jsonl`), bytesOf(records))
  const archive = findTranscripts([root])
  const old = openDatabase(path)
  await ingest(old, path, archive, { nowMs: 1 })
  const woven = dumpIndex(old)
  // It remembers that nothing is left to do.
  expect(await ingest(old, path, archive, { nowMs: 1 })).toBe('unchanged')
  expect(isSettled(old, archive)).toBe(true)
  old.exec(
    `DELETE FROM page; UPDATE conversation SET summary = '{}'; ALTER TABLE file DROP COLUMN changed_ms; PRAGMA user_version=${version}`,
  )
  old.close()

  const kept = openDatabase(path)
  await ingest(kept, path, archive, { nowMs: 2 })
  expect(strayRows(kept)).toEqual([])
  expect(dumpIndex(kept)).toEqual(woven)
  kept.close()
})

test.each([13, 14])('an index of version %i knew less of what was touched, and is made anew', async (version) => {
  const root = join(folder, `${version}`)
  const path = join(folder, `${version}.sqlite`)
  cpSync(join(import.meta.dirname, '../../sample'), root, { recursive: true })
  const archive = findTranscripts([root])
  const old = openDatabase(path)
  await ingest(old, path, archive, { nowMs: 1 })
  const woven = dumpIndex(old)
  old.exec(`DELETE FROM tool_call; UPDATE conversation SET summary = '{}'; PRAGMA user_version=${version}`)
  old.close()
  const kept = openDatabase(path)
  await ingest(kept, path, archive, { nowMs: 2 })
  expect(dumpIndex(kept)).toEqual(woven)
  kept.close()
})

test('an index that did not know where a session of the event-log dialect began reads it again', async () => {
  const root = join(folder, 'log')
  const path = join(folder, 'log.sqlite')
  mkdirSync(join(root, 'projects', '-home-ada'), { recursive: true })
  writeFileSync(join(root, 'projects', '-home-ada', `${SESSION}.jsonl`), bytesOf(talk()))
  const id = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee'
  const log = [
    { type: 'session_start', sessionId: id, projectPath: '/home/ada/loom' },
    { type: 'message', role: 'user', content: 'Spin.', sessionId: id },
  ]
  mkdirSync(join(root, 'projects', 'abc', 'sessions'), { recursive: true })
  writeFileSync(join(root, 'projects', 'abc', 'sessions', `${id}.jsonl`), bytesOf(log))
  const archive = findTranscripts([root])
  const old = openDatabase(path)
  await ingest(old, path, archive, { nowMs: 1 })
  const made = dumpIndex(old)
  old.exec(
    `UPDATE conversation SET summary = replace(summary, '"cwd":"/home/ada/loom"', '"cwd":null'); PRAGMA user_version=11`,
  )
  old.close()
  const kept = openDatabase(path)
  expect(kept.prepare('SELECT count(*) AS n FROM file WHERE size = -1').get()).toEqual({ n: 2 })
  await ingest(kept, path, archive, { nowMs: 2 })
  expect(dumpIndex(kept)).toEqual(made)
  kept.close()
})
