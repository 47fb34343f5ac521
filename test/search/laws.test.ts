// The law of the index: brought up to date step by step, through whatever happens to the files and to the ingests, it is
// the index that is built at once from what is on disk now, and it answers what the disk answers. A failure names its
// seed. CLEW_LAWS sets how many histories are lived through, CLEW_LAWS_SEED where to begin.

import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { conversationOf } from '../../src/conversation/conversation.ts'
import { foldUsage } from '../../src/digest/usage-fold.ts'
import type { UsageLedger } from '../../src/digest/usage-ledger.ts'
import { ledgerOf } from '../../src/digest/usage-ledger.ts'
import { rollUp } from '../../src/digest/usage-rollup.ts'
import { FROM_DISK } from '../../src/load/access.ts'
import type { FoundTranscripts } from '../../src/load/found.ts'
import { findTranscripts, mainFiles } from '../../src/load/found.ts'
import { loadFile } from '../../src/load/read.ts'
import { openSession } from '../../src/load/session.ts'
import type { UsageFile } from '../../src/load/usage.ts'
import { readUsage } from '../../src/load/usage.ts'
import { indexAccess } from '../../src/search/access.ts'
import type { Database } from '../../src/search/database.ts'
import { openDatabase, versionOf } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { keepLedger, readLedger } from '../../src/search/kept-ledger.ts'
import type { IngestSizes } from '../../src/search/sizes.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { storedUsage } from '../../src/search/stored-usage.ts'
import { expectPartsAreEnough } from '../load/in-parts.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { dumpIndex, strayRows } from './dump.ts'
import { compareSearches } from './same-hits.ts'

