// Sessions into the trash and back: what a rule chooses and what is held, that nothing is lost on the way, wherever the
// way is cut off, and that nothing is put back over something else.

import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOf } from '../../src/base/size.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../../src/disk/durable.ts'
import { filesBelow } from '../../src/disk/folder-files.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { liveSessions } from '../../src/store/live.ts'
import type { Receipt } from '../../src/store/receipt.ts'
import { manifestPath, newReceiptId, readReceipt, receiptIds, unfinishedReceipts } from '../../src/store/receipt.ts'
import { retireSessions, undoRetirement } from '../../src/store/retire.ts'
import type { RetireRow, RetireRule } from '../../src/store/retire-plan.ts'
import { planRetirement } from '../../src/store/retire-plan.ts'
import { retireRows } from '../../src/store/retire-rows.ts'
import { randomOf } from '../random.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z')
const ALL: RetireRule = { kind: 'keep-last', count: 0 }

const scratch = mkdtempSync(join(tmpdir(), 'clew-retire-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a plan', () => {
  const row = (sessionId: string, ageDays: number, more: Partial<RetireRow> = {}): RetireRow => ({
    sessionId,
    projectKey: '-p',
    title: sessionId,
    modifiedMs: NOW_MS - ageDays * DAY_MS,
    sizeBytes: 100,
    path: `/c/projects/-p/${sessionId}.jsonl`,
    folder: null,
    isLive: false,
    isPinned: false,
    isArchived: true,
    ...more,
  })
  const rows = [row('new', 1), row('old', 100), row('middle', 50), row('oldest', 200)]
  const plan = (from: readonly RetireRow[], rule: RetireRule, evenUnarchived = false) =>
    planRetirement(from, rule, { nowMs: NOW_MS, evenUnarchived }).choices.map(({ row, reason, heldBy }) => [
      row.sessionId,
      ...Object.values(reason).slice(1),
      heldBy,
    ])

  test('takes what is older, the oldest first', () => {
    expect(plan(rows, { kind: 'older-than', beforeMs: NOW_MS - 90 * DAY_MS })).toEqual([
      ['oldest', 200, null],
      ['old', 100, null],
    ])
  })

  test('keeps the last ones', () => {
    expect(plan(rows, { kind: 'keep-last', count: 3 })).toEqual([['oldest', 4, null]])
    expect(plan(rows, { kind: 'keep-last', count: 9 })).toEqual([])
  })

  test('takes the oldest until the rest is small enough', () => {
    expect(plan(rows, { kind: 'max-size', sizeBytes: 250 })).toEqual([
      ['oldest', 150, null],
      ['old', 50, null],
    ])
    expect(plan(rows, { kind: 'max-size', sizeBytes: 400 })).toEqual([])
  })

  test('holds what is live, pinned or not archived, and says so', () => {
    const held = [
      row('live', 9, { isLive: true }),
      row('pinned', 8, { isPinned: true }),
      row('single', 7, { isArchived: false }),
      row('free', 6),
    ]
    const byId = (found: ReturnType<typeof plan>) => Object.fromEntries(found.map((one) => [one[0], one.at(-1)]))
    expect(byId(plan(held, ALL))).toEqual({ live: 'live', pinned: 'pinned', single: 'unarchived', free: null })
    expect(byId(plan(held, ALL, true))).toEqual({ live: 'live', pinned: 'pinned', single: null, free: null })
  })

  test('goes on to the next when a held one makes no room, whatever is allowed', () => {
    const held = [row('pinned', 9, { isPinned: true }), row('single', 8, { isArchived: false }), row('free', 7)]
    for (const isAllowed of [true, false]) {
      const chosen = plan(held, { kind: 'max-size', sizeBytes: 200 }, isAllowed).map(([id]) => id)
      expect(chosen).toEqual(['pinned', 'single'])
    }
  })
})

test('sizes are read as people write them', () => {
  const sizes = { '5G': 5e9, '500M': 5e8, '10k': 1e4, '1.5 GB': 1.5e9, '2GiB': 2 ** 31, '0': 0, '77b': 77 }
  for (const [text, bytes] of Object.entries(sizes)) expect([text, bytesOf(text)]).toEqual([text, bytes])
  for (const text of ['', 'G', '5X', '-5G', '5 5', '1e9']) expect([text, bytesOf(text)]).toEqual([text, null])
})

describe('live sessions', () => {
  const said = (files: Readonly<Record<string, unknown>>): string =>
    newRoot(Object.fromEntries(Object.entries(files).map(([name, value]) => [`sessions/${name}`, text(value)])))
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

  test('are those whose process lives', () => {
    const root = said({
      '1.json': { pid: process.pid, sessionId: 'mine' },
      '2.json': { pid: 2 ** 30, sessionId: 'dead' },
      [`pid-${process.pid}.json`]: { sessionId: 'by-name' },
      '3.json': { pid: 0, sessionId: 'group' },
      '4.json': { pid: -1, sessionId: 'everyone' },
      '5.json': '{"pid": 1, "sess',
      '6.json': { pid: process.pid },
      'notes.txt': { pid: process.pid, sessionId: 'no' },
    })
    expect(Object.fromEntries(liveSessions(REAL_DISK, root))).toEqual({ mine: process.pid, 'by-name': process.pid })
    expect(liveSessions(REAL_DISK, newRoot({})).size).toBe(0)
  })

  test('another user’s process counts', () => {
    // Whoever runs this: process 1 is there, and may or may not be asked.
    expect(liveSessions(REAL_DISK, said({ '1.json': { pid: 1, sessionId: 'init' } })).get('init')).toBe(1)
  })
})

describe('rows', () => {
  test('count the folder, and know what is live and pinned', () => {
    const root = newRoot({
      'projects/-p/quiet.jsonl': 'x'.repeat(10),
      'projects/-p/quiet/subagents/agent-a1.jsonl': 'x'.repeat(5),
      'projects/-p/quiet/tool-results/b1.txt': 'x'.repeat(7),
      'projects/-p/busy.jsonl': 'x',
      'projects/-p/busy/subagents/agent-a2.jsonl': 'x',
      'projects/-p/open.jsonl': 'x',
      'sessions/9.json': JSON.stringify({ pid: 77, sessionId: 'open' }),
    })
    utimesSync(join(root, 'projects/-p/busy/subagents/agent-a2.jsonl'), NOW_MS / 1000, NOW_MS / 1000 - 500)
    const listed = ['quiet', 'busy', 'open', 'gone'].map((sessionId) => ({
      sessionId,
      title: sessionId,
      tag: sessionId === 'quiet' ? 'pinned' : null,
      path: join(root, 'projects', '-p', `${sessionId}.jsonl`),
      modifiedMs: 5,
    }))
    const isArchived = (id: string): boolean => id === 'open'
    const found = retireRows(REAL_DISK, root, listed, { nowMs: NOW_MS, isArchived, isRunning: (pid) => pid === 77 })
    expect(found.map(({ path: _, folder, ...row }) => ({ ...row, folder: folder !== null }))).toEqual([
      { ...base('quiet', 22), folder: true, isLive: false, isPinned: true, isArchived: false },
      { ...base('busy', 2), folder: true, isLive: true, isPinned: false, isArchived: false },
      { ...base('open', 1), folder: false, isLive: true, isPinned: false, isArchived: true },
    ])
  })

  const base = (sessionId: string, sizeBytes: number) => ({
    sessionId,
    projectKey: '-p',
    title: sessionId,
    modifiedMs: 5,
    sizeBytes,
  })
})

const FILES = {
  'projects/-p/one.jsonl': 'first\n',
  'projects/-p/one/subagents/agent-a1.jsonl': 'agent\n',
  'projects/-p/one/subagents/agent-a1.meta.json': '{}',
  'projects/-p/one/tool-results/b1.txt': 'long output',
  'projects/-p/two.jsonl': 'second\n',
  'projects/-p/agent-f1a7000.jsonl': 'flat agent\n',
  'projects/-p/memory/MEMORY.md': 'remember',
}

describe('into the trash and back', () => {
  test('the trash has the same paths, the manifest says all, and undo leaves what was', async () => {
    const root = newRoot(FILES)
    mkdirSync(join(root, 'projects/-p/one/empty'))
    const before = snapshot(REAL_DISK, root)
    const retired = await retireAll(REAL_DISK, root)
    expect(retired).toMatchObject({ receiptId: ID, skipped: [], failure: null })
    expect([...snapshot(REAL_DISK, join(root, 'clew-trash', ID)).keys()]).toEqual(
      ['manifest.json', ...Object.keys(FILES).filter((name) => /one|two/.test(name))].sort(),
    )
    expect([...snapshot(REAL_DISK, join(root, 'projects')).keys()]).toEqual([
      '-p/agent-f1a7000.jsonl',
      '-p/memory/MEMORY.md',
    ])
    expect(existsSync(join(root, 'projects/-p/one'))).toBe(false)
    const receipt = receiptOf(REAL_DISK, root)
    expect(receipt).toMatchObject({ version: 1, id: ID, when: '2026-06-01T00:00:00.000Z', rule: ALL })
    expect(receipt.finishedAt).not.toBeNull()
    expect(receipt.sessions.map(({ sessionId, why }) => [sessionId, why])).toEqual([
      ['one', { kind: 'keep-last', place: 2 }],
      ['two', { kind: 'keep-last', place: 1 }],
    ])
    expect(receipt.sessions[1]?.files).toEqual([
      {
        from: 'projects/-p/two.jsonl',
        to: `clew-trash/${ID}/projects/-p/two.jsonl`,
        sizeBytes: 7,
        modifiedMs: OLD_MS,
        sha256: createHash('sha256').update('second\n').digest('hex'),
      },
    ])
    expect(unfinishedReceipts(REAL_DISK, root)).toEqual([])

    const undone = await undoRetirement(REAL_DISK, root, receipt)
    expect(undone).toMatchObject({
      restored: 5,
      alreadyThere: 0,
      conflicts: [],
      failure: null,
      sessions: ['one', 'two'],
    })
    expect(snapshot(REAL_DISK, root)).toEqual(before)
    expect(existsSync(join(root, 'projects/-p/one/empty'))).toBe(true)
    expect(existsSync(join(root, 'clew-trash'))).toBe(false)
  })

  test('ids sort by time', () => {
    expect(newReceiptId(NOW_MS, 'ab')).toBe('20260601T000000000Z-ab')
    expect(newReceiptId(NOW_MS, 'ff') < newReceiptId(NOW_MS + 1, '00')).toBe(true)
  })

  test('what is held is left alone', async () => {
    const root = newRoot(FILES)
    const before = snapshot(REAL_DISK, root)
    const choices = choose(REAL_DISK, root, false)
    expect(choices.map(({ heldBy }) => heldBy)).toEqual(['unarchived', 'unarchived'])
    expect(await retireSessions(REAL_DISK, root, choices, OPTIONS)).toMatchObject({ receiptId: null, sessions: [] })
    expect(snapshot(REAL_DISK, root)).toEqual(before)
  })

  test.each([
    [
      'the transcript grows',
      (root: string) => appendFileSync(join(root, 'projects/-p/one.jsonl'), 'more\n'),
      'changed',
    ],
    ['a file comes to its folder', (root: string) => put(root, 'projects/-p/one/new.txt', 'x'), 'changed'],
    ['it is opened', (root: string) => put(root, 'sessions/1.json', '{"pid":77,"sessionId":"one"}'), 'live'],
    ['another Clew writes to it', (root: string) => put(root, 'projects/-p/one.jsonl.lock', '{}'), 'live'],
  ])('when %s while the manifest is written, it stays', async (_, act, why) => {
    const root = newRoot(FILES)
    const disk: Disk = {
      ...REAL_DISK,
      rename: (from, to) => {
        if (to.endsWith('manifest.json') && !existsSync(to)) act(root)
        REAL_DISK.rename(from, to)
      },
    }
    const options = { ...OPTIONS, isRunning: (pid: number) => pid === 77 }
    const retired = await retireSessions(disk, root, choose(disk, root), options)
    expect(retired.skipped.map((one) => [one.sessionId, one.why])).toEqual([['one', why]])
    expect(receiptOf(disk, root).sessions.map(({ sessionId }) => sessionId)).toEqual(['two'])
    expect(existsSync(join(root, 'projects/-p/one/tool-results/b1.txt'))).toBe(true)
    expect(unfinishedReceipts(disk, root)).toEqual([])
  })

  test('a session with a link in its folder stays whole', async () => {
    const root = newRoot(FILES)
    symlinkSync('/etc/hosts', join(root, 'projects/-p/one/link'))
    const retired = await retireAll(REAL_DISK, root)
    expect(retired.skipped.map(({ sessionId, why }) => [sessionId, why])).toEqual([['one', 'unreadable']])
    expect(existsSync(join(root, 'projects/-p/one.jsonl'))).toBe(true)
  })

  test('undo never writes over another file, and says which', async () => {
    const root = newRoot(FILES)
    await retireAll(REAL_DISK, root)
    put(root, 'projects/-p/one.jsonl', 'somebody went on\n')
    put(root, `clew-trash/${ID}/projects/-p/one/tool-results/b1.txt`, 'other output')
    rmSync(join(root, `clew-trash/${ID}/projects/-p/one/subagents/agent-a1.meta.json`))
    // The same bytes may be there again; a client may have gone on writing into what lies in the trash.
    put(root, 'projects/-p/two.jsonl', 'second\n')
    appendFileSync(join(root, `clew-trash/${ID}/projects/-p/one/subagents/agent-a1.jsonl`), 'later\n')
    const undone = await undoRetirement(REAL_DISK, root, receiptOf(REAL_DISK, root))
    expect(undone.conflicts.map(({ path, why }) => [path.slice(root.length + 1), why])).toEqual([
      ['projects/-p/one/tool-results/b1.txt', 'damaged'],
      ['projects/-p/one/subagents/agent-a1.meta.json', 'lost'],
      ['projects/-p/one.jsonl', 'different'],
    ])
    expect(undone.restored).toBe(2)
    expect(readFileSync(join(root, 'projects/-p/one.jsonl'), 'utf8')).toBe('somebody went on\n')
    expect(readFileSync(join(root, 'projects/-p/one/subagents/agent-a1.jsonl'), 'utf8')).toBe('agent\nlater\n')
    expect(readFileSync(join(root, `clew-trash/${ID}/projects/-p/one.jsonl`), 'utf8')).toBe('first\n')
    expect(unfinishedReceipts(REAL_DISK, root)).toMatchObject([{ id: ID, files: 5, filesInTrash: 2 }])
    // What was in the way is gone: the rest comes back too.
    rmSync(join(root, 'projects/-p/one.jsonl'))
    put(root, `clew-trash/${ID}/projects/-p/one/tool-results/b1.txt`, 'long output')
    const again = await undoRetirement(REAL_DISK, root, receiptOf(REAL_DISK, root))
    expect(again).toMatchObject({ restored: 2, alreadyThere: 2, conflicts: [{ why: 'lost' }] })
  })

  test('undo asks again right before a file gets its place', async () => {
    const root = newRoot(FILES)
    await retireAll(REAL_DISK, root)
    const openToRead: Disk['openToRead'] = (path) => {
      if (path.endsWith('projects/-p/one.jsonl')) put(root, 'projects/-p/one.jsonl', 'somebody went on\n')
      return REAL_DISK.openToRead(path)
    }
    const undone = await undoRetirement({ ...REAL_DISK, openToRead }, root, receiptOf(REAL_DISK, root))
    expect(undone.conflicts.map(({ why }) => why)).toEqual(['different'])
    expect(readFileSync(join(root, 'projects/-p/one.jsonl'), 'utf8')).toBe('somebody went on\n')
    expect(readFileSync(join(root, `clew-trash/${ID}/projects/-p/one.jsonl`), 'utf8')).toBe('first\n')
  })

  test.each([
    ['leads out of the directory', (receipt: Receipt) => withFrom(receipt, 'projects/../../outside')],
    ['leads elsewhere in it', (receipt: Receipt) => withFrom(receipt, 'settings.json')],
    ['is of a later version', (receipt: Receipt) => ({ ...receipt, version: 2 })],
    ['is of another receipt', (receipt: Receipt) => ({ ...receipt, id: 'other' })],
    ['is something else', () => ['x']],
  ])('a manifest that %s is not followed', async (_, change) => {
    const root = newRoot(FILES)
    await retireAll(REAL_DISK, root)
    const changed = change(receiptOf(REAL_DISK, root))
    writeFileSync(manifestPath(root, ID), JSON.stringify(changed))
    expect(readReceipt(REAL_DISK, root, ID)).toBeNull()
  })
})

describe('when it is cut off', () => {
  const ROOT = '/claude'

  async function newDisk(seed: number, crashAt?: number): Promise<SimulatedDisk> {
    const disk = new SimulatedDisk(randomOf(seed))
    for (const [name, content] of Object.entries(FILES)) {
      await makeFolders(disk, dirname(join(ROOT, name)))
      await replaceFile(disk, join(ROOT, name), Buffer.from(content))
    }
    return crashAt === undefined ? disk : disk.kill({ crashAt })
  }

  const contents = (disk: Disk): ReadonlyMap<string, string> => snapshot(disk, join(ROOT, 'projects'), false)

  test.each(['power cut', 'kill'])('a %s at any operation loses nothing, and undo leads back', async (way) => {
    const expected = contents(await newDisk(1))
    const seen = { none: 0, unfinished: 0, finished: 0 }
    for (let crashAt = 1; crashAt < 2000; crashAt++) {
      const random = randomOf(crashAt)
      const disk = await newDisk(1, crashAt)
      const isDone = await retireAll(disk, ROOT).then(
        () => !disk.isDown,
        () => false,
      )
      const after = isDone || way === 'kill' ? disk.kill() : disk.crash(random)
      const [id] = receiptIds(after, ROOT)
      seen[id === undefined ? 'none' : unfinishedReceipts(after, ROOT).length > 0 ? 'unfinished' : 'finished']++
      if (id !== undefined) {
        // The way back is cut off as well, and gone once more.
        const listed = receiptOf(after, ROOT, id)
        const back = after.kill({ crashAt: 1 + random.below(120) })
        await undoRetirement(back, ROOT, listed).catch(() => undefined)
        const again = way === 'kill' || !back.isDown ? back.kill() : back.crash(random)
        const receipt = readReceipt(again, ROOT, id)
        if (receipt !== null)
          expect(await undoRetirement(again, ROOT, receipt)).toMatchObject({ conflicts: [], failure: null })
        expect([crashAt, contents(again)]).toEqual([crashAt, expected])
        expect([crashAt, receiptIds(again, ROOT)]).toEqual([crashAt, []])
      } else expect([crashAt, contents(after)]).toEqual([crashAt, expected])
      if (isDone) break
    }
    expect(seen.none).toBeGreaterThan(20)
    expect(seen.unfinished).toBeGreaterThan(20)
    expect(seen.finished).toBeGreaterThan(0)
  })

  test.each(['ENOSPC', 'EIO', 'EACCES'])('%s at any operation is told, and undo leads back', async (code) => {
    const expected = contents(await newDisk(1))
    const on = new Set(['write', 'sync', 'syncFolder', 'openToAppend', 'rename', 'makeFolder', 'remove'] as const)
    for (let nth = 1; ; nth++) {
      const disk = (await newDisk(1)).kill({ failing: { nth, on, code } })
      const retired = await retireAll(disk, ROOT)
      if (disk.failingSeen < nth) break
      // Folders above the store may be closed to its user: that they cannot be synced is no failure.
      const isAbove = code === 'EACCES' && retired.failure === null && retired.skipped.length === 0
      expect([nth, isAbove ? 'StoreError' : retired.failure?.name]).toEqual([nth, 'StoreError'])
      if (retired.receiptId !== null) {
        expect(await undoRetirement(disk, ROOT, receiptOf(disk, ROOT))).toMatchObject({ conflicts: [], failure: null })
      }
      expect([nth, contents(disk)]).toEqual([nth, expected])
      expect(unfinishedReceipts(disk, ROOT)).toEqual([])
    }
  })
})

const ID = newReceiptId(NOW_MS, 'abc123')
const OPTIONS = { id: ID, nowMs: NOW_MS, rule: ALL } as const
const OLD_MS = Date.parse('2026-01-01T00:00:00.000Z')

function newRoot(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(scratch, 'root-'))
  for (const [name, content] of Object.entries(files)) {
    put(root, name, content)
    utimesSync(join(root, name), OLD_MS / 1000, OLD_MS / 1000)
  }
  return root
}

