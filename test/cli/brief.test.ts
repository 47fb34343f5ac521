import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { widthOf } from '../../src/render/width.ts'
import { corpus } from '../corpus/corpus.ts'
import { expectGolden } from '../golden.ts'
import { prompt, reply, session, sessionId, talk, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, projectFolder, sample } from './run.ts'

const SAMPLE = ['--root', 'sample', '--no-index']
const here = { cwd: projectFolder }

test.each([
  ['brief.txt', ['brief', '2ab6']],
  ['brief-turn.txt', ['brief', '2ab6', '--turn', '2']],
  ['brief.md', ['brief', '2ab6', '--format', 'md']],
  ['brief-fork.txt', ['brief', 'f03e']],
])('the bundled sample: %s', (name, words) => {
  const { out, err, status } = clew([...words, ...SAMPLE], here)
  expect([err, status]).toEqual(['', 0])
  expectGolden(name, out)
})

test.each(['60', '72', '80', '100'])('in %s columns no line is longer, but for what cannot be broken', (columns) => {
  const told = '七つの海を渡る船の名前を全部並べて、'.repeat(6)
  const root = writeBelow(newFolder('claude'), { [`projects/-x/${sessionId('c')}.jsonl`]: talk(sessionId('c'), told) })
  for (const words of [
    ['2ab6', ...SAMPLE],
    ['cccc', '--root', root, '--no-index'],
  ]) {
    const lines = linesOf(clew(['brief', ...words], { ...here, env: { COLUMNS: columns } }).out)
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.filter((line) => widthOf(line) > Number(columns) && !/https:/.test(line))).toEqual([])
  }
})

test('as JSON: the whole, one turn, a subagent', () => {
  const [whole] = clewJson<{ readonly turns: readonly unknown[] }>(['brief', '2ab6', ...SAMPLE], here)
  expectGolden('brief.json', `${JSON.stringify(whole, null, 1)}\n`)
  const [turn] = clewJson<Record<string, unknown>>(['brief', '2ab6', '--turn', '2', ...SAMPLE], here)
  expect(turn).toEqual(whole?.turns[1])
  const [agent] = clewJson<{ readonly commands: readonly unknown[] }>(
    ['brief', '2ab6/a3c070c45ad21bfd7', ...SAMPLE],
    here,
  )
  expect(agent?.commands).toHaveLength(1)
})