const histories = Number(process.env['CLEW_LAWS'] ?? (process.env['CLEW_LONG'] === '1' ? 200 : 60))
const first = Number(process.env['CLEW_LAWS_SEED'] ?? 1)
const folder = mkdtempSync(join(tmpdir(), 'clew-laws-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW_MS = 1_800_000_000_000

it(`${histories} histories end where one rebuild begins`, { timeout: 7_200_000 }, async () => {
  for (let seed = first; seed < first + histories; seed++) {
    const did: string[] = []
    try {
      await live(seed, did)
    } catch (error) {
      if (error instanceof Error) error.message = `CLEW_LAWS_SEED=${seed}: ${did.join(' · ')}\n${error.message}`
      throw error
    }
  }
  // A file that was only touched is another one to a ledger, so that few outlive a step.
  if (histories >= 100) expect(ledgersMet).toBeGreaterThan(0)
  expect(kinMet).toBeGreaterThan(histories)
})

let ledgersMet = 0
/** Sessions of which the index knew how they are related to others. */
let kinMet = 0

async function live(seed: number, did: string[]): Promise<void> {
  const random = randomOf(seed)
  const root = join(folder, String(seed))
  const writer = new ArchiveWriter(root, random)
  // Most of them in memory, which is several times faster; a file is opened anew before each step.
  const path = random.chance(0.2) ? join(root, 'cache', 'index.sqlite') : null
  if (path !== null) mkdirSync(join(root, 'cache'))
  let kept = openDatabase(path)
  for (let step = 3 + random.below(5); step > 0; step--) {
    for (let acts = 1 + random.below(4); acts > 0; acts--) did.push(writer.step())
    const archive = findTranscripts([root])
    const early = readLedger(kept, archive, true)
    if (random.chance(0.3)) did.push(await interrupted(kept, path, archive, random))
    const project = writer.folder()
    // Who names a link as a root sees what no other does.
    if (random.chance(0.2) && lstatSync(project, { throwIfNoEntry: false })?.isDirectory()) {
      did.push('one project is looked at')
      await ingest(kept, path, findTranscripts([project]), { nowMs: NOW_MS })
    }
    await ingest(kept, path, archive, { nowMs: NOW_MS, sizes: someSizes(random) })
    did.push('|')
    const fresh = openDatabase(null)
    await ingest(fresh, null, archive, { nowMs: NOW_MS })
    expect(strayRows(kept)).toEqual([])
    same(dumpIndex(kept), dumpIndex(fresh))
    await compareLists(kept, archive)
    await compareUsage(kept, archive)
    compareLedgers(kept, path, archive, early)
    // What takes longest is asked at the end, when most has happened.
    if (step === 1) {
      await compareConversations(kept, archive)
      compareSearches(kept, fresh, NOW_MS)
      expectPartsAreEnough(archive)
    }
    fresh.close()
    if (path === null) continue
    kept.close()
    kept = openDatabase(path)
  }
  kept.close()
  rmSync(root, { recursive: true })
}

/** From one transaction to one for each Batch, with and without a merge at the end. */
function someSizes({ chance, pick }: Random): IngestSizes {
  const bulkBytes = chance(0.3) ? 0 : SIZES.bulkBytes
  return {
    ...SIZES,
    windowBytes: pick([2000, SIZES.windowBytes]),
    batchRecords: pick([100, SIZES.batchRecords]),
    commitBytes: pick([0, 4096, 1 << 20]),
    bulkBytes,
    wholeBytes: pick([0, SIZES.wholeBytes]),
  }
}

/** Something goes wrong after some of the Batches: what was committed stays, the rest is tried again. */
async function interrupted(
  database: Database,
  path: string | null,
  archive: FoundTranscripts,
  random: Random,
): Promise<string> {
  let left = random.below(4)
  const onProgress = (): void => {
    if (left-- === 0) throw new Error('interrupted')
  }
  try {
    await ingest(database, path, archive, { nowMs: NOW_MS, sizes: someSizes(random), onProgress })
    return 'nothing goes wrong'
  } catch (error) {
    if (!(error instanceof Error && error.message === 'interrupted')) throw error
    return 'the ingest is interrupted'
  }
}

async function compareLists(kept: Database, archive: FoundTranscripts): Promise<void> {
  const access = indexAccess(kept, null)
  for (const file of archive.projects.flatMap(({ files }) => files)) same(access.read(file), loadFile(file))
  same(await access.list(archive), await FROM_DISK.list(archive))
}

async function compareUsage(kept: Database, archive: FoundTranscripts): Promise<void> {
  const { files, stale } = storedUsage(kept, archive)
  const fromDisk: readonly UsageFile[] = await readUsage(archive)
  // A file that cannot be read is current nowhere.
  const behind = new Set(stale.map(({ path }) => path))
  same(byPath(files.filter(({ isGone }) => !isGone)), byPath(fromDisk.filter(({ path }) => !behind.has(path))))
}

/** What was kept of the accounts, before and after, is what they come to now; or nothing was kept. */
function compareLedgers(
  kept: Database,
  path: string | null,
  archive: FoundTranscripts,
  early: UsageLedger | null,
): void {
  const { files, stale } = storedUsage(kept, archive)
  const made = rollUp(ledgerOf(foldUsage(files)))
  if (early !== null) same(early, made)
  const before = readLedger(kept, archive, true)
  if (before !== null) same(before, made)
  if (early !== null || before !== null) ledgersMet++
  if (made === null || stale.length > 0) return
  const goneFiles = files.filter(({ isGone }) => isGone).length
  keepLedger(kept, path, archive, { ledger: made, goneFiles, version: versionOf(kept) })
  same(readLedger(kept, archive, true), made)
  same(readLedger(kept, archive, false), goneFiles === 0 ? made : null)
}

async function compareConversations(kept: Database, archive: FoundTranscripts): Promise<void> {
  const access = indexAccess(kept, null)
  same(byPath(await access.check(archive)), byPath(await FROM_DISK.check(archive)))
  for (const file of mainFiles(archive)) {
    const fromIndex = openSession(archive, file, 'resume', access.read, access.kin)
    const fromDisk = openSession(archive, file, 'resume')
    same(conversationOf(fromIndex.woven), conversationOf(fromDisk.woven))
    same(fromIndex.children, fromDisk.children)
    if (access.kin?.(archive, file) != null) kinMet++
  }
}

/** Vitest's own comparison takes ten times as long; it is asked where it has something to tell. */
function same(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other)
}

/** Projects are told in the order in which they were finished. */
function byPath<Value extends { readonly path: string }>(values: readonly Value[]): readonly Value[] {
  return [...values].sort((one, other) => (one.path < other.path ? -1 : 1))
}
