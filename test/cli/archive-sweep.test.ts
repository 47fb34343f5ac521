// Sixty days with a client that deletes what is thirty days old: whatever was said is still there at the end, whether
// hooks archive at the end of sessions or a run once a day takes what is about to go.

import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { archive } from '../../src/cli/archive.ts'
import { list } from '../../src/cli/list.ts'
import { randomOf } from '../random.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import { jsonl, talk } from './records.ts'
import { newFolder } from './run.ts'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-03-01T09:00:00.000Z')
const DAYS = 60

describe.each([
  ['a hook at the end of each session', 'hook', 30],
  ['a run once a day', 'daily', 30],
  ['a run once a day, and a client that keeps two days', 'daily', 2],
  ['a run every sixth day', 'sixth', 30],
] as const)('%s', (_, way, keptDays) => {
  test('loses nothing', { timeout: 240_000 }, async () => {
    const random = randomOf(7)
    const root = newFolder('claude')
    const more = { CLAUDE_CONFIG_DIR: root, XDG_DATA_HOME: newFolder('data'), XDG_CACHE_HOME: newFolder('cache') }
    const run = (nowMs: number, ...words: readonly string[]): Promise<RanHere> => runHere(archive, words, nowMs, more)
    writeFileSync(join(root, 'settings.json'), JSON.stringify({ cleanupPeriodDays: keptDays }))
    const ids: string[] = []
    let deleted = 0
    for (let day = 0; day < DAYS; day++) {
      const nowMs = START_MS + day * DAY_MS
      // Before anybody works, the client of that day starts and sweeps.
      deleted += sweep(root, nowMs - keptDays * DAY_MS)
      const id = `${String(day).padStart(8, '0')}-0000-4000-8000-000000000000`
      ids.push(id)
      const folder = join(root, 'projects', `-home-ada-p${day % 3}`)
      write(join(folder, `${id}.jsonl`), jsonl(talk(id, `What was said on day ${day}?`)), nowMs)
      write(join(folder, id, 'subagents', 'agent-a1.jsonl'), `{"day":${day}}\n`, nowMs)
      write(join(folder, id, 'tool-results', 'b1.txt'), `spilled ${day}`, nowMs)
      write(join(root, 'file-history', id, '0123456789abcdef@v1'), `file ${day}`, nowMs)
      // An older one goes on, if it is still there.
      const older = random.pick(ids)
      const path = join(root, 'projects', `-home-ada-p${Number(older.slice(0, 8)) % 3}`, `${older}.jsonl`)
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) write(path, `{"type":"more","day":${day}}\n`, nowMs)
      if (way === 'hook') expect((await run(nowMs, '--all')).status).toBe(0)
      else if (way === 'daily' || day % 6 === 5) expect((await run(nowMs, '--expiring')).status).toBe(0)
    }
    const endMs = START_MS + DAYS * DAY_MS
    expect(deleted).toBeGreaterThan(DAYS)
    await run(endMs, '--all')
    const listed = await runHere(list, ['--json'], endMs, more)
    expect(listed.err).toBe('')
    const rows = listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sessionId: string; isCopy: boolean })
    expect(rows.map(({ sessionId }) => sessionId).sort()).toEqual(ids)
    expect(rows.filter(({ isCopy }) => isCopy).length).toBeGreaterThan(DAYS / 4)
    const restored = await run(endMs, 'restore', '--all')
    expect([restored.status, restored.out]).toEqual([0, expect.not.stringContaining('not restored')])
    expect(written.get(root)).toEqual(hashes(root))
  })
})

/** What the files of a Claude directory hold, deleted ones too. */
const written = new Map<string, Record<string, string>>()

function write(path: string, text: string, nowMs: number): void {
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, text)
  utimesSync(path, nowMs / 1000, nowMs / 1000)
  const root = path.slice(0, path.search(/\/(?:projects|file-history)\//))
  const known = written.get(root) ?? {}
  known[path.slice(root.length + 1)] = hashOf(path)
  written.set(root, known)
}

function sweep(root: string, beforeMs: number): number {
  const old = filesOf(root).filter((name) => statSync(join(root, name)).mtimeMs < beforeMs)
  for (const name of old) rmSync(join(root, name))
  return old.length
}

function filesOf(root: string): readonly string[] {
  return ['projects', 'file-history'].flatMap((folder) =>
    statSync(join(root, folder), { throwIfNoEntry: false }) === undefined
      ? []
      : readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((found) => found.isFile())
          .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
  )
}

function hashes(root: string): Record<string, string> {
  return Object.fromEntries(filesOf(root).map((name) => [name, hashOf(join(root, name))]))
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
