// `clew check`: what it may be asked about, its exit codes, what is reached and what is new.

import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, talk, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, sample } from './run.ts'

interface Checked {
  readonly path: string
  readonly role: string
  readonly sessionId: string
  readonly sizeBytes: number
  readonly recordCount: number
  readonly replays: number
  readonly problemsByCode: Readonly<Record<string, { readonly severity: string; readonly count: number }>>
  readonly unplaced: readonly { readonly line: number; readonly type: string; readonly reason: string }[]
  readonly reachable: Readonly<Record<string, number>> | null
  readonly islands: readonly { readonly firstUuid: string; readonly records: number; readonly line: number }[]
  readonly drift: readonly Readonly<Record<string, unknown>>[]
}

function check(words: readonly string[], cwd?: string): readonly Checked[] {
  return clewJson<Checked>(['check', ...words], cwd === undefined ? {} : { cwd })
}

function names(files: readonly Checked[]): readonly string[] {
  return files.map((file) => file.path.slice(file.path.lastIndexOf('/') + 1, -'.jsonl'.length)).sort()
}

const TIDES = join(sample, 'projects', '-home-ada-tidewatch')
const DOTFILES = join(sample, 'projects', '-home-ada-dotfiles')
const LOCAL_DAYS = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'
const TORN = '8e8a4192-357f-4b12-8465-649a41a13865'

describe('what is asked about', () => {
  const whole = [LOCAL_DAYS, 'agent-a3c070c45ad21bfd7', 'agent-a53b576efea454709', 'agent-ad6f1926f670c97fd']

  test.each([
    ['an id', ['2ab6', '--root', sample], whole],
    ['a title', ['Local days instead of 24 hours', '--root', sample], whole],
    ['a path: the conversation with its subagents, as by its id', [join(TIDES, `${LOCAL_DAYS}.jsonl`)], whole],
    ['the path of a subagent', [join(TIDES, LOCAL_DAYS, 'subagents', 'agent-a53b576efea454709.jsonl')], [whole[2]]],
    ['a folder', [DOTFILES], ['408eda1d-a363-4f87-ac95-605cd1110818', TORN, 'agent-a27b924', 'agent-aa63c08']],
    [
      'a session whose subagents lie beside it',
      ['408e', '--root', sample],
      ['408eda1d-a363-4f87-ac95-605cd1110818', 'agent-a27b924', 'agent-aa63c08'],
    ],
    [
      'a path outside of the roots beside an id inside',
      ['2ab6', join(DOTFILES, `${TORN}.jsonl`), '--root', TIDES],
      [...whole, TORN],
    ],
    ['the same thing in three ways', ['2ab6', join(TIDES, `${LOCAL_DAYS}.jsonl`), LOCAL_DAYS, '--root', sample], whole],
  ])('%s', (_, words, expected) => {
    expect(names(check(words))).toEqual([...expected].sort())
  })

  test('a path, an id and the whole archive say the same about a file', () => {
    for (const [id, path] of [
      [LOCAL_DAYS, join(TIDES, `${LOCAL_DAYS}.jsonl`)],
      [TORN, join(DOTFILES, `${TORN}.jsonl`)],
    ] as const) {
      const of = (files: readonly Checked[]): unknown => files.find((file) => file.path === path)
      const expected = of(check(['--root', sample]))
      expect(expected).toBeDefined()
      expect(of(check([path]))).toEqual(expected)
      expect(of(check([id, '--root', sample]))).toEqual(expected)
    }
  })

  test('problems of other files stay out of what is said about one', () => {
    const folder = writeBelow(newFolder(), { 'fine.jsonl': talk('fine', 'hello') })
    symlinkSync('/dev/null', join(folder, 'link.jsonl'))
    expect(clew(['check', join(folder, 'fine.jsonl')]).status).toBe(0)
    expect(clew(['check', 'fine', '--root', folder]).status).toBe(0)
    expect(clew(['check', folder]).status).toBe(1)
    expect(clew(['check', join(folder, 'link.jsonl')]).status).toBe(1)
  })

  test('a problem of what was asked for is told once, in however many ways it was named', () => {
    const folder = writeBelow(newFolder(), {
      'one.jsonl': talk('one', 'hello'),
      'two.jsonl': talk('two', 'hello'),
      'one/subagents/agent-a1.jsonl': talk('one', 'look', { isSidechain: true, agentId: 'a1' }),
    })
    symlinkSync('/dev/null', join(folder, 'one/subagents/agent-a2.jsonl'))
    const files = check(['one', 'two', join(folder, 'one.jsonl'), folder, '--root', folder])
    expect(names(files)).toEqual(['agent-a1', 'agent-a2', 'one', 'two'])
    expect(files.filter((file) => file.role === null)).toHaveLength(1)
  })
})

