// `clew carry`: a session out of one Claude directory and into another, the same words, and resumable there. And that a
// file from somebody else's machine is believed nothing.

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { carry } from '../../src/cli/carry.ts'
import { scan } from '../../src/cli/scan.ts'
import { show } from '../../src/cli/show.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { checkManifest } from '../../src/relocate/carry-format.ts'
import { projectKeyOf as key } from '../../src/store/project-key.ts'
import { chainedRecords, readStored } from '../../src/store/stored-transcript.ts'
import type { RanHere } from '../cli/in-process.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { linesOf, newFolder } from '../cli/run.ts'
import { homeFiles, LONG_AGO, MAIN, NEW, NOW_MS, OLD, SUB } from './fixture.ts'

function newRoot(): string {
  const home = writeBelow(newFolder('from'), homeFiles())
  for (const name of Object.keys(homeFiles())) utimesSync(join(home, name), LONG_AGO, LONG_AGO)
  return join(home, '.claude')
}

function emptyRoot(): string {
  return writeBelow(newFolder('to'), { 'projects/-x/README': 'there' })
}

const run = (...words: readonly string[]): Promise<RanHere> => runHere(carry, words, NOW_MS)

async function carried(root = newRoot()): Promise<string> {
  const file = join(newFolder('carried'), 'one.clew')
  const { status, err } = await run(MAIN, '-o', file, '--root', root, '--no-index')
  expect([status, err]).toEqual([0, ''])
  return file
}

async function bring(
  file: string,
  root: string,
  ...words: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const { status, out, err } = await run('--import', file, '--root', root, '--json', ...words)
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(root.length + 1))
    .sort()

async function words(root: string, id: string): Promise<string> {
  const { out } = await runHere(show, [id, '--root', root, '--no-index'], NOW_MS)
  return out
}

const chain = (path: string): readonly string[] => chainedRecords(readStored(REAL_DISK, path)).map(({ uuid }) => uuid)

describe('the clean-up of the client goes by the time of a file', () => {
  const DAY_MS = 86_400_000
  const timeAfter = async (ageDays: number, settings = '{}'): Promise<readonly [number, unknown]> => {
    const from = newRoot()
    const modified = new Date(NOW_MS - ageDays * DAY_MS)
    for (const name of filesIn(from)) utimesSync(join(from, name), modified, modified)
    const to = writeBelow(emptyRoot(), { 'settings.json': settings })
    const { renewed } = await bring(await carried(from), to, '--apply')
    return [(NOW_MS - statSync(join(to, 'projects', key(OLD), `${MAIN}.jsonl`)).mtimeMs) / DAY_MS, renewed]
  }

  test('what it would soon delete gets the time of now, and that is told', async () => {
    expect(await timeAfter(100)).toEqual([0, expect.any(Number)])
    expect(await timeAfter(24)).toEqual([0, expect.any(Number)])
    const file = await carried()
    expect((await run('--import', file, '--root', emptyRoot())).out).toMatch(/^\d+ files get the time of now: /m)
  })

  test('anything else keeps its time', async () => {
    expect(await timeAfter(22)).toEqual([22, 0])
    expect(await timeAfter(100, '{"cleanupPeriodDays":365}')).toEqual([100, 0])
  })
})

test.each([
  ['no Claude directory', false],
  ['an empty one', true],
])('into a machine with %s: what is missing is made', async (_, isEmpty) => {
  const file = await carried()
  const own = join(newFolder('fresh'), '.claude')
  if (isEmpty) mkdirSync(own)
  const fresh = (...words: readonly string[]): Promise<RanHere> =>
    runHere(carry, ['--import', file, ...words], NOW_MS, { CLAUDE_CONFIG_DIR: own })
  const dry = await fresh()
  expect([dry.status, dry.err]).toEqual([0, ''])
  expect(dry.out).toContain(`${join(own, 'projects')} is not there yet, and would be made.`)
  expect(existsSync(own)).toBe(isEmpty)
  expect(JSON.parse((await fresh('--apply', '--json')).out)).toMatchObject({ newFolder: join(own, 'projects') })
  expect(existsSync(join(own, 'projects', key(OLD), `${MAIN}.jsonl`))).toBe(true)
  expect(JSON.parse((await fresh('--json')).out)).toMatchObject({ newFolder: null, alreadyThere: true })
})

