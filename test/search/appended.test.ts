// Where files have only grown, mostly their own conversations alone are woven again; and yet the index is the one that is
// built at once. Here nearly everything that happens is something appended, with whatever ties files together in it. A
// row of another conversation is marked before each ingest: where the mark is still there, that one was left alone.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { Database } from '../../src/search/database.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { SIZES } from '../../src/search/sizes.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { APPENDS, WEIGHED_ACTS } from './archive-acts.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { dumpIndex, strayRows } from './dump.ts'
import { newUuid } from './session-script.ts'

const histories = Number(process.env['CLEW_LAWS'] ?? (process.env['CLEW_LONG'] === '1' ? 100 : 15))
const first = Number(process.env['CLEW_LAWS_SEED'] ?? 1)
const folder = mkdtempSync(join(tmpdir(), 'clew-appended-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW_MS = 1_800_000_000_000
const MARK = '["marked"]'

it(`${histories} histories of files that grow`, { timeout: 3_600_000 }, async () => {
  const counts = { alone: 0, whole: 0 }
  for (let seed = first; seed < first + histories; seed++) {
    const did: string[] = []
    try {
      await live(seed, did, counts)
    } catch (error) {
      if (error instanceof Error) error.message = `CLEW_LAWS_SEED=${seed}: ${did.join(' · ')}\n${error.message}`
      throw error
    }
  }
  // Both ways are gone often.
  if (histories >= 15) expect(Math.min(counts.alone, counts.whole)).toBeGreaterThan(histories)
})

async function live(seed: number, did: string[], counts: { alone: number; whole: number }): Promise<void> {
  const random = randomOf(seed)
  const root = join(folder, String(seed))
  const writer = new ArchiveWriter(root, random)
  const project = join(root, 'projects', '-home-ada-tidewatch')
  mkdirSync(project, { recursive: true })
  for (let files = 3 + random.below(3); files > 0; files--) {
    const path = join(project, `${newUuid(random)}.jsonl`)
    act(writer, path, 'says', random)
  }
  for (const name of ['is forked', 'is continued', 'starts an agent', 'starts a flat agent'])
    if (random.chance(0.6)) act(writer, somePath(project, random), name, random)
  const kept = openDatabase(null)
  await ingest(kept, null, findTranscripts([root]), { nowMs: NOW_MS })
  const sizes = { ...SIZES, wholeBytes: seed % 2 === 0 ? 0 : SIZES.wholeBytes }
  for (let step = 12; step > 0; step--) {
    for (let acts = 1 + random.below(2); acts > 0 && transcriptsIn(project).length > 0; acts--) {
      const path = somePath(project, random)
      const { name, run } = random.pick(random.chance(0.9) ? APPENDS : WEIGHED_ACTS)
      did.push(`${name} ${path.slice(project.length + 1)}`)
      run(writer, path, random)
    }
    if (random.chance(0.3) && transcriptsIn(project).length > 0) {
      // Somebody writes on while it is read.
      const found = findTranscripts([root])
      const path = somePath(project, random)
      const { name, run } = random.pick(APPENDS)
      run(writer, path, random)
      await ingest(kept, null, found, { nowMs: NOW_MS, sizes })
      did.push(`meanwhile ${name} ${path.slice(project.length + 1)}`)
    }
    const archive = findTranscripts([root])
    const marked = mark(kept, random)
    if ((await ingest(kept, null, archive, { nowMs: NOW_MS, sizes })) === 'unchanged') did.push('nothing changed')
    did.push(unmark(kept, marked) ? 'alone |' : 'whole |')
    counts[did.at(-1) === 'alone |' ? 'alone' : 'whole']++
    const fresh = openDatabase(null)
    await ingest(fresh, null, archive, { nowMs: NOW_MS })
    expect(strayRows(kept)).toEqual([])
    const [one, other] = [dumpIndex(kept), dumpIndex(fresh)]
    if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other)
    fresh.close()
  }
  kept.close()
  rmSync(root, { recursive: true })
}

function act(writer: ArchiveWriter, path: string, name: string, random: Random): void {
  WEIGHED_ACTS.find((one) => one.name === name)?.run(writer, path, random)
}

/** All of them may have moved away, or have become folders. */
function transcriptsIn(project: string): readonly string[] {
  if (!existsSync(project)) return []
  return readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && found.name.endsWith('.jsonl'))
    .map((found) => join(found.parentPath, found.name))
    .sort()
}

function somePath(project: string, random: Random): string {
  return random.pick(transcriptsIn(project))
}

interface Marked {
  readonly project: number
  readonly file: number
  readonly models: string
}

function mark(database: Database, random: Random): Marked | null {
  const rows = database.prepare('SELECT project, file, models FROM conversation ORDER BY file').all()
  if (rows.length === 0) return null
  const marked = random.pick(rows) as unknown as Marked
  database.prepare('UPDATE conversation SET models = ? WHERE file = ?').run(MARK, marked.file)
  return marked
}

/** True where it was still there. */
function unmark(database: Database, marked: Marked | null): boolean {
  if (marked === null) return false
  const { models, project, file } = marked
  const undo = database.prepare('UPDATE conversation SET models = ? WHERE project = ? AND file = ? AND models = ?')
  return Number(undo.run(models, project, file, MARK).changes) > 0
}
