// `clew scan`: where Secrets are, without the Secrets.

import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../random.ts'
import { leaksOf, plant } from '../redact/planted.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

interface Row {
  readonly path: string
  readonly line: number
  readonly uuid: string | null
  readonly rule: string
  readonly placeholder: string
  readonly count: number
}

const SESSION = '5ca40000-0000-4000-8000-000000000001'
const token = plant(randomOf(1), 0).secret
const other = plant(randomOf(2), 0).secret
const key = plant(randomOf(3), 116)

const home = newFolder('home')
const claude = join(home, '.claude')
const project = join(claude, 'projects', '-home-ada-tidewatch')
const transcript = join(project, `${SESSION}.jsonl`)
const spill = join(project, SESSION, 'tool-results', 'long.txt')
const env = { HOME: home, CLAUDE_CONFIG_DIR: claude, XDG_CACHE_HOME: join(home, 'cache') }

const record = (uuid: string, content: unknown): string =>
  JSON.stringify({
    type: 'user',
    uuid,
    sessionId: SESSION,
    timestamp: '2026-11-16T08:00:00Z',
    message: { role: 'user', content },
  })

mkdirSync(join(project, SESSION, 'tool-results'), { recursive: true })
mkdirSync(join(project, SESSION, 'subagents'), { recursive: true })
writeFileSync(
  transcript,
  [
    record('aaaaaaaa-0000-4000-8000-000000000001', `use ${token} please, ${token}`),
    record('aaaaaaaa-0000-4000-8000-000000000002', [{ type: 'tool_result', content: key.text }]),
    record('aaaaaaaa-0000-4000-8000-000000000003', [{ type: 'tool_use', input: { env: { password: 'swordfish' } } }]),
    `{"type":"user","torn":"${other}`,
    record('aaaaaaaa-0000-4000-8000-000000000004', 'nothing here, max_tokens: 4096'),
    '',
  ].join('\n'),
)
writeFileSync(spill, `${'a line\n'.repeat(200_000)}token ${token}\n`)
writeFileSync(
  join(project, SESSION, 'subagents', 'agent-a1.jsonl'),
  `${record('bbbbbbbb-0000-4000-8000-000000000001', `again ${token}`)}\n`,
)

test.each([[[]], [['latest']], [[SESSION.slice(0, 4)]], [[transcript, join(project, SESSION)]], [[claude]]])(
  'clew scan %j finds all of it',
  (words) => {
    const rows = clewJson<Row>(['scan', ...words], { env })
    expect(
      rows.map(({ path, line, uuid, rule, count }) => [
        path.slice(project.length + 1),
        line,
        uuid?.slice(-4) ?? null,
        rule,
        count,
      ]),
    ).toEqual(
      [
        [`${SESSION}.jsonl`, 1, '0001', 'github-token', 2],
        [`${SESSION}.jsonl`, 2, '0002', 'private-key', 1],
        [`${SESSION}.jsonl`, 3, '0003', 'password', 1],
        [`${SESSION}.jsonl`, 4, null, 'github-token', 1],
        [`${SESSION}/subagents/agent-a1.jsonl`, 1, '0001', 'github-token', 1],
        [`${SESSION}/tool-results/long.txt`, 200_001, null, 'github-token', 1],
      ].sort((one, another) =>
        String(one[0]) < String(another[0]) ? -1 : String(one[0]) > String(another[0]) ? 1 : 0,
      ),
    )
    expect(Object.keys(rows[0] ?? {})).toEqual(['path', 'line', 'uuid', 'rule', 'placeholder', 'count'])
    const tags = rows.filter((row) => row.rule === 'github-token').map((row) => row.placeholder)
    expect(new Set(tags).size).toBe(2)
  },
)

test('a link that is named is followed', () => {
  const folder = newFolder()
  symlinkSync(transcript, join(folder, 'link.jsonl'))
  expect(clewJson<Row>(['scan', join(folder, 'link.jsonl')], { env })).toEqual(
    clewJson<Row>(['scan', transcript], { env }),
  )
  expect(clew(['scan', folder], { env })).toMatchObject({ status: 0, out: '' })
})

test('no Secret is printed, and the exit code says that there are some', () => {
  for (const more of [[], ['--json']]) {
    const { out, err, status } = clew(['scan', ...more], { env })
    expect(status).toBe(1)
    for (const secret of [token, other, key.secret, 'swordfish']) expect(leaksOf(secret, out + err)).toEqual([])
  }
  expect(clew(['scan'], { env }).out).toMatch(/3 files, 1.4 MB: 4 secrets in 7 places\.\n$/)
})

test('nothing found is 0, and what cannot be done is 2', () => {
  expect(clew(['scan', '--root', sample], { env })).toMatchObject({ status: 0, err: '' })
  expect(clew(['scan', 'no-such-thing'], { env })).toMatchObject({ status: 2, out: '' })
  expect(clew(['scan', '--wrong'], { env })).toMatchObject({ status: 2, out: '' })
  const empty = clew(['scan', '--root', newFolder()], { env })
  expect(empty.status).toBe(0)
})

test('the bytes of an image are no text, and what is only called an image is', () => {
  const file = join(newFolder(), 'a.jsonl')
  const image = (bytes: string): unknown => [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
  ]
  // What a rule takes for a token, in the middle of a picture.
  const letters = 'iVBORw0KGgoAAAANSUhEUgAA/AKIAQ7ZX5MN2KP4R6T3V/AAAA'
  const lines = [
    record('u1', image(letters)),
    JSON.stringify({ type: 'user', uuid: 'u2', toolUseResult: { file: { base64: letters } } }),
    record('u3', image(token)),
    record('u4', letters),
  ]
  writeFileSync(file, lines.join('\n'))
  const rows = clewJson<Row>(['scan', file], { env })
  expect(rows.map(({ line, rule }) => [line, rule])).toEqual([
    [3, 'github-token'],
    [4, 'aws-access-key'],
  ])
})