test('what an import that was killed left unpacked is gone with the next one', async () => {
  const file = await carried()
  const running = `clew-carry/${MAIN}-${process.ppid}/0`
  for (const times of [1, 2]) {
    const to = writeBelow(emptyRoot(), { [`clew-carry/${MAIN}-999999999/0`]: 'half of it', [running]: 'theirs' })
    for (let left = times; left > 0; left--) {
      expect(await run('--import', file, '--root', to, '--apply')).toMatchObject({ status: 0 })
    }
    expect(readdirSync(join(to, 'clew-carry'))).toEqual([`${MAIN}-${process.ppid}`])
    expect(existsSync(join(to, running))).toBe(true)
  }
})

test('no file is made in a Claude directory', async () => {
  const root = newRoot()
  const file = join(root, 'one.clew')
  const { status, err } = await run(MAIN, '-o', file, '--root', root, '--no-index')
  expect([status, err]).toEqual([1, `clew: ${file} is inside a Claude directory; files are not written there\n`])
  expect(existsSync(file)).toBe(false)
})

test('what goes into the file: the session, and nothing of the machine', async () => {
  const [head = '', ...rest] = gunzipSync(readFileSync(await carried()))
    .toString('utf8')
    .split('\n')
  const manifest = JSON.parse(head) as { files: readonly { name: string }[]; cwd: string }
  expect(manifest.files.map(({ name }) => name)).toEqual([
    'transcript.jsonl',
    'session/subagents/agent-a1.jsonl',
    'session/subagents/agent-a1.meta.json',
    'session/tool-results/b1234.txt',
    'agents/agent-f1a7000.jsonl',
    'file-history/aa@v1',
    `todos/${MAIN}-agent-${MAIN}.json`,
  ])
  expect(rest.join('\n')).not.toContain('"never"')
  expect(rest.join('\n')).not.toContain('permissions')
})

describe('brought in', () => {
  test('below the same path: the same bytes, the same words, resumable', async () => {
    const [from, to] = [newRoot(), emptyRoot()]
    const file = await carried(from)
    const before = filesIn(to)
    expect(await bring(file, to)).toMatchObject({ applied: false, renamed: false, cwd: OLD, written: 0 })
    expect(filesIn(to)).toEqual(before)
    expect(await bring(file, to, '--apply')).toMatchObject({ applied: true, sessionId: MAIN, written: 7 })
    const place = join('projects', key(OLD), `${MAIN}.jsonl`)
    for (const name of filesIn(to).filter((one) => !before.includes(one))) {
      expect([name, readFileSync(join(to, name), 'hex')]).toEqual([name, readFileSync(join(from, name), 'hex')])
    }
    expect(await words(to, MAIN)).toBe(await words(from, MAIN))
    expect(chain(join(to, place))).toEqual(chain(join(from, place)))
    expect(chain(join(to, place))).toHaveLength(4)
    expect(existsSync(join(to, 'clew-carry'))).toBe(false)
    // Once more changes nothing.
    expect(await bring(file, to, '--apply')).toMatchObject({ alreadyThere: true, written: 0 })
  })

  test.each([[[]], [['--keep-cwd']]])('below another path %j', async (more) => {
    const [from, to] = [newRoot(), emptyRoot()]
    const file = await carried(from)
    const plan = await run('--import', file, '--root', to, '--project', NEW, ...more)
    expect(plan.out).toMatch(more.length === 0 ? /folder in its records is changed: .* → / : /records stay as they are/)
    expect(await bring(file, to, '--project', NEW, '--apply', ...more)).toMatchObject({ sessionId: MAIN, cwd: NEW })
    const path = join(to, 'projects', key(NEW), `${MAIN}.jsonl`)
    const text = readFileSync(path, 'utf8')
    const old = readFileSync(join(from, 'projects', key(OLD), `${MAIN}.jsonl`), 'utf8')
    if (more.length > 0)
      expect(text).toBe(`${old}\n{"type":"relocated","sessionId":"${MAIN}","relocatedCwd":"${NEW}"}\n`)
    else expect(linesOf(text)[0]).toBe(linesOf(old)[0]?.replace(`"cwd":"${OLD}"`, `"cwd":"${NEW}"`))
    expect(chain(path)).toHaveLength(4)
    expect((await words(to, MAIN)).replaceAll(NEW, OLD)).toBe((await words(from, MAIN)).replaceAll(NEW, OLD))
    expect(await bring(file, to, '--project', NEW, '--apply', ...more)).toMatchObject({ alreadyThere: true })
  })

  test('where the id is taken by something else it gets a new one', async () => {
    const to = writeBelow(emptyRoot(), { [`projects/-x/${MAIN}.jsonl`]: '{"type":"user"}\n' })
    const found = await bring(await carried(), to, '--apply')
    expect(found['renamed']).toBe(true)
    const id = String(found['sessionId'])
    expect(id).not.toBe(MAIN)
    const path = join(to, 'projects', key(OLD), `${id}.jsonl`)
    expect(chain(path)).toHaveLength(4)
    expect(readFileSync(path, 'utf8')).not.toContain(`"sessionId":"${MAIN}"`)
    expect(existsSync(join(to, 'todos', `${id}-agent-${id}.json`))).toBe(true)
    expect(existsSync(join(to, 'file-history', id, 'aa@v1'))).toBe(true)
    expect(readFileSync(join(to, 'projects/-x', `${MAIN}.jsonl`), 'utf8')).toBe('{"type":"user"}\n')
  })

  test('nothing is replaced', async () => {
    const to = writeBelow(emptyRoot(), { [`file-history/${MAIN}/aa@v1`]: 'mine' })
    const { status, err } = await run('--import', await carried(), '--root', to, '--apply')
    expect([status, err]).toEqual([1, expect.stringMatching(/is there already and is another file/)])
    expect(readFileSync(join(to, `file-history/${MAIN}/aa@v1`), 'utf8')).toBe('mine')
    expect(filesIn(to)).toHaveLength(2)
  })
})