describe('exit code', () => {
  const folder = newFolder()

  test('0 is clean, and notes do not count', () => {
    const path = join(folder, 'noted.jsonl')
    writeFileSync(
      path,
      session('noted', [prompt('u', null, 'x')])
        .map((one) => JSON.stringify(one))
        .join('\n'),
    )
    const { status, out } = clew(['check', path])
    expect(status).toBe(0)
    expect(out).toMatch(/^ {2}no-final-newline × 1 {2}the last record has no line end$/m)
    expect(out).toMatch(/^1 file, .* 1 record: every byte accounted for\. No problems\.$/m)
  })

  test('1 is problems found', () => {
    const { status, out } = clew(['check', '--root', sample])
    expect(status).toBe(1)
    expect(out).toMatch(/^ {2}torn-record × 1 {2}.*\n {4}line 14 \(byte 6,602\)$/m)
    expect(out).toMatch(/^11 files, 282 kB, 339 records: every byte accounted for\. 1 file with problems\.$/m)
  })

  test.each([
    [
      ['nothing-like-it', '--root', sample],
      /^clew: no conversation, file or folder “nothing-like-it”\. Try: clew list\n$/,
    ],
    [['--root', '/no/such/folder'], /^clew: no such file or folder: \/no\/such\/folder\n$/],
    [['--frob'], /^clew: Unknown option '--frob'\. Try: clew check --help\n$/],
    [
      [join(sample, '..', 'package.json')],
      /^clew: .*package\.json is neither a transcript \(\.jsonl\) nor a folder\n$/,
    ],
  ])('2 is could not run: %j', (words, message) => {
    const { status, out, err } = clew(['check', ...words])
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })
})

describe('what is not a plain file', () => {
  test('is named, and nothing hangs on it', () => {
    const folder = newFolder()
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
    symlinkSync('/dev/zero', join(folder, 'zero.jsonl'))
    symlinkSync(join(folder, 'loop.jsonl'), join(folder, 'loop.jsonl'))
    writeBelow(folder, { 'good.jsonl': talk('good', 'hello'), 'folder.jsonl/x.txt': '' })
    const files = check([folder])
    const problems = files.filter((file) => file.role === null)
    expect(names(problems)).toEqual(['folder', 'loop', 'pipe', 'zero'])
    for (const file of problems) expect(Object.keys(file.problemsByCode)).toEqual(['file-not-regular'])
    expect(new Set(files.map((file) => Object.keys(file).sort().join())).size).toBe(1)
    const { out } = clew(['check', folder])
    expect(out.match(/a FIFO, device, socket, link or directory where a transcript is expected/g)).toHaveLength(4)
  })
})

describe('what is reached', () => {
  const id = sessionId('a')

  test('an island is what a missing parent cuts off', () => {
    const records = session(id, [
      prompt('i1', 'never-written', 'lost'),
      reply('i2', 'i1', 'lost too'),
      prompt('u1', null, 'found'),
      reply('a1', 'u1', 'yes'),
    ])
    const [file] = check([writeBelow(newFolder(), { [`${id}.jsonl`]: records })])
    expect(file?.islands).toMatchObject([{ firstUuid: 'i1', records: 2, line: 1 }])
    expect(file?.problemsByCode['missing-parent']).toMatchObject({ severity: 'error', count: 1 })
    expect(file?.reachable).toMatchObject({ records: 4, full: 2, branches: 2 })
  })

  test('copies are counted, and records without an id are named', () => {
    const again = prompt('u1', null, 'hello')
    const records = session(id, [again, again, { type: 'user', message: { role: 'user', content: 'no id' } }], {
      timestamp: '2026-03-01T10:00:00.000Z',
    })
    const [file] = check([writeBelow(newFolder(), { [`${id}.jsonl`]: records })])
    expect(file).toMatchObject({ recordCount: 3, replays: 1, unplaced: [{ line: 3, type: 'user' }] })
  })
})

describe('drift', () => {
  const id = sessionId('b')
  const folder = writeBelow(newFolder(), {
    [`${id}.jsonl`]: session(id, [
      prompt('u1', null, 'hello', { brandNewKey: 1 }),
      reply('a1', 'u1', [{ type: 'hologram', beam: 1 }]),
      { type: 'telepathy', uuid: 't1', parentUuid: 'a1', content: 'x' },
      { type: 'telepathy', uuid: 't2', parentUuid: 't1', content: 'y' },
      { type: 'system', subtype: 'sneeze', uuid: 's1', parentUuid: 't2', content: 'z' },
    ]),
  })

  test('is what the client wrote that was not met before, by version', () => {
    const [file] = check([folder])
    const version = '2.1.325'
    expect(file?.drift).toEqual(
      expect.arrayContaining([
        { kind: 'type', name: 'telepathy', version, count: 2 },
        { kind: 'subtype', name: 'system/sneeze', version, count: 1 },
        { kind: 'block', name: 'hologram', version, count: 1 },
        { kind: 'key', name: 'user.brandNewKey', version, count: 1 },
      ]),
    )
    expect(file?.problemsByCode).toEqual({})
  })

  test('is no problem, but it is told', () => {
    const { status, out } = clew(['check', folder])
    expect(status).toBe(0)
    expect(linesOf(out).at(-1)).toMatch(/^Not met before .*type telepathy \(client 2\.1\.325\) × 2/)
  })
})