describe('what cannot be read is not called clean', () => {
  // Root may read everything, and nobody has a home.
  const identity = process.getuid?.() === 0 ? { uid: 65534 } : {}
  const somebody = { ...identity, cwd: '/', env: { HOME: '/', CLAUDE_CONFIG_DIR: '/no-such-folder' } }

  function locked(name: string): { readonly folder: string; readonly path: string } {
    const folder = newFolder('locked')
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, 'nothing\n')
    // Whoever looks has to come past the folders of this test.
    for (let at = join(path, '..'); at.length > tmpdir().length; at = join(at, '..')) chmodSync(at, 0o755)
    return { folder, path }
  }

  test('a file', () => {
    const { folder, path } = locked('a.txt')
    writeFileSync(join(folder, 'b.txt'), 'nothing either\n')
    chmodSync(path, 0o000)
    for (const name of [path, folder]) {
      const { status, out, err } = clew(['scan', name], somebody)
      expect([status, err]).toEqual([2, `clew: ${path}: cannot open the file: EACCES\n`])
      expect(out).toBe(
        name === path
          ? '1 could not be read.\n'
          : '1 file, 15 B: no secrets found in these. 1 more could not be read.\n',
      )
    }
    expect(clew(['scan', folder, '--json'], somebody)).toMatchObject({ status: 2, out: '' })
  })

  test('a folder, and a path in it', () => {
    const { folder, path } = locked('in/a.txt')
    chmodSync(join(folder, 'in'), 0o000)
    for (const name of [folder, join(folder, 'in'), path]) {
      const { status, out, err } = clew(['scan', name], somebody)
      expect([status, out]).toEqual([2, '1 could not be read.\n'])
      expect(err).toMatch(/^clew: .*: cannot (list the folder|open the file): EACCES\n$/)
    }
  })

  test('a project, and output beside a transcript', () => {
    for (const shut of ['projects/-home-ada-tides', `projects/-home-ada-tides/${SESSION}/tool-results`]) {
      const { folder } = locked(`projects/-home-ada-tides/${SESSION}/tool-results/long.txt`)
      mkdirSync(join(folder, 'projects', 'other'))
      for (const name of [`-home-ada-tides/${SESSION}`, 'other/1'])
        writeFileSync(join(folder, 'projects', `${name}.jsonl`), record('u', 'nothing'), { mode: 0o644 })
      chmodSync(join(folder, shut), 0o000)
      const { status, out } = clew(['scan', '--root', folder], somebody)
      expect([shut, status]).toEqual([shut, 2])
      expect(out).toContain('no secrets found in these. 1 more could not be read.')
    }
  })

  test('with secrets in the rest', () => {
    const { path, folder } = locked('a.txt')
    chmodSync(path, 0o000)
    writeFileSync(join(folder, 'b.txt'), `token ${token}\n`)
    const { status, out } = clew(['scan', folder], somebody)
    expect([status, out]).toEqual([1, expect.stringMatching(/1 secret in 1 place\. 1 more could not be read\.\n$/)])
  })

  test('and where there is nothing, nothing is claimed', () => {
    const { status, out, err } = clew(['scan', '--root', newFolder()], { env })
    expect([status, out]).toEqual([0, ''])
    expect(err).toContain('no conversations in')
    expect(clew(['scan', '--root', join(newFolder(), 'none')], { env })).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('no such file or folder'),
    })
  })
})

describe('the key', () => {
  test('is made once, for its owner alone; the same key gives the same tags', () => {
    const path = join(home, '.config', 'clew', 'redact.key')
    const [first] = clewJson<Row>(['scan', transcript], { env })
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path).length).toBe(32)
    expect(clewJson<Row>(['scan', transcript], { env })[0]).toEqual(first)
    const [elsewhere] = clewJson<Row>(['scan', transcript], { env: { ...env, XDG_CONFIG_HOME: newFolder('config') } })
    expect(elsewhere?.placeholder).not.toBe(first?.placeholder)
  })

  test('that cannot be kept is no failure', () => {
    const file = join(newFolder('config'), 'no-folder')
    writeFileSync(file, '')
    expect(clewJson<Row>(['scan', transcript], { env: { ...env, XDG_CONFIG_HOME: file } }).length).toBe(4)
    const locked = newFolder('config')
    chmodSync(locked, 0o500)
    expect(clewJson<Row>(['scan', transcript], { env: { ...env, XDG_CONFIG_HOME: locked } }).length).toBe(4)
  })
})

test('what the user has listed is found, in plain and as a hash', () => {
  const config = newFolder('config')
  mkdirSync(join(config, 'clew'))
  const hash = createHash('sha256').update('Leuchtturm').digest('hex')
  writeFileSync(join(config, 'clew', 'secrets.txt'), `# ours\nTidewatch GmbH\n\nsha256:${hash}\n`)
  const file = join(newFolder(), 'note.md')
  writeFileSync(file, 'For Tidewatch GmbH.\nThe project is called Leuchtturm, not Leuchtturme.\n')
  const rows = clewJson<Row>(['scan', file], { env: { ...env, XDG_CONFIG_HOME: config } })
  expect(rows.map(({ line, rule, count }) => [line, rule, count])).toEqual([
    [1, 'literal', 1],
    [2, 'listed', 1],
  ])
})

test('binary files and folders of packages are passed over', () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules', 'a.js'), `const token = "${token}"`)
  writeFileSync(join(folder, 'picture.bin'), Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(token)]))
  expect(clew(['scan', folder], { env }).status).toBe(0)
  expect(existsSync(join(folder, 'picture.bin'))).toBe(true)
})
