// A walk that is looked at again finds what a new walk would, whatever has happened in between.

import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RootWalk } from '../../src/load/found.ts'
import { canBeKept, discoverAgain, keepWalk } from '../../src/search/kept-walk.ts'
import type { Discovery } from '../../src/source/discover.ts'
import { discover, discoverMarked } from '../../src/source/discover.ts'
import { BORN, CHANGED, DEVICE, INODE, isPlainFile, MODIFIED, openLook, SIZE, timeOf } from '../../src/source/look.ts'
import { newFolder } from '../cli/run.ts'

const SESSION = '11111111-2222-4333-8444-555555555555'
const PROJECT = join('projects', '-home-ada-tidewatch')

/** Where something may be, be made, or be gone. */
const PLACES: readonly string[] = [
  'projects',
  PROJECT,
  join(PROJECT, `${SESSION}.jsonl`),
  join(PROJECT, 'other.jsonl'),
  join(PROJECT, SESSION),
  join(PROJECT, SESSION, 'custom-title.json'),
  join(PROJECT, SESSION, 'archived.json'),
  join(PROJECT, SESSION, 'subagents'),
  join(PROJECT, SESSION, 'subagents', 'agent-a1.jsonl'),
  join(PROJECT, SESSION, 'subagents', 'wf_1', 'agent-a2.jsonl'),
  join(PROJECT, SESSION, 'subagents', 'wf_1', 'journal.jsonl'),
  join(PROJECT, SESSION, 'tool-results'),
  join(PROJECT, 'sessions', 'deeper.jsonl'),
  join('projects', '-home-ada-new', 'one.jsonl'),
  'beside.jsonl',
]

const LONG_AGO = 1_700_000_000

const OPERATIONS: Readonly<Record<string, (path: string, other: string) => void>> = {
  'write a file': (path) => writeFileSync(path, '{}\n'),
  'append to it': (path) => appendFileSync(path, '{"type":"summary"}\n'),
  'cut it off': (path) => truncateSync(path, 1),
  'touch it': (path) => utimesSync(path, LONG_AGO, LONG_AGO),
  'make a folder': (path) => mkdirSync(path),
  'take it away': (path) => rmSync(path, { recursive: true }),
  'rename it': (path, other) => renameSync(path, other),
  'replace it by a copy': (path) => {
    writeFileSync(`${path}.next`, readFileSync(path))
    renameSync(`${path}.next`, path)
  },
  'replace it by a link': (path, other) => {
    rmSync(path, { recursive: true, force: true })
    symlinkSync(other, path)
  },
  'keep others out': (path) => chmodSync(path, 0o700),
  // As whoever brings back a copy of a folder does.
  'add a file, and give the folder its time back': (path) => {
    const isThere = lstatSync(path).mtimeMs === LONG_AGO * 1000
    writeFileSync(join(path, 'added.jsonl'), '')
    if (isThere) utimesSync(path, LONG_AGO, LONG_AGO)
  },
}

/** The times of files grow in steps of some milliseconds; what is kept in earnest is older than two seconds. */
function waitForTheClock(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12)
}

function madeArchive(): string {
  const root = join(newFolder('claude'), '.claude')
  for (const place of PLACES.slice(2, 9)) {
    mkdirSync(dirname(join(root, place)), { recursive: true })
    if (place.includes('.js')) writeFileSync(join(root, place), '{}\n')
  }
  for (const place of PLACES.slice(0, 9)) utimesSync(join(root, place), LONG_AGO, LONG_AGO)
  return root
}

function walkOf(root: string): RootWalk | null {
  const discovery = discoverMarked(root)
  const { walked } = discovery
  return walked === undefined ? null : { root, discovery, walked }
}

function told({ files, problems, sidecars }: Discovery): unknown {
  return { files, problems, sidecars }
}

test('the quick walk equals the full walk after any history', () => {
  const operation = fc.record({
    name: fc.constantFrom(...Object.keys(OPERATIONS)),
    place: fc.constantFrom(...PLACES),
    other: fc.constantFrom(...PLACES),
    isKept: fc.boolean(),
  })
  let quick = 0
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 12 }), (history) => {
      const root = madeArchive()
      const index = join(newFolder('index'), 'index.sqlite')
      for (const { name, place, other, isKept } of [{ name: '', place: '', other: '', isKept: true }, ...history]) {
        try {
          OPERATIONS[name]?.(join(root, place), join(root, other))
        } catch {
          // Most of what is tried at random cannot be done.
        }
        const again = discoverAgain(index, root)
        expect(told(again)).toEqual(told(discover(root)))
        if (again.walked !== undefined && again.walked.keptAs !== null) quick++
        const walk = isKept ? walkOf(root) : null
        if (walk !== null) keepWalk(index, walk, 'a name')
        waitForTheClock()
        const unchanged = discoverAgain(index, root)
        expect(told(unchanged)).toEqual(told(discover(root)))
        if (walk !== null) expect(unchanged.walked?.keptAs).toBe('a name')
      }
    }),
    { numRuns: 40 },
  )
  expect(quick).toBeGreaterThan(0)
})

