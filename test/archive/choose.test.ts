// Whose a file is and which files are chosen: told by names and places, never by what is in them.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { OwnedFile } from '../../src/archive/choose.ts'
import {
  expiringFiles,
  filesOfProject,
  filesOfSessions,
  idsLike,
  ownedFiles,
  sessionCount,
} from '../../src/archive/choose.ts'
import { ownersOf } from '../../src/archive/owner.ts'

const [ONE, TWO, LOST] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
]
const root = mkdtempSync(join(tmpdir(), 'clew-choose-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Name → project and session it belongs to. */
const KEPT: Readonly<Record<string, readonly [string | null, string | null]>> = {
  [`projects/-home-ada-tidewatch/${ONE}.jsonl`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/subagents/agent-a1.jsonl`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/subagents/agent-a1.meta.json`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/subagents/workflows/wf_1/journal.jsonl`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/tool-results/b1.txt`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/custom-title.json`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${ONE}/nobody/has/seen/this.bin`]: ['-home-ada-tidewatch', ONE],
  [`projects/-home-ada-tidewatch/${LOST}/subagents/agent-a2.jsonl`]: ['-home-ada-tidewatch', LOST],
  'projects/-home-ada-tidewatch/agent-f1a7000.jsonl': ['-home-ada-tidewatch', null],
  'projects/-home-ada-tidewatch/memory/MEMORY.md': ['-home-ada-tidewatch', null],
  'projects/-home-ada-tidewatch/sessions-index.json': ['-home-ada-tidewatch', null],
  [`projects/-tmp-${LOST}/${TWO}.jsonl`]: [`-tmp-${LOST}`, TWO],
  'projects/-by-hand/notes.jsonl': ['-by-hand', 'notes'],
  'projects/-by-hand/notes/subagents/agent-a3.jsonl': ['-by-hand', 'notes'],
  'projects/-by-hand/sessions/deeper.jsonl': ['-by-hand', 'deeper'],
  [`file-history/${ONE}/0123456789abcdef@v1`]: [null, ONE],
  [`todos/${TWO}-agent-${TWO}.json`]: [null, TWO],
  [`tasks/${TWO}/1.json`]: [null, TWO],
  [`plans/${ONE}-and-more.md`]: [null, null],
  'history.jsonl': [null, null],
}
const LEFT = ['.credentials.json', 'settings.json', 'settings.local.json', 'sessions/7.json', 'shell-snapshots/a.sh']
for (const name of [...Object.keys(KEPT), ...LEFT]) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), 'not even JSON')
}
symlinkSync(join(root, '.credentials.json'), join(root, 'projects', '-by-hand', 'link.jsonl'))
const files = ownedFiles(root)
const names = (chosen: readonly OwnedFile[]): readonly string[] => chosen.map(({ name }) => name).sort()

test('everything of a Claude directory but what is secret, and whose it is', () => {
  expect(names(files)).toEqual(Object.keys(KEPT).sort())
  const found = Object.fromEntries(files.map(({ name, projectKey, sessionId }) => [name, [projectKey, sessionId]]))
  expect(found).toEqual(KEPT)
  expect(sessionCount(files)).toBe(4)
})

test('a folder without its transcript belongs to its id, if it is one', () => {
  const ownerOf = ownersOf([])
  expect(ownerOf(`projects/-p/${ONE}/subagents/agent-a.jsonl`).sessionId).toBe(ONE)
  expect(ownerOf('projects/-by-hand/notes/subagents/agent-a3.jsonl').sessionId).toBeNull()
})

describe('chosen', () => {
  const of = (test: (name: string) => boolean): readonly string[] => Object.keys(KEPT).filter(test).sort()

  test.each(['tidewatch', '/home/ada/tidewatch', 'ADA-TIDE'])('by project: %s', (part) => {
    const wanted = of((name) => name.includes('tidewatch') || name.startsWith(`file-history/${ONE}`))
    expect(names(filesOfProject(files, part))).toEqual(wanted)
  })

  test('by session, with flat files that may be its', () => {
    const wanted = of((name) => KEPT[name]?.[1] === ONE || name.endsWith('agent-f1a7000.jsonl'))
    expect(names(filesOfSessions(files, new Set([ONE])))).toEqual(wanted)
  })

  test('by the beginning of an id', () => {
    const ids = files.map(({ sessionId }) => sessionId)
    expect(idsLike(ids, '2')).toEqual([TWO])
    expect(idsLike(ids, ONE)).toEqual([ONE])
    expect(idsLike(ids, '')).toHaveLength(5)
    expect(idsLike(ids, 'x')).toEqual([])
  })

  test('by age: a session with one old file goes along whole, a file of nobody by itself', () => {
    const old = [`projects/-home-ada-tidewatch/${ONE}/subagents/agent-a1.jsonl`, 'history.jsonl']
    const time = ({ name }: OwnedFile): number | null => (old.includes(name) ? 100 : name.includes(TWO) ? null : 200)
    expect(names(expiringFiles(files, time, 150))).toEqual(of((name) => KEPT[name]?.[1] === ONE || old.includes(name)))
    expect(expiringFiles(files, time, 99)).toEqual([])
  })
})
