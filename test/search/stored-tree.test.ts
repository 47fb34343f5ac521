// What `clew tree` says from the index is what it says without one, to the last byte, and what `clew check` says of one
// conversation is what it says where it looks at all: of the sample, of every fixture in docs/format, of archives in which
// everything happens that can, and of the corpora where they are.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { check } from '../../src/cli/check.ts'
import { tree } from '../../src/cli/tree.ts'
import type { FoundTranscripts } from '../../src/load/found.ts'
import { findTranscripts, mainFiles } from '../../src/load/found.ts'
import { indexPath } from '../../src/search/index-path.ts'
import { KeptIndex } from '../../src/search/kept-index.ts'
import { storedTree } from '../../src/search/stored-tree.ts'
import { runHere } from '../cli/in-process.ts'
import { prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { clew } from '../cli/run.ts'
import { clientCases, corpus } from '../corpus/corpus.ts'
import { fixturesOf } from '../docs/fixtures.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { SAMPLE } from './open-search.ts'

const NOW_MS = 1_800_000_000_000
const folder = mkdtempSync(join(tmpdir(), 'clew-stored-tree-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Counted {
  trees: number
  /** Of these, how many the index knew all of. */
  stored: number
}

/** Compares the two for every transcript of an archive. A large one is read by workers, which only the built command has. */
async function compare(root: string, name: string, counted: Counted, isLarge = false): Promise<void> {
  const environment = { XDG_CACHE_HOME: join(folder, `cache-${name.replaceAll('/', '-')}`) }
  if (isLarge) clew(['list', '--root', root], { env: environment })
  const archive = findTranscripts([root])
  const index = new KeptIndex(indexPath({ environment, home: folder }))
  try {
    await index.refresh(archive, { nowMs: NOW_MS })
    for (const { sessionId } of mainFiles(archive)) {
      for (const words of [[], ['--json']]) {
        const asked = [sessionId ?? '', '--root', root, ...words]
        const here = await runHere(tree, asked, NOW_MS, environment)
        const there = await runHere(tree, [...asked, '--no-index'], NOW_MS, environment)
        expect(here, `${name} ${sessionId}`).toEqual(there)
      }
    }
    await compareChecks(root, name, archive, environment)
    counted.trees += mainFiles(archive).length
    counted.stored += storedCount(index, archive)
  } finally {
    index.close()
  }
}

/** Of one conversation only what belongs to it is read: it is told as where everything is. */
async function compareChecks(
  root: string,
  name: string,
  archive: FoundTranscripts,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const words = ['--root', root, '--json']
  const whole = await runHere(check, words, NOW_MS, environment)
  const all = new Set(whole.out.split('\n'))
  for (const { sessionId } of mainFiles(archive)) {
    if (sessionId === null) continue
    const one = await runHere(check, [sessionId, ...words], NOW_MS, environment)
    for (const line of one.out.split('\n')) expect(all, `${name} ${sessionId}`).toContain(line)
  }
}

function storedCount(index: KeptIndex, archive: FoundTranscripts): number {
  const isStored = (hasIds: boolean, file: (typeof files)[number]): boolean =>
    index.ask((database) => storedTree(database, archive, file, hasIds)) !== null
  const files = mainFiles(archive)
  for (const file of files) expect(isStored(false, file)).toBe(isStored(true, file))
  return files.filter((file) => isStored(true, file)).length
}

test('the sample', async () => {
  const counted = { trees: 0, stored: 0 }
  await compare(SAMPLE, 'sample', counted)
  expect(counted.stored / counted.trees).toBeGreaterThan(0.5)
})

test('a file in the place of another that was as long and as old', async () => {
  const id = sessionId('a')
  const root = join(folder, 'replaced')
  const path = join(root, 'projects', '-p', `${id}.jsonl`)
  // Two Turns, and a third: behind the second, or beside it.
  const talkWith = (parent: string): void => {
    writeBelow(root, {
      [`projects/-p/${id}.jsonl`]: session(id, [
        ...[prompt('u1', null, 'one'), reply('a1', 'u1', 'Yes.'), prompt('u2', 'a1', 'two'), reply('a2', 'u2', 'Yes.')],
        ...[prompt('u3', parent, 'three'), reply('a3', 'u3', 'Yes.')],
      ]),
    })
    utimesSync(path, 1_700_000_000, 1_700_000_000)
  }
  const counted = { trees: 0, stored: 0 }
  talkWith('a2')
  await compare(root, 'replaced', counted)
  renameSync(path, join(root, 'before.jsonl'))
  talkWith('a1')
  await compare(root, 'replaced', counted)
  expect(counted).toEqual({ trees: 2, stored: 2 })
})

test('the fixtures of docs/format', { timeout: 60_000 }, async () => {
  const pages = join(import.meta.dirname, '../../docs/format')
  const counted = { trees: 0, stored: 0 }
  for (const page of readdirSync(pages).filter((name) => name.endsWith('.md'))) {
    for (const { name, blocks } of fixturesOf(page, readFileSync(join(pages, page), 'utf8'))) {
      const root = join(folder, name)
      for (const { kind, file, text } of blocks) {
        const path = join(root, file ?? 'projects/-home-ada-tidewatch/5c1f0001-0000-4000-8000-000000000001.jsonl')
        mkdirSync(dirname(path), { recursive: true })
        const bytes = kind === 'bytes' ? Buffer.from(JSON.parse(text) as string, 'latin1') : Buffer.from(text)
        writeFileSync(path, bytes, { flag: 'a' })
      }
      await compare(root, name, counted)
    }
  }
  expect(counted.stored / counted.trees).toBeGreaterThan(0.5)
})

describe('made-up archives', () => {
  test('odd transcripts, some of them damaged', { timeout: 120_000 }, async () => {
    const counted = { trees: 0, stored: 0 }
    for (let seed = 1; seed <= 12; seed++) {
      const random = randomOf(seed)
      const root = join(folder, `odd-${seed}`)
      const project = join(root, 'projects', '-home-ada-tidewatch')
      mkdirSync(project, { recursive: true })
      for (let file = 0; file < 8; file++) {
        const id = `${seed}${file}`.padStart(8, '0')
        const bytes = bytesOf(randomRecords(random, id, 60))
        writeFileSync(join(project, `${id}.jsonl`), random.chance(0.2) ? damage(bytes, random) : bytes)
      }
      await compare(root, `odd-${seed}`, counted)
    }
    expect(counted.stored / counted.trees).toBeGreaterThan(0.1)
  })

  test('archives with a history', { timeout: 240_000 }, async () => {
    const counted = { trees: 0, stored: 0 }
    for (let seed = 1; seed <= 16; seed++) {
      const root = join(folder, `history-${seed}`)
      const writer = new ArchiveWriter(root, randomOf(seed))
      for (let step = 0; step < 40; step++) writer.step()
      await compare(root, `history-${seed}`, counted)
    }
    expect(counted.stored / counted.trees).toBeGreaterThan(0.2)
  })

  test('sessions that name each other by their ids, in one project and in two', async () => {
    const [own, fork, remark] = [sessionId('a'), sessionId('c'), sessionId('e')]
    const uuid = (number: number): string => `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`
    const begun = [prompt(uuid(1), null, 'one'), reply(uuid(2), uuid(1), 'two')]
    const gone = [...session(own, begun), ...session(own, [prompt(uuid(3), uuid(2), 'three here')])]
    // A fork whose copied records still say which session they were written in.
    const forked = [...session(own, begun), ...session(fork, [prompt(uuid(4), uuid(2), 'three there')])]
    const [from, isNone] = [
      { sessionId: own, messageUuid: uuid(7) },
      { type: 'system', subtype: 'informational' },
    ]
    const named = session(remark, [{ ...isNone, uuid: uuid(9), parentUuid: null, content: 'x', forkedFrom: from }])
    const counted = { trees: 0, stored: 0 }
    for (const [place, folders] of [
      ['one', ['-x', '-x']],
      ['two', ['-x', '-y']],
    ] as const) {
      const root = join(folder, `named-${place}`)
      const [first, second] = folders
      writeBelow(root, { [`projects/${first}/${own}.jsonl`]: gone, [`projects/${second}/${fork}.jsonl`]: forked })
      await compare(root, `named-${place}`, counted)
      writeBelow(root, { [`projects/${first}/${remark}.jsonl`]: named })
      await compare(root, `named-${place}-more`, counted)
    }
  })

  test('what has changed since is read anew', async () => {
    const root = join(folder, 'grown')
    const path = join(root, 'projects', '-home-ada-tidewatch', 'grown.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytesOf(randomRecords(randomOf(3), 'grown', 60)))
    const environment = { XDG_CACHE_HOME: join(folder, 'cache-grown') }
    const index = new KeptIndex(indexPath({ environment, home: folder }))
    await index.refresh(findTranscripts([root]), { nowMs: NOW_MS })
    writeFileSync(path, bytesOf(randomRecords(randomOf(4), 'more', 30)), { flag: 'a' })
    const archive = findTranscripts([root])
    const [file] = mainFiles(archive)
    expect(index.ask((database) => storedTree(database, archive, file as never, true))).toBeNull()
    index.close()
    const asked = ['grown', '--json', '--root', root]
    const here = await runHere(tree, asked, NOW_MS, environment)
    expect(here).toEqual(await runHere(tree, [...asked, '--no-index'], NOW_MS, environment))
  })

  test('a damaged page is as if there were none', async () => {
    const environment = { XDG_CACHE_HOME: join(folder, 'cache-damaged') }
    const index = new KeptIndex(indexPath({ environment, home: folder }))
    const archive = findTranscripts([SAMPLE])
    await index.refresh(archive, { nowMs: NOW_MS })
    const [file] = mainFiles(archive)
    const isKnown = (): boolean => index.ask((database) => storedTree(database, archive, file as never, true)) !== null
    expect(isKnown()).toBe(true)
    index.ask((database) => database.exec("UPDATE layout_page SET rows = x'00ff00ff'"))
    expect(isKnown()).toBe(false)
    index.close()
  })
})

const LONG = 240_000

describe.skipIf(corpus === null)('the corpora', () => {
  test('of the client', { timeout: LONG }, async () => {
    const counted = { trees: 0, stored: 0 }
    for (const { name, folder: root } of clientCases()) await compare(root, name, counted)
    expect(counted.stored / counted.trees).toBeGreaterThan(0.5)
  })

  test('the public one', { timeout: LONG }, async () => {
    const counted = { trees: 0, stored: 0 }
    await compare(join(corpus ?? '', 'public'), 'public', counted, true)
    expect(counted.stored / counted.trees).toBeGreaterThan(0.3)
  })
})