function put(root: string, name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}

function choose(disk: Disk, root: string, evenUnarchived = true) {
  const listed = ['one', 'two'].map((sessionId, place) => ({
    sessionId,
    title: sessionId,
    tag: null,
    path: join(root, 'projects', '-p', `${sessionId}.jsonl`),
    modifiedMs: place,
  }))
  // Files of the simulated disk are as old as its clock says.
  const nowMs = NOW_MS + 10_000 * DAY_MS
  const rows = retireRows(disk, root, listed, { nowMs, isArchived: () => false, isRunning: () => false })
  return planRetirement(rows, ALL, { nowMs, evenUnarchived }).choices
}

function retireAll(disk: Disk, root: string) {
  // Only async code may fail here: a crash of the disk in the first look is a crash all the same.
  return Promise.resolve().then(() => retireSessions(disk, root, choose(disk, root), OPTIONS))
}

function receiptOf(disk: Disk, root: string, id = ID): Receipt {
  const receipt = readReceipt(disk, root, id)
  if (receipt === null) throw new Error('no receipt')
  return receipt
}

function withFrom(receipt: Receipt, from: string): Receipt {
  const change = <File extends { from: string; to: string }>(file: File): File => ({
    ...file,
    from,
    to: `clew-trash/${ID}/${from}`,
  })
  return { ...receipt, sessions: receipt.sessions.map((one) => ({ ...one, files: one.files.map(change) })) }
}

/** All files with what they hold and, unless told otherwise, when they were written. */
function snapshot(disk: Disk, folder: string, hasTimes = true): ReadonlyMap<string, string> {
  const { files } = filesBelow(disk, folder)
  const all = files.map(({ path, modifiedMs }): [string, string] => {
    const content = readWhole(disk, path).toString('latin1')
    return [path.slice(folder.length + 1), hasTimes ? `${modifiedMs} ${content}` : content]
  })
  return new Map(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}
