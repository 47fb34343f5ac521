// Where the disk goes: every byte counts once, and each kind of bytes is told from the others.

import { existsSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dedupe } from '../../src/cli/dedupe.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { runHere } from '../cli/in-process.ts'
import type { Raw } from '../cli/records.ts'
import { jsonl, prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'
import { homeFiles, NOW_MS } from './fixture.ts'

interface Report {
  readonly totalBytes: number
  readonly kinds: readonly { kind: string; bytes: number; share: number }[]
  readonly projects: readonly { projectKey: string | null; totalBytes: number; kinds: readonly { bytes: number }[] }[]
  readonly advice: readonly { command: string }[]
}

async function report(root: string): Promise<Report> {
  const { status, out, err } = await runHere(dedupe, ['--json', '--no-index', '--root', root], NOW_MS)
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out) as Report
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0)
}

const sum = (numbers: readonly { bytes: number }[]): number => numbers.reduce((all, { bytes }) => all + bytes, 0)

async function expectAddsUp(root: string): Promise<Report> {
  const found = await report(root)
  const wanted = bytesBelow(join(root, 'projects')) + bytesBelow(join(root, 'file-history'))
  expect([found.totalBytes, sum(found.kinds)]).toEqual([wanted, wanted])
  for (const { totalBytes, kinds } of found.projects) expect(sum(kinds)).toBe(totalBytes)
  expect(found.projects.reduce((all, { totalBytes }) => all + totalBytes, 0)).toBe(wanted)
  expect(found.kinds.every(({ bytes }) => bytes >= 0)).toBe(true)
  return found
}

const [FIRST, FORK] = [sessionId('1'), sessionId('2')]
const IMAGE = 'QUJD'.repeat(500)

function records(): readonly Raw[] {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } }
  return session(FIRST, [
    prompt('u1', null, 'change it', { message: { role: 'user', content: [{ type: 'text', text: 'look' }, image] } }),
    reply('a1', 'u1', [toolUse('t1', 'Edit', {})]),
    toolResult('r1', 'a1', 't1', 'done', {
      toolUseResult: { filePath: '/x', originalFile: 'old "text"\n'.repeat(90), image: IMAGE },
    }),
    { type: 'progress', uuid: 'p1', parentUuid: 'r1', data: { type: 'bash_progress', output: 'x'.repeat(300) } },
    { type: 'api-request', id: 'q1', params: { x: 'y'.repeat(200) } },
  ])
}

describe('each kind is told from the others', () => {
  const own = records()
  const length = (record: Raw | undefined): number => Buffer.byteLength(jsonl(record === undefined ? [] : [record]))
  const root = writeBelow(newFolder('weigh'), {
    [`projects/-a/${FIRST}.jsonl`]: `${jsonl(own)}${jsonl(own.slice(1, 2))}{"type":"user","to`,
    [`projects/-a/${FIRST}/subagents/agent-a1.jsonl`]: jsonl(own),
    [`projects/-a/${FIRST}/subagents/agent-a1.meta.json`]: '{}',
    [`projects/-a/${FIRST}/tool-results/b1.txt`]: 'x'.repeat(777),
    'projects/-a/memory/MEMORY.md': 'remember',
    'projects/stray.txt': 'stray',
    [`projects/-b/${FORK}.jsonl`]: jsonl(own.slice(0, 3).map((record) => ({ ...record, sessionId: FORK }))),
    [`file-history/${FIRST}/aa@v1`]: 'y'.repeat(555),
    'file-history/unknown/aa@v1': 'z',
  })

  test('and the sum is the size of all files', async () => {
    const found = await expectAddsUp(root)
    const bytes = Object.fromEntries(found.kinds.map((one) => [one.kind, one.bytes]))
    const result = JSON.stringify(own[2]?.['toolUseResult'])
    const original = JSON.stringify('old "text"\n'.repeat(90))
    expect(bytes).toMatchObject({
      copies: own.slice(0, 3).reduce((all, record) => all + length({ ...record, sessionId: FORK }), 0),
      replays: length(own[1]),
      progress: length(own[3]),
      requests: length(own[4]),
      originals: '"originalFile":'.length + Buffer.byteLength(original),
      images: IMAGE.length,
      spills: 777,
      fileHistory: 556,
      subagents: Buffer.byteLength(jsonl(own)) + 2,
      other: 13,
    })
    expect(bytes['results']).toBe('"toolUseResult":'.length + result.length - (bytes['originals'] ?? 0))
    expect(found.projects.map(({ projectKey }) => projectKey)).toEqual(['-a', '-b', null])
    expect(found.advice.map(({ command }) => command)).toEqual([
      'clew archive --all',
      'clew retire --older-than 90d',
      'clew doctor',
    ])
  })

  test('in words', async () => {
    const { out } = await runHere(dedupe, ['--no-index', '--root', root], NOW_MS)
    expect(out).toMatch(/\d+ %\s+whole files as they were before an edit/)
    expect(out).toMatch(/Safe to compress: .*clew archive --all/)
  })

  test('the doctor has the same sums', async () => {
    const { out } = await runHere(doctor, ['--json', '--no-index', '--root', root], NOW_MS)
    const { kinds, totalBytes } = JSON.parse(out) as { kinds: Readonly<Record<string, number>>; totalBytes: number }
    expect(Object.values(kinds).reduce((all, bytes) => all + bytes, 0)).toBe(totalBytes)
    const text = await runHere(doctor, ['--no-index', '--root', root], NOW_MS)
    expect(text.out).toMatch(/records that another session has too/)
  })
})

test('the fixture and the sample add up', async () => {
  await expectAddsUp(join(writeBelow(newFolder('weigh'), homeFiles()), '.claude'))
  await expectAddsUp(sample)
})

const corpus = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus', 'client')
test.skipIf(!existsSync(corpus))(
  'what real clients wrote adds up',
  async () => {
    const cases = readdirSync(corpus).flatMap((version) => {
      const folder = join(corpus, version)
      return statSync(folder).isDirectory() ? readdirSync(folder).map((name) => join(folder, name)) : []
    })
    const roots = cases.filter((folder) => existsSync(join(folder, 'projects')))
    expect(roots.length).toBeGreaterThan(50)
    for (const root of roots) await expectAddsUp(root)
  },
  120_000,
)

test('folders that are links to another disk count like any other', async () => {
  const elsewhere = writeBelow(newFolder('elsewhere'), {
    [`projects/-a/${FIRST}.jsonl`]: jsonl(records()),
    [`file-history/${FIRST}/x@v1`]: 'before',
  })
  const root = newFolder('linked')
  for (const name of ['projects', 'file-history']) symlinkSync(join(elsewhere, name), join(root, name))
  const [linked, plain] = [await report(root), await report(elsewhere)]
  expect(linked.totalBytes).toBeGreaterThan(0)
  expect(linked.kinds).toEqual(plain.kinds)
  const { out } = await runHere(doctor, ['--json', '--no-index', '--root', root], NOW_MS)
  expect(JSON.parse(out).projects).toMatchObject([{ projectKey: '-a', sessions: 1, totalBytes: linked.totalBytes }])
})