test('nothing of it can become the memory of a project', async () => {
  const texts = { 'transcript.jsonl': '{}\n', 'session/memory/MEMORY.md': 'x', 'session/MEMORY.md': 'y' }
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    sizeBytes: text.length,
    modifiedMs: 0,
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  const head = { clew: 'carry', version: 1, title: '', cwd: '/a', carriedAt: '', files }
  for (const sessionId of [MAIN, 'memory', 'MEMORY']) {
    const [to, file] = [emptyRoot(), join(newFolder('memory'), 'one.clew')]
    writeFileSync(file, gzipSync(`${JSON.stringify({ ...head, sessionId })}\n${Object.values(texts).join('')}`))
    const { status } = await run('--import', file, '--root', to, '--apply')
    expect([sessionId, status]).toEqual([sessionId, sessionId === MAIN ? 0 : 1])
    expect(filesIn(to).filter((name) => /^projects\/[^/]+\/memory/i.test(name))).toEqual([])
  }
})

describe('a file that is not what it should be', () => {
  const good = carried().then((file) => readFileSync(file))

  async function refused(bytes: Buffer): Promise<string> {
    const to = emptyRoot()
    const before = filesIn(to)
    const file = join(newFolder('bad'), 'bad.clew')
    writeFileSync(file, bytes)
    for (const more of [[], ['--apply']]) {
      const { status, err } = await run('--import', file, '--root', to, ...more)
      expect([status, linesOf(err).length]).toEqual([1, 1])
      expect(filesIn(to)).toEqual(before)
      if (more.length > 0) return err
    }
    return ''
  }

  test('cut off anywhere, or a byte changed anywhere', async () => {
    const bytes = await good
    for (let at = 0; at < bytes.length; at += 97) await refused(bytes.subarray(0, at))
    for (let at = 10; at < bytes.length; at += 97) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 0x10
      await refused(flipped)
    }
  })

  const sha256 = createHash('sha256').update('x').digest('hex')
  const file = { name: 'transcript.jsonl', sizeBytes: 1, modifiedMs: 0, sha256 }
  const manifest = { clew: 'carry', version: 1, sessionId: MAIN, title: '', cwd: '/a', carriedAt: '', files: [file] }
  const packed = (more: object, body = 'x'): Buffer => gzipSync(`${JSON.stringify({ ...manifest, ...more })}\n${body}`)

  test.each([
    ['no gzip', Buffer.from('hello'), /not made by clew carry/],
    ['no manifest', gzipSync('hello\n'), /does not begin with a manifest/],
    ['another kind', packed({ clew: 'else' }), /not made by clew carry/],
    ['a later version', packed({ version: 2 }), /later version/],
    ['an id that is a path', packed({ sessionId: '../x' }), /no sound id/],
    ['an id that is the name of the memory', packed({ sessionId: 'memory' }), /bad\.clew: .*no sound id/],
    ['an id that is a word', packed({ sessionId: 'settings' }), /no sound id/],
    [
      'two names that one system takes for one',
      packed({ files: [file, ...['session/é', 'session/e\u0301'].map((name) => ({ ...file, name }))] }, 'xxx'),
      /same place/,
    ],
    ['more than it says', packed({}, 'xy'), /more in it than/],
    ['less than it says', packed({}, ''), /cut off/],
    ['other bytes', packed({}, 'y'), /damaged/],
    ['a bomb', packed({ files: [{ ...file, sizeBytes: 1e12 }] }), /far more than it can hold/],
    ['no transcript', packed({ files: [{ ...file, name: 'session/x' }] }), /no transcript/],
    [
      'a file twice',
      packed({ files: [file, { ...file, name: 'session/x' }, { ...file, name: 'session/X' }] }),
      /twice/,
    ],
  ])('%s', async (_, bytes, expected) => {
    expect(await refused(bytes)).toMatch(expected)
  })

  test.each([
    '/etc/passwd',
    '../x',
    'session/../../x',
    'session/./x',
    'session//x',
    'session',
    'settings.json',
    '.credentials.json',
    'session/a\\b',
    'session/C:x',
    'session/x\u0000',
    'session/nul.txt',
    'session/x.',
    'todos/..',
    'file-history/...',
    'agents/memory/MEMORY.md',
    'agents/agent-a/b.jsonl',
    'agents/agent-a1.md',
    `agents/${SUB}.jsonl`,
    `agents/${MAIN}.jsonl`,
    `todos/${SUB}-agent-${SUB}.json`,
    `todos/${MAIN}/x.json`,
    `session/${'x'.repeat(201)}`,
  ])('a name that leads elsewhere: %j', (name) => {
    expect(checkManifest(JSON.stringify({ ...manifest, files: [file, { ...file, name }] }), 1000)).toMatch(/not sound/)
  })
})