test('every reference in it can be opened', () => {
  const { out } = clew(['brief', '2ab6', ...SAMPLE], here)
  const references = [...out.matchAll(/(?:^|\s)((?:[0-9a-f]{8}(?:\/\w+)?)?#[0-9a-f@]+)(?:\s|$)/gm)].map(
    ([, name = '']) => name,
  )
  expect(references.length).toBeGreaterThan(40)
  const inner = references.filter((name) => name.includes('/'))
  expect(inner.length).toBeGreaterThan(0)
  for (const name of [...inner, ...references.slice(0, 5)]) {
    const reference = name.startsWith('#') ? `2ab65b76${name}` : name
    expect(clew(['show', reference, ...SAMPLE], here)).toMatchObject({ status: 0 })
  }
})

test('a record names its turn', () => {
  const at = clew(['brief', '2ab6#debad20a', ...SAMPLE], here)
  expect(at.out).toBe(clew(['brief', '2ab6', '--turn', '10', ...SAMPLE], here).out)
  expect(clew(['brief', '2ab6#ffffffff', ...SAMPLE], here).err).toBe(
    'clew: the conversation has no record “ffffffff”\n',
  )
})

test('the index gives the same brief', () => {
  const env = { XDG_CACHE_HOME: newFolder('cache') }
  clew(['list', '--root', sample], { env })
  const [plain, indexed] = [['--no-index'], []].map(
    (more) => clew(['brief', '2ab6', '--json', '--root', sample, ...more], { env }).out,
  )
  expect(indexed).toBe(plain)
})

test.each<readonly [string, readonly string[], string]>([
  ['another format', ['brief', '2ab6', '--format', 'pdf'], 'clew: --format takes text, md or json, not “pdf”'],
  ['no such turn', ['brief', '2ab6', '--turn', '99'], 'clew: there is no turn 99; it has 11 turns'],
  ['no number', ['brief', '2ab6', '--turn', 'x'], 'clew: --turn takes a whole number, not “x”'],
  ['nothing named', ['brief'], 'clew: which conversation? Give an id, a prefix, a title, a path or “latest”.'],
])('%s', (_, words, message) => {
  const { err, status } = clew([...words, ...SAMPLE], here)
  expect([linesOf(err), status]).toEqual([[message], 1])
})

test('files of a Windows folder are named as seen from it', () => {
  const id = sessionId('d')
  const cwd = 'C:\\Users\\ada\\loom'
  const records = session(
    id,
    [
      prompt('u1', null, 'Look at the yarn'),
      reply('a1', 'u1', [
        toolUse('t1', 'Read', { file_path: 'C:\\Users\\ada\\loom\\src\\yarn.ts' }),
        toolUse('t2', 'Read', { file_path: 'c:/users/ada/loom/wool.ts' }),
        toolUse('t3', 'Read', { file_path: 'C:\\Users\\ada\\looms\\other.ts' }),
      ]),
      ...['t1', 't2', 't3'].map((call, at) => toolResult(`r${at}`, 'a1', call, '1 x')),
      reply('a2', 'r2', 'Seen.'),
    ],
    { cwd },
  )
  const root = writeBelow(newFolder('claude'), { [`projects/C--Users-ada-loom/${id}.jsonl`]: records })
  const { out } = clew(['brief', 'dddd', '--root', root, '--no-index'])
  expect(out.replace(/\s+/g, ' ')).toContain('src\\yarn.ts, wool.ts, C:\\Users\\ada\\looms\\other.ts')
})

test('begins and ends with work; what the client noted down before and behind it is in the times of the list', () => {
  const id = sessionId('e')
  const note = (uuid: string, parentUuid: string | null, at: string): object => ({
    ...{ type: 'system', subtype: 'informational', content: 'noted', uuid, parentUuid, sessionId: id },
    timestamp: `2026-03-01T${at}.000Z`,
  })
  const said = session(id, [prompt('u1', 's0', 'Spin'), reply('a1', 'u1', 'Spun.')])
  const records = [note('s0', null, '09:00:00'), ...said, note('s1', 'a1', '23:00:00')] as typeof said
  const words = ['--root', writeBelow(newFolder('claude'), { [`projects/-x/${id}.jsonl`]: records }), '--no-index']
  expect(clewJson(['brief', 'eeee', ...words])[0]).toMatchObject({
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: '2026-03-01T10:00:01.000Z',
  })
  expect(clewJson(['list', ...words])[0]).toMatchObject({
    createdAt: '2026-03-01T09:00:00.000Z',
    modifiedAt: '2026-03-01T23:00:00.000Z',
  })
})

test('a conversation in which nothing happened', () => {
  const id = sessionId('c')
  const root = writeBelow(newFolder('claude'), { [`projects/-x/${id}.jsonl`]: talk(id, 'Hello').slice(0, 1) })
  const { out, status } = clew(['brief', 'cccc', '--root', root])
  expect(status).toBe(0)
  expect(out).toContain('Asked\n  · Hello')
})

// All of the corpora take minutes: the script takes any number of folders. npm run test:long has the made-up ones too.
const isLong = process.env['CLEW_LONG'] === '1'
const roots = [
  sample,
  ...(corpus === null ? [] : [...(isLong ? [join(corpus, 'public', 'synthetic')] : []), ...casesOf(corpus)]),
]
test('every line cites records that exist, files and commands are those of the tool calls (an independent script)', () => {
  const script = join(projectFolder, 'scripts', 'verify-briefs.mjs')
  const ran = spawnSync(process.execPath, [script, ...roots.filter(existsSync)], {
    encoding: 'utf8',
    env: { ...process.env, HOME: newFolder('home') },
  })
  expect(ran.stderr).toBe('')
  expect(JSON.parse(ran.stdout)).toMatchObject({ wrong: 0 })
}, 240_000)

function casesOf(folder: string): readonly string[] {
  const version = join(folder, 'client', '2.1.325')
  return existsSync(version)
    ? readdirSync(version)
        .filter((_, place) => place % 3 === 0)
        .map((name) => join(version, name))
    : []
}
