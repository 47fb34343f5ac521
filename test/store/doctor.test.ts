// `clew doctor` and its parts: what the client's clean-up will take, where the disk went, and what is there twice.

import { readdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctor } from '../../src/cli/doctor.ts'
import { retire } from '../../src/cli/retire.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { listProject } from '../../src/load/list.ts'
import { loadFile } from '../../src/load/read.ts'
import { diskUse, expiringSessions, lastCleanupMs, readRetention } from '../../src/store/doctor.ts'
import { findDoubles } from '../../src/store/doubles.ts'
import { runHere } from '../cli/in-process.ts'
import type { Content } from '../cli/records.ts'
import { jsonl, prompt, reply, session, sessionId, talk, writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z')

describe('how long transcripts are kept', () => {
  const retention = (files: Readonly<Record<string, string>>) => {
    const root = writeBelow(newFolder(), files)
    const { days, source, settings } = readRetention(REAL_DISK, root)
    return [days, source?.slice(root.length + 1) ?? null, ...settings.map(({ state }) => state)]
  }

  test.each([
    ['nothing is set', {}, [30, null, 'absent', 'absent']],
    ['other things are set', { 'settings.json': '{"model":"x"}' }, [30, null, 'unset', 'absent']],
    ['a number of days', { 'settings.json': '{"cleanupPeriodDays":99}' }, [99, 'settings.json', 'valid', 'absent']],
    [
      'the local file wins',
      { 'settings.json': '{"cleanupPeriodDays":99}', 'settings.local.json': '{"cleanupPeriodDays":7}' },
      [7, 'settings.local.json', 'valid', 'valid'],
    ],
    ['zero', { 'settings.json': '{"cleanupPeriodDays":0}' }, [0, 'settings.json', 'zero', 'absent']],
    ['less than zero', { 'settings.json': '{"cleanupPeriodDays":-1}' }, [30, null, 'invalid', 'absent']],
    ['a text', { 'settings.json': '{"cleanupPeriodDays":"365"}' }, [30, null, 'invalid', 'absent']],
    ['null', { 'settings.json': '{"cleanupPeriodDays":null}' }, [30, null, 'invalid', 'absent']],
    [
      'a broken local file leaves the other one',
      { 'settings.json': '{"cleanupPeriodDays":99}', 'settings.local.json': '{"cleanup' },
      [99, 'settings.json', 'valid', 'unreadable'],
    ],
    [
      'comments, a comma too many and a mark in front',
      { 'settings.json': '\ufeff{\n  // a week\n  "cleanupPeriodDays": 7, /* days */\n}\n' },
      [7, 'settings.json', 'valid', 'absent'],
    ],
    ['something else', { 'settings.json': 'null' }, [30, null, 'unreadable', 'absent']],
  ])('%s', (_, files, expected) => {
    expect(retention(files)).toEqual(expected)
  })

  test('a link to where the settings are', () => {
    const elsewhere = writeBelow(newFolder(), { 'claude.json': '{"cleanupPeriodDays":7}', 'folder/x': '' })
    const linked = (target: string) => {
      const root = newFolder()
      symlinkSync(target, join(root, 'settings.json'))
      const { days, settings } = readRetention(REAL_DISK, root)
      return [days, settings[0]?.path.slice(root.length + 1), settings[0]?.state]
    }
    expect(linked(join(elsewhere, 'claude.json'))).toEqual([7, 'settings.json', 'valid'])
    for (const wrong of ['nowhere', 'folder'])
      expect(linked(join(elsewhere, wrong))).toEqual([30, 'settings.json', 'unreadable'])
  })

  test('the last clean-up has left a file', () => {
    const root = writeBelow(newFolder(), { '.last-cleanup': '' })
    utimesSync(join(root, '.last-cleanup'), NOW_MS / 1000, NOW_MS / 1000)
    expect(lastCleanupMs(REAL_DISK, root)).toBe(NOW_MS)
    expect(lastCleanupMs(REAL_DISK, newFolder())).toBeNull()
  })
})

test('what goes within so many days, the most urgent first', () => {
  const row = (path: string, ageDays: number) => ({
    sessionId: path,
    title: path,
    project: 'p',
    path,
    sizeBytes: 1,
    fileModifiedMs: NOW_MS - ageDays * DAY_MS,
  })
  const rows = [row('fresh', 1), row('soon', 29.5), row('due', 31), row('edge', 23), row('safe', 22.9)]
  const found = expiringSessions(rows, 30, 7, NOW_MS)
  expect(found.map(({ path, daysLeft }) => [path, daysLeft])).toEqual([
    ['due', -1],
    ['soon', 0.5],
    ['edge', 7],
  ])
  expect(expiringSessions(rows, 0, 7, NOW_MS)).toHaveLength(5)
  expect(expiringSessions(rows, 99_999, 7, NOW_MS)).toEqual([])
})

test('where the disk went, project by project', () => {
  const [one, two] = [sessionId('1'), sessionId('2')]
  const root = writeBelow(newFolder(), {
    [`projects/-p/${one}.jsonl`]: 'x'.repeat(100),
    [`projects/-p/${one}/subagents/agent-a1.jsonl`]: 'x'.repeat(20),
    [`projects/-p/${one}/subagents/agent-a1.meta.json`]: 'x'.repeat(3),
    [`projects/-p/${one}/subagents/workflows/wf_1/journal.jsonl`]: 'x'.repeat(2),
    [`projects/-p/${one}/tool-results/b1.txt`]: 'x'.repeat(50),
    [`projects/-p/${one}/custom-title.json`]: 'x',
    'projects/-p/agent-f1a7000.jsonl': 'x'.repeat(4),
    'projects/-p/memory/MEMORY.md': 'x'.repeat(6),
    [`projects/-q/sessions/${two}.jsonl`]: 'x'.repeat(9),
    [`projects/-q/${sessionId('9')}/tool-results/b2.txt`]: 'x'.repeat(8),
    [`file-history/${one}/0123456789abcdef@v1`]: 'x'.repeat(30),
    'file-history/gone/0123456789abcdef@v1': 'x'.repeat(5),
  })
  const zero = { transcriptBytes: 0, subagentBytes: 0, toolResultBytes: 0, fileHistoryBytes: 0, otherBytes: 0 }
  expect(diskUse(REAL_DISK, root)).toEqual([
    {
      projectKey: '-p',
      sessions: 1,
      transcriptBytes: 100,
      subagentBytes: 29,
      toolResultBytes: 50,
      fileHistoryBytes: 30,
      otherBytes: 7,
      totalBytes: 216,
    },
    { ...zero, projectKey: '-q', sessions: 1, transcriptBytes: 9, toolResultBytes: 8, totalBytes: 17 },
    { ...zero, projectKey: null, sessions: 0, fileHistoryBytes: 5, totalBytes: 5 },
  ])
})

describe('what is there twice', () => {
  const doublesBelow = (root: string) => {
    const { projects } = findTranscripts([root])
    const listed = projects.flatMap((project) => listProject(project))
    const files = projects.flatMap((project) => project.files)
    return findDoubles(files, listed, (file) => loadFile(file))
  }
  const [first, second, third] = [sessionId('1'), sessionId('2'), sessionId('3')] as [string, string, string]
  const own = session(first, [prompt('a', null, 'question'), reply('b', 'a', 'answer'), prompt('c', 'b', 'more')])

  test('a fork holds what it was forked from, a copy in another project too', () => {
    const forked = session(second, [
      { ...own[0], uuid: 'a2', sessionId: second, forkedFrom: { sessionId: first, messageUuid: 'a' } },
      {
        ...own[1],
        uuid: 'b2',
        parentUuid: 'a2',
        sessionId: second,
        forkedFrom: { sessionId: first, messageUuid: 'b' },
      },
      prompt('d', 'b2', 'another way'),
    ])
    const root = writeBelow(newFolder(), {
      [`projects/-p/${first}.jsonl`]: own,
      [`projects/-p/${second}.jsonl`]: forked,
      [`projects/-q/${first}.jsonl`]: own,
    })
    // The copy was made later, and written to last of all was the original.
    utimesSync(join(root, `projects/-p/${first}.jsonl`), 1, 1)
    const bytes = (records: Content & readonly unknown[]): number => Buffer.byteLength(jsonl(records as never))
    expect(doublesBelow(root)).toEqual([
      {
        sessionId: first,
        path: join(root, `projects/-q/${first}.jsonl`),
        sizeBytes: bytes(own),
        kind: 'copy',
        ofSessionId: first,
        ofPath: join(root, `projects/-p/${first}.jsonl`),
        doubleBytes: bytes(own),
      },
      {
        sessionId: second,
        path: join(root, `projects/-p/${second}.jsonl`),
        sizeBytes: bytes(forked),
        kind: 'fork',
        ofSessionId: first,
        ofPath: expect.stringContaining(first),
        doubleBytes: bytes(forked.slice(0, 2)),
      },
    ])
  })

  test('a continuation that copies with the uuids; repetitions in one file and strangers do not count', () => {
    const root = writeBelow(newFolder(), {
      [`projects/-p/${first}.jsonl`]: [...own, ...own],
      [`projects/-p/${second}.jsonl`]: [
        ...own,
        ...session(second, [prompt('e', 'c', 'on')], { timestamp: '2026-03-02T00:00:00.000Z' }),
      ],
      [`projects/-p/${third}.jsonl`]: talk(third, 'stranger'),
    })
    const found = doublesBelow(root)
    expect(found.map(({ sessionId, ofSessionId, doubleBytes }) => [sessionId, ofSessionId, doubleBytes])).toEqual([
      [second, first, Buffer.byteLength(jsonl(own))],
    ])
    expect(found[0]?.kind).not.toBe('copy')
  })
})

describe('clew doctor', () => {
  const root = writeBelow(newFolder(), {
    'settings.json': '{"cleanupPeriodDays":20}',
    [`projects/-p/${sessionId('1')}.jsonl`]: talk(sessionId('1'), 'goes \u001b[2Jsoon'),
    [`projects/-p/${sessionId('1')}/tool-results/b1.txt`]: 'x'.repeat(4000),
    [`projects/-p/${sessionId('2')}.jsonl`]: talk(sessionId('2'), 'stays'),
  })
  const touch = (digit: string, ageDays: number): void => {
    const seconds = NOW_MS / 1000 - ageDays * 86_400
    utimesSync(join(root, `projects/-p/${sessionId(digit)}.jsonl`), seconds, seconds)
  }
  touch('1', 18)
  utimesSync(join(root, `projects/-p/${sessionId('1')}/tool-results/b1.txt`), 1, 1)
  touch('2', 2)
  const run = (words: readonly string[] = []) => runHere(doctor, [...words, '--root', root], NOW_MS)

  test('says the most urgent first, and what to do', async () => {
    const { status, out, err } = await run()
    expect([status, err]).toEqual([0, ''])
    const lines = out.split('\n')
    expect(lines[0]).toMatch(
      /^Clean-up of .*: .* not written to for 20 days \(cleanupPeriodDays in .*settings\.json\)\.$/,
    )
    expect(lines[1]).toBe('1 conversation may be deleted within the next 7 days:')
    expect(lines[3]?.split(/\s{2,}/)).toEqual([
      '2 days',
      '11111111',
      expect.stringMatching(/^4\.\d kB$/),
      '/home/ada/tidewatch',
      'goes \\x1b[2Jsoon',
    ])
    expect(lines[4]).toMatch(/^To keep them: "cleanupPeriodDays": 3650 in .*settings\.json\. /)
    expect(out).toMatch(/^Disk: .* in 1 project$/m)
  })

  test('JSON is one object with stable keys', async () => {
    const { out } = await run(['--json'])
    const found = JSON.parse(out) as Readonly<Record<string, unknown>>
    expect(Object.keys(found)).toEqual([
      'folders',
      'archiving',
      'withinDays',
      'expiring',
      'projects',
      'totalBytes',
      'kinds',
      'doubles',
      'doubleBytes',
    ])
    expect(found).toMatchObject({
      withinDays: 7,
      folders: [
        { root, cleanupPeriodDays: 20, source: join(root, 'settings.json'), lastCleanupAt: null, trashBytes: 0 },
      ],
      expiring: [{ sessionId: sessionId('1'), daysLeft: 2, deletableAt: '2026-06-03T00:00:00.000Z' }],
      projects: [{ root, projectKey: '-p', sessions: 2, toolResultBytes: 4000 }],
      doubles: [],
      doubleBytes: 0,
    })
  })

  test('explains zero and what is no number', async () => {
    for (const [value, words] of [
      ['0', /does not mean “never”: clients before 2\.1\.89 delete every transcript/],
      ['"soon"', /cleanupPeriodDays is "soon", which is no number of days/],
    ] as const) {
      const other = writeBelow(newFolder(), {
        'settings.json': `{"cleanupPeriodDays":${value}}`,
        [`projects/-p/${sessionId('1')}.jsonl`]: talk(sessionId('1'), 'x'),
      })
      expect((await runHere(doctor, ['--root', other], NOW_MS)).out).toMatch(words)
    }
  })

  test('the sample has a fork; with and without the index it is the same', async () => {
    const said = await runHere(doctor, ['--root', sample, '--json'], NOW_MS)
    expect((JSON.parse(said.out) as { doubles: unknown }).doubles).toMatchObject([
      { kind: 'fork', doubleBytes: expect.any(Number) },
    ])
    expect(await runHere(doctor, ['--root', sample, '--json', '--no-index'], NOW_MS)).toEqual(said)
    expect(await runHere(doctor, ['--root', sample, '--json'], NOW_MS)).toEqual(said)
    expect((await runHere(doctor, ['--root', sample], NOW_MS)).out).toMatch(/^Double: about /m)
  })

  test('what clew retire has put aside is counted apart, and nothing is written', async () => {
    const names = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
    const before = names()
    await run()
    expect(names()).toEqual(before)
    await runHere(retire, ['--keep-last', '0', '--apply', '--even-unarchived', '--really', '--root', root], NOW_MS)
    const { out } = await run(['--json'])
    expect(JSON.parse(out)).toMatchObject({
      expiring: [],
      totalBytes: 0,
      folders: [{ trashBytes: expect.any(Number) }],
    })
    expect((await run()).out).toMatch(/^No conversation goes within the next 7 days\.$/m)
  })
})