test('a link is not carried, and a file that is there is not replaced', async () => {
  const root = newRoot()
  symlinkSync('/etc/hostname', join(root, 'projects', key(OLD), MAIN, 'tool-results', 'link.txt'))
  const file = join(newFolder('carried'), 'one.clew')
  const { out } = await run(MAIN, '-o', file, '--root', root, '--no-index')
  expect(out).toMatch(/left out: .*link\.txt/)
  const again = await run(MAIN, '-o', file, '--root', root, '--no-index')
  expect([again.status, again.err]).toEqual([1, expect.stringMatching(/is there already/)])
})

test('what is told to look for secrets finds those in all that was packed', async () => {
  const root = newRoot()
  const token = `ghp_${createHash('sha256').update('token').digest('hex').slice(0, 36)}`
  const below = [
    `projects/${key(OLD)}/${MAIN}/tool-results/b1234.txt`,
    `file-history/${MAIN}/aa@v1`,
    `tasks/${MAIN}/1.json`,
  ]
  const places = [...below, `todos/${MAIN}-agent-${MAIN}.json`, `projects/${key(OLD)}/agent-f1a7000.jsonl`]
  for (const name of places) {
    const path = join(root, name)
    writeBelow(root, { [name]: `${existsSync(path) ? readFileSync(path, 'utf8') : ''}{"text":"token: ${token}"}\n` })
  }
  const { out } = await run(MAIN, '-o', join(newFolder('carried'), 'one.clew'), '--root', root, '--no-index')
  const words = /clew scan (.*)/.exec(out)?.[1]?.split(' ') ?? []
  const scanned = await runHere(scan, [...words, '--json', '--no-index'], NOW_MS)
  const found = new Set(linesOf(scanned.out).map((line) => (JSON.parse(line) as { path: string }).path))
  expect([...found].sort()).toEqual(places.map((name) => join(root, name)).sort())
})

test.each([
  [[], /takes a session/],
  [['latest'], /-o FILE/],
  [['latest', '-o', 'x', '--apply'], /goes together with --import/],
  [['--import', '/nowhere'], /no such file/],
  [['x', '--import', '/nowhere'], /takes no session/],
])('%j', async (words, expected) => {
  const { status, err } = await run(...words)
  expect([status, err]).toEqual([1, expect.stringMatching(expected)])
})

test('a file that is not named by the id of a session is not carried: nobody could import it', async () => {
  const root = writeBelow(newRoot(), { 'projects/-x/notes.jsonl': '{"type":"user"}\n' })
  const { status, err } = await run(join(root, 'projects/-x/notes.jsonl'), '-o', join(root, 'one.clew'), '--no-index')
  expect([status, err]).toEqual([1, expect.stringMatching(/notes\.jsonl cannot be carried/)])
})
