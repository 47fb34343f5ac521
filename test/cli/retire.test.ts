// `clew retire`: what it would do, what it refuses, and the way into the trash and back as a person goes it.

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { retire } from '../../src/cli/retire.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import type { Content } from './records.ts'
import { session, sessionId, talk, writeBelow } from './records.ts'
import { linesOf, newFolder } from './run.ts'

const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z')
const LONG_AGO = new Date('2026-02-01T00:00:00.000Z')
const [OLD, FORK, PINNED, OPEN, NEW] = ['1', '2', '3', '4', '5'].map(sessionId) as [
  string,
  string,
  string,
  string,
  string,
]
const BOTH = ['--even-unarchived', '--really']

function newArchive(): string {
  const at = (day: string): { timestamp: string } => ({ timestamp: `2026-${day}T00:00:00.000Z` })
  const files: Readonly<Record<string, Content>> = {
    [`projects/-p/${OLD}.jsonl`]: talk(OLD, 'old \u001b[2Jone', at('01-01')),
    [`projects/-p/${OLD}/subagents/agent-a1.jsonl`]: talk(OLD, 'agent', { isSidechain: true, agentId: 'a1' }),
    [`projects/-p/${OLD}/tool-results/b1.txt`]: 'x'.repeat(5000),
    [`projects/-q/${FORK}.jsonl`]: talk(FORK, 'other project', at('01-02')),
    [`projects/-p/${PINNED}.jsonl`]: [
      ...talk(PINNED, 'pinned one', at('01-03')),
      ...session(PINNED, [{ type: 'tag', tag: 'pinned' }], at('01-03')),
    ],
    [`projects/-p/${OPEN}.jsonl`]: talk(OPEN, 'open one', at('01-04')),
    [`projects/-p/${NEW}.jsonl`]: talk(NEW, 'new one', at('05-30')),
    'projects/-p/agent-f1a7000.jsonl': talk(OLD, 'flat', { isSidechain: true, agentId: 'f1a7000' }),
    'sessions/1.json': JSON.stringify({ pid: process.pid, sessionId: OPEN }),
  }
  const root = writeBelow(newFolder(), files)
  for (const name of Object.keys(files)) utimesSync(join(root, name), LONG_AGO, LONG_AGO)
  return root
}

const run = (root: string, ...words: readonly string[]): Promise<RanHere> =>
  runHere(retire, [...words, '--root', root], NOW_MS)

interface Report {
  readonly applied: boolean
  readonly totalSessions: number
  readonly goingSessions: number
  readonly sessions: readonly { sessionId: string; state: string; heldBy: string | null; sizeBytes: number }[]
  readonly receipts: readonly { receiptId: string; undo: string; folder: string; files: number }[]
  readonly unfinished: readonly { id: string }[]
}

async function report(root: string, ...words: readonly string[]): Promise<Report> {
  const { status, out } = await run(root, ...words, '--json')
  expect(status).toBe(0)
  expect(linesOf(out)).toHaveLength(1)
  return JSON.parse(out) as Report
}