for (const [name, operate] of Object.entries(OPERATIONS)) {
  test(`${name}: noticed wherever it happens`, () => {
    for (const [index, place] of PLACES.entries()) {
      const root = madeArchive()
      const cache = join(newFolder('index'), 'index.sqlite')
      keepWalk(cache, walkOf(root) as RootWalk, 'a name')
      waitForTheClock()
      try {
        operate(join(root, place), join(root, PLACES.at(index - 3) as string))
      } catch {
        continue
      }
      expect(told(discoverAgain(cache, root))).toEqual(told(discover(root)))
    }
  })
}

test('a file that has grown is told as it is now, and the names are not read again', () => {
  const root = madeArchive()
  const index = join(newFolder('index'), 'index.sqlite')
  keepWalk(index, walkOf(root) as RootWalk, 'a name')
  appendFileSync(join(root, PROJECT, 'other.jsonl'), '{"type":"summary"}\n')
  const again = discoverAgain(index, root)
  expect(again.walked?.keptAs).toBe(null)
  expect(again.walked?.folderMarks).toBeInstanceOf(Float64Array)
  expect(told(again)).toEqual(told(discover(root)))
})

test('what lies beside a transcript is looked at too', () => {
  const root = madeArchive()
  const index = join(newFolder('index'), 'index.sqlite')
  const title = join(root, PROJECT, SESSION, 'custom-title.json')
  keepWalk(index, walkOf(root) as RootWalk, 'a name')
  expect(discoverAgain(index, root).walked?.keptAs).toBe('a name')
  writeFileSync(title, '{"customTitle":"Tides"}')
  expect(discoverAgain(index, root).walked?.keptAs).toBe(null)
})

test('nothing is kept of a folder that has just changed, of problems, or of what is no walk', () => {
  const root = madeArchive()
  const young = walkOf(root) as RootWalk
  expect(canBeKept(young)).toBe(false)
  const later = { ...young, walked: { ...young.walked, startedMs: Date.now() + 3000 } }
  expect(canBeKept(later)).toBe(process.platform === 'linux')
  const marks = Array.from(later.walked.folderMarks)
  const elsewhere = { ...later, walked: { ...later.walked, folderMarks: marks.with(4, (marks[4] ?? 0) + 1) } }
  expect(canBeKept(elsewhere)).toBe(false)
  expect(discoverMarked(join(root, PROJECT, 'other.jsonl')).walked).toBe(undefined)
  symlinkSync(root, join(root, PROJECT, 'link.jsonl'))
  expect(discoverMarked(root).walked).toBe(undefined)
})

test('a kept walk that is damaged anywhere is as none', () => {
  const root = madeArchive()
  const index = join(newFolder('index'), 'index.sqlite')
  keepWalk(index, walkOf(root) as RootWalk, 'a name')
  const folder = join(index, '..', 'walks')
  const path = join(folder, readdirSync(folder)[0] as string)
  const good = readFileSync(path)
  for (let at = 0; at < good.length; at += 7) {
    writeFileSync(path, good.subarray(0, at))
    expect(told(discoverAgain(index, root))).toEqual(told(discover(root)))
  }
  expect(existsSync(path)).toBe(true)
  writeFileSync(path, Buffer.alloc(200, 0xff))
  expect(told(discoverAgain(index, root))).toEqual(told(discover(root)))
})

test('a look says what lstat says', () => {
  const root = madeArchive()
  const look = openLook(root)
  for (const path of [root, join(root, PROJECT), join(root, PROJECT, 'other.jsonl')]) {
    const stat = lstatSync(path)
    const seen = look(path)
    expect([seen[DEVICE], seen[INODE], seen[SIZE]]).toEqual([stat.dev, stat.ino, stat.size])
    const times = [MODIFIED, CHANGED, BORN] as const
    expect(times.map((time) => timeOf(seen, time))).toEqual([stat.mtimeMs, stat.ctimeMs, stat.birthtimeMs])
    expect(isPlainFile(seen)).toBe(stat.isFile())
  }
  expect(() => look(join(root, 'nothing'))).toThrow()
})

test('a “projects” that led nowhere is noticed when it leads somewhere', () => {
  const root = newFolder('root')
  const target = join(newFolder('drive'), 'projects')
  writeFileSync(join(root, 'history.jsonl'), '{}\n')
  symlinkSync(target, join(root, 'projects'))
  const indexPath = join(newFolder('cache'), 'clew', 'index.sqlite')
  const discovery = discoverMarked(root)
  if (discovery.walked === undefined) throw new Error('not marked')
  keepWalk(indexPath, { root, discovery, walked: discovery.walked }, 'kept')
  expect(discoverAgain(indexPath, root).walked?.keptAs).toBe('kept')
  mkdirSync(join(target, '-home-ada-tidewatch'), { recursive: true })
  writeFileSync(join(target, '-home-ada-tidewatch', `${SESSION}.jsonl`), '{}\n')
  const again = discoverAgain(indexPath, root)
  expect(again.files.map(({ sessionId }) => sessionId)).toEqual([SESSION])
  expect(again.walked?.keptAs).toBeNull()
})