describe('a dry run', () => {
  test('says which would go, why, and what stays; nothing is written', async () => {
    const root = newArchive()
    const before = names(root)
    const { status, out, err } = await run(root, '--older-than', '90d')
    expect([status, err]).toEqual([0, ''])
    const lines = linesOf(out)
    expect(lines[0]?.trim().split(/\s+/)).toEqual('AGE ID SIZE WHY STAYS PROJECT TITLE'.split(' '))
    expect(lines.slice(1, 5).map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['5mo', '11111111', expect.any(String), 'last record 151 days ago', 'not archived', '-p', 'old \\x1b[2Jone'],
      ['5mo', '22222222', expect.any(String), 'last record 150 days ago', 'not archived', '-q', 'other project'],
      ['4mo', '33333333', expect.any(String), expect.any(String), 'is pinned', '-p', 'pinned one'],
      ['4mo', '44444444', expect.any(String), expect.any(String), 'is live', '-p', 'open one'],
    ])
    expect(lines.slice(6)).toEqual([
      expect.stringMatching(/^0 of 5 sessions \(0 B of .* kB\) would go\. Dry run: nothing was moved\.$/),
      '2 sessions are not archived and would have no second copy: clew archive makes one; to retire them all the same, add --even-unarchived --really',
    ])
    expect(names(root)).toEqual(before)
  })

  test('with the leave of its owner it shows what would go', async () => {
    const { out } = await run(newArchive(), '--keep-last', '4', ...BOTH)
    expect(out).toMatch(/^1 of 5 sessions/m)
    expect(out).toMatch(/number 5 by age/)
    expect(out).toMatch(/add --apply$/m)
  })

  test('JSON has it all; sizes count the folder', async () => {
    const found = await report(newArchive(), '--older-than', '2026-05-01', ...BOTH)
    expect(found).toMatchObject({ applied: false, totalSessions: 5, goingSessions: 2, receipts: [], unfinished: [] })
    expect(found.sessions.map(({ sessionId, state, heldBy }) => [sessionId, state, heldBy])).toEqual([
      [OLD, 'would-go', null],
      [FORK, 'would-go', null],
      [PINNED, 'held', 'pinned'],
      [OPEN, 'held', 'live'],
    ])
    expect(found.sessions[0]?.sizeBytes).toBeGreaterThan(5000)
    expect(Object.keys(found.sessions[0] ?? {})).toEqual(
      'sessionId title projectKey path folder modifiedAt sizeBytes state reason heldBy skippedBecause'.split(' '),
    )
  })

  test('--project and --max-size', async () => {
    const root = newArchive()
    const byProject = await report(root, '--older-than', '90d', '--project', '-q', ...BOTH)
    expect(byProject.sessions.map(({ sessionId }) => sessionId)).toEqual([FORK])
    const bySize = await report(root, '--max-size', '4k', ...BOTH)
    expect(bySize.sessions.map(({ sessionId }) => sessionId)).toEqual([OLD])
    expect((await report(root, '--max-size', '1G')).sessions).toEqual([])
    expect((await run(root, '--max-size', '1G')).err).toBe('clew: none of 5 sessions would go\n')
  })
})

describe('--apply and --undo', () => {
  test('without a leave given twice nothing moves, and one line says so', async () => {
    const root = newArchive()
    const before = names(root)
    for (const words of [[], ['--even-unarchived'], ['--really']]) {
      const { status, out, err } = await run(root, '--older-than', '90d', '--apply', ...words)
      expect([status, out]).toEqual([1, ''])
      expect(err).toBe(
        'clew: nothing was moved; 2 sessions are not archived and would have no second copy: clew archive makes one; to retire them all the same, add --even-unarchived --really\n',
      )
    }
    expect(names(root)).toEqual(before)
  })

  test('moves, prints the way back, and comes back', async () => {
    const root = newArchive()
    const before = names(root)
    const { status, out, err } = await run(root, '--older-than', '90d', '--apply', ...BOTH)
    expect([status, err]).toEqual([0, ''])
    const [moved, back] = linesOf(out)
    const id = readdirSync(join(root, 'clew-trash'))[0] ?? ''
    expect(moved).toMatch(/^2 sessions \(4 files, .* kB\) moved to .*clew-trash\/20260601T000000000Z-[0-9a-f]{6}$/)
    expect(back).toBe(`To take it back: clew retire --undo ${id} --root ${root}`)
    expect(existsSync(join(root, `projects/-p/${OLD}`))).toBe(false)
    expect(existsSync(join(root, 'projects/-p/agent-f1a7000.jsonl'))).toBe(true)
    expect(existsSync(join(root, `projects/-p/${PINNED}.jsonl`))).toBe(true)
    // What is in the trash is no session any more.
    expect((await report(root, '--keep-last', '0')).totalSessions).toBe(3)

    const undone = await run(root, '--undo', id.slice(0, 12))
    expect([undone.status, undone.err]).toEqual([0, ''])
    expect(undone.out).toMatch(/^4 files of 2 sessions put back into /)
    expect(names(root)).toEqual(before)
    expect(await run(root, '--undo')).toMatchObject({ status: 1, err: 'clew: there is nothing to undo\n' })
  })

  test('--undo takes the newest receipt; --json says what happened', async () => {
    const root = newArchive()
    const first = await report(root, '--keep-last', '4', '--apply', ...BOTH)
    expect(first.sessions.map(({ state }) => state)).toEqual(['retired'])
    const later = await runHere(retire, ['--older-than', '90d', '--apply', ...BOTH, '--root', root], NOW_MS + 5000)
    expect(later.status).toBe(0)
    const { out } = await run(root, '--undo', '--json')
    expect(JSON.parse(out)).toMatchObject({ restored: 1, alreadyThere: 0, sessions: [FORK], conflicts: [] })
    expect(readdirSync(join(root, 'clew-trash'))).toEqual([first.receipts[0]?.receiptId])
  })

  test('an unfinished receipt is mentioned, and not touched', async () => {
    const root = newArchive()
    const { receipts } = await report(root, '--keep-last', '4', '--apply', ...BOTH)
    const manifest = join(receipts[0]?.folder ?? '', 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"finishedAt": ".*"/, '"finishedAt": null'))
    const { err } = await run(root, '--keep-last', '3', '--apply', ...BOTH)
    expect(err).toMatch(
      /^clew: receipt 2026\S+ is unfinished \(3 of 3 files in the trash\); to put everything back: clew retire --undo 2026/,
    )
    expect(readFileSync(manifest, 'utf8')).toContain('"finishedAt": null')
  })

  test('what is in the way is told, with exit code 1', async () => {
    const root = newArchive()
    await run(root, '--keep-last', '4', '--apply', ...BOTH)
    appendFileSync(join(root, `projects/-p/${OLD}.jsonl`), 'other\n')
    const { status, out } = await run(root, '--undo')
    expect(status).toBe(1)
    expect(out).toMatch(new RegExp(`^not put back: .*${OLD}.jsonl: another file has its place; see .*clew-trash`, 'm'))
    rmSync(join(root, `projects/-p/${OLD}.jsonl`))
    expect((await run(root, '--undo')).out).toMatch(/^1 file of 1 session put back .*, 2 were there already\)$/m)
  })
})

describe('a call that cannot be understood', () => {
  test.each([
    [[], /^clew: retire takes one of --older-than 90d, --keep-last N and --max-size 5G\. Try: clew retire --help\n$/],
    [['--keep-last', '3', '--max-size', '5G'], /^clew: retire takes one of /],
    [['--older-than', 'ages'], /^clew: --older-than takes .* not “ages”\n$/],
    [['--max-size', 'big'], /^clew: --max-size takes .* not “big”\n$/],
    [['--keep-last', 'few'], /^clew: --keep-last takes a whole number, not “few”\n$/],
    [['--keep-last', '1', 'word'], /^clew: retire takes no “word”\./],
    [['--undo', '--apply'], /^clew: --undo does not go together with --apply\n$/],
    [['--undo', 'nothing'], /^clew: there is no receipt “nothing”\n$/],
    [['--frob'], /^clew: Unknown option '--frob'\. Try: clew retire --help\n$/],
  ])('%j', async (words, message) => {
    const { status, out, err } = await run(newArchive(), ...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })

  test('a folder that is no Claude directory', async () => {
    const root = newArchive()
    const { status, err } = await run(join(root, 'projects', '-p'), '--keep-last', '1')
    expect([status, err]).toEqual([1, expect.stringMatching(/^clew: retire needs a Claude directory, .* not .*-p\n$/)])
    expect((await report(join(root, 'projects'), '--keep-last', '1')).totalSessions).toBe(5)
  })
})

function names(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
}
