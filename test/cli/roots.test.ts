// Where the command looks: the roots that are named, the environment, the home folder; and what they may be.

import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionId, talk, writeBelow } from './records.ts'
import { clew, clewJson, command, linesOf, newFolder, sample } from './run.ts'

interface Row {
  readonly sessionId: string
  readonly title: string
  readonly project: string
  readonly subagents: number
  readonly path: string
}

const A = sessionId('a')
const B = sessionId('b')

function titles(words: readonly string[], env: Readonly<Record<string, string>> = {}): readonly string[] {
  return clewJson<Row>(['list', ...words], { env })
    .map((row) => row.title)
    .sort()
}

describe('roots', () => {
  const one = writeBelow(newFolder(), { [`projects/-one/${A}.jsonl`]: talk(A, 'one') })
  const two = writeBelow(newFolder(), { [`projects/-two/${B}.jsonl`]: talk(B, 'two') })

  test('several are one archive', () => {
    expect(titles(['--root', one, '--root', two])).toEqual(['one', 'two'])
  })

  test('one inside of another counts once', () => {
    expect(titles(['--root', one, '--root', join(one, 'projects', '-one'), '--root', one])).toEqual(['one'])
  })

  test('may be a projects folder, a project, one transcript or a link to a folder', () => {
    const link = join(newFolder(), 'link')
    symlinkSync(one, link)
    const roots = [
      join(one, 'projects'),
      join(one, 'projects', '-one'),
      join(one, 'projects', '-one', `${A}.jsonl`),
      link,
    ]
    for (const root of roots) expect(titles(['--root', root]), root).toEqual(['one'])
  })

  test('a transcript may be named by a link to it, as a root and as a reference', () => {
    const path = join(one, 'projects', '-one', `${A}.jsonl`)
    const link = join(newFolder(), 'mine.jsonl')
    symlinkSync(path, link)
    expect(titles(['--root', link])).toEqual(['one'])
    const shown = clew(['show', path]).out
    expect(shown).toContain('❯ one')
    expect(clew(['show', link]).out).toBe(shown)
    expect(clew(['show', `${link}#${A}-a`]).out).toContain('found here')
    expect(clewJson<Row>(['check', link]).map((file) => file.path)).toEqual([path])
  })

  test('a record of a transcript that lies outside of all roots is found', () => {
    const path = join(two, 'projects', '-two', `${B}.jsonl`)
    for (const root of [one, two]) {
      const { out, status } = clew(['show', `${path}#${B}-a`, '--root', root])
      expect([status, out]).toEqual([0, expect.stringContaining('found here')])
    }
  })

  test('a single transcript is that one and no other of its folder', () => {
    const path = join(sample, 'projects', '-home-ada-dotfiles', '408eda1d-a363-4f87-ac95-605cd1110818.jsonl')
    expect(clewJson<Row>(['list', '--root', path]).map((row) => row.path)).toEqual([path])
  })

  test('a sessions folder inside a project belongs to the project', () => {
    const root = writeBelow(newFolder(), {
      [`projects/-deep/sessions/${A}.jsonl`]: talk(A, 'deeper', { cwd: undefined }),
      [`projects/-deep/sessions/${A}/subagents/agent-a1.jsonl`]: talk(A, 'look', { isSidechain: true, agentId: 'a1' }),
    })
    const rows = clewJson<Row>(['list', '--root', root])
    expect(rows).toMatchObject([{ sessionId: A, title: 'deeper', project: '-deep', subagents: 1 }])
    expect(titles(['--root', root, '--project', 'deep'])).toEqual(['deeper'])
    expect(titles(['--root', root, '--project', 'sessions'])).toEqual([])
  })

  test('named ones win over CLAUDE_CONFIG_DIR, and that over the home folder', () => {
    const home = newFolder()
    writeBelow(home, {
      [`.claude/projects/-p/${A}.jsonl`]: talk(A, 'in .claude'),
      [`.config/claude/projects/-p/${B}.jsonl`]: talk(B, 'in .config'),
    })
    expect(titles(['--root', two], { HOME: home, CLAUDE_CONFIG_DIR: one })).toEqual(['two'])
    expect(titles([], { HOME: home, CLAUDE_CONFIG_DIR: one })).toEqual(['one'])
    expect(titles([], { HOME: home, CLAUDE_CONFIG_DIR: '' })).toEqual(['in .claude', 'in .config'])
  })
})

describe('nothing to read', () => {
  test('an empty archive is exit code 0, one line on standard error and nothing on standard output', () => {
    const root = newFolder()
    mkdirSync(join(root, 'projects'))
    const { status, out, err } = clew(['list', '--root', root])
    expect([status, out]).toEqual([0, ''])
    expect(err).toMatch(/^clew: no conversations in .*--root DIR or CLAUDE_CONFIG_DIR\.\n$/)
    expect(clew(['list', '--json', '--root', root])).toMatchObject({ status: 0, out: '' })
  })

  test('no Claude directory at all says so', () => {
    const { status, out, err } = clew(['list'])
    expect([status, out]).toEqual([0, ''])
    expect(err).toMatch(/^clew: no Claude directory was found\. .*\n$/)
    expect(clew(['check']).err).toBe(err)
    expect(clew(['show', 'latest'])).toMatchObject({ status: 1, out: '' })
  })

  test.each([
    ['list', 1],
    ['show', 1],
    ['tree', 1],
    ['check', 2],
  ])('%s of a root that is missing is exit code %i', (name, code) => {
    const missing = join(newFolder(), 'nowhere')
    const words = name === 'show' || name === 'tree' ? [name, 'latest'] : [name]
    const { status, out, err } = clew([...words, '--root', sample, '--root', missing])
    expect([status, out, err]).toEqual([code, '', `clew: no such file or folder: ${missing}\n`])
  })
})

describe('what the operating system refuses', () => {
  const NOBODY = 65_534
  const isRoot = process.getuid?.() === 0
  // Root may read everything, so somebody else has to run the command; not everybody may run it where it lies.
  const uid = isRoot ? NOBODY : undefined
  const canTest = !isRoot || clew(['--version'], { cwd: '/', uid: NOBODY }).status === 0
  if (!canTest) console.warn(`SKIPPED: root cannot be refused anything, and nobody cannot run ${command}`)

  const root = newFolder()
  writeBelow(root, {
    [`open/projects/-p/${A}.jsonl`]: talk(A, 'readable'),
    [`open/projects/-p/${B}.jsonl`]: talk(B, 'secret'),
    [`open/projects/-closed/${B}.jsonl`]: talk(B, 'closed'),
    'shut/projects/-p/x.jsonl': talk('x', 'x'),
  })
  chmodSync(join(root, '..'), 0o755)
  chmodSync(root, 0o755)
  chmodSync(join(root, 'open/projects/-p', `${B}.jsonl`), 0)
  chmodSync(join(root, 'open/projects/-closed'), 0)
  chmodSync(join(root, 'shut/projects'), 0)
  const options = uid === undefined ? { cwd: '/' } : { cwd: '/', uid }

  test.runIf(canTest)('a root that cannot be listed is a failure', () => {
    const { status, out, err } = clew(['list', '--root', join(root, 'shut')], options)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^clew: .*shut\/projects: cannot list the folder: EACCES\n$/)
    expect(clew(['check', '--root', join(root, 'shut')], options).status).toBe(2)
  })

  test.runIf(canTest)('a closed folder and a closed file are notes, each time, and the rest is listed', () => {
    const env = { XDG_CACHE_HOME: newFolder('cache') }
    chmodSync(env.XDG_CACHE_HOME, 0o777)
    for (const words of [[], [], ['--no-index']]) {
      const { status, out, err } = clew(['list', ...words, '--root', join(root, 'open')], { ...options, env })
      expect(status).toBe(0)
      expect(linesOf(out)).toHaveLength(2)
      expect(linesOf(err)).toEqual([
        expect.stringMatching(/^clew: .*-closed: cannot list the folder: EACCES$/),
        `clew: ${join(root, 'open/projects/-p', `${B}.jsonl`)}: cannot open the file: EACCES`,
      ])
    }
  })

  test.runIf(canTest)('every search says so too, each time, and finds the rest', () => {
    const env = { XDG_CACHE_HOME: newFolder('cache') }
    chmodSync(env.XDG_CACHE_HOME, 0o777)
    const searches = [
      ['readable'],
      ['readable'],
      ['readable', '--json'],
      ['readable', '--no-index'],
      // No word begins so: the bytes are asked.
      ['eadabl'],
      ['--exact', 'readable'],
      ['--exact', 'readable', '--json'],
      ['--exact', 'readable', '--project', 'p'],
    ]
    const keys = new Set<string>()
    for (const words of searches) {
      const { status, out, err } = clew(['search', ...words, '--root', join(root, 'open')], { ...options, env })
      expect([words, status]).toEqual([words, 0])
      expect(out).toContain('readable')
      const notes = linesOf(err).filter((line) => line.includes('EACCES'))
      expect([words, ...notes]).toEqual([
        words,
        expect.stringMatching(/^clew: .*-closed: cannot list the folder: EACCES$/),
        `clew: ${join(root, 'open/projects/-p', `${B}.jsonl`)}: cannot open the file: EACCES`,
      ])
      if (words.includes('--json')) for (const line of linesOf(out)) keys.add(Object.keys(JSON.parse(line)).join())
    }
    expect(keys.size).toBe(1)
  })

  test.runIf(canTest)('check counts both as problems, and show says why in one line', () => {
    const checked = clew(['check', '--json', '--root', join(root, 'open')], options)
    expect(checked.status).toBe(1)
    const codes = linesOf(checked.out).flatMap((line) => Object.keys(JSON.parse(line).problemsByCode))
    expect(codes.sort()).toEqual(['file-unreadable', 'folder-unreadable'])
    const keys = linesOf(checked.out).map((line) => Object.keys(JSON.parse(line)).sort().join())
    expect(new Set(keys).size).toBe(1)
    const shown = clew(['show', B, '--root', join(root, 'open')], options)
    expect([shown.status, shown.out]).toEqual([1, ''])
    expect(shown.err).toMatch(/^clew: .*: cannot open the file: EACCES\n$/)
  })

  test.runIf(canTest)('a file is shown although the folder it lies in cannot be listed', () => {
    const folder = writeBelow(newFolder(), { 'x.jsonl': talk('x', 'hello') })
    chmodSync(folder, 0o711)
    const shown = clew(['show', join(folder, 'x.jsonl')], options)
    expect([shown.status, shown.err]).toEqual([0, ''])
    expect(shown.out).toMatch(/^hello {2}x\n/)
  })

  test.runIf(canTest)('nor can the root that it is below', () => {
    const folder = writeBelow(newFolder(), { 'projects/-p/x.jsonl': talk('x', 'hello') })
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'projects'), 0o711)
    const path = join(folder, 'projects', '-p', 'x.jsonl')
    const shown = clew(['show', path, '--root', folder], options)
    expect([shown.status, shown.err]).toEqual([0, ''])
    expect(shown.out).toMatch(/^hello {2}x\n/)
  })
})

test('subagents are those of the session beside them, wherever else that session lies', () => {
  const agent = { agentId: 'abc', isSidechain: true }
  const files = (key: string, text: string) => ({
    [`projects/${key}/${A}.jsonl`]: talk(A, text),
    [`projects/${key}/${A}/subagents/agent-abc.jsonl`]: talk(A, `agent of ${text}`).map((record) => ({
      ...record,
      ...agent,
    })),
  })
  const root = writeBelow(newFolder(), { ...files('-one', 'one'), ...files('-two', 'two') })
  for (const name of ['one', 'two']) {
    const path = join(root, 'projects', `-${name}`, A, 'subagents', 'agent-abc.jsonl')
    const ran = clew(['show', path, '--root', root])
    expect(ran.err).toBe('')
    expect(ran.out).toContain(`agent of ${name}`)
  }
  // And each of the two has but its own.
  for (const name of [A, join(root, 'projects', '-one', `${A}.jsonl`)])
    for (const more of [[], ['--no-index']])
      expect(clew(['tree', name, ...more, '--root', root]).out.match(/agent abc/g)).toHaveLength(1)
})

test.each(['show', 'check'])('%s of a transcript that is named by its path needs none of the roots', (name) => {
  const root = writeBelow(newFolder(), { [`projects/-p/${A}.jsonl`]: talk(A, 'hello') })
  const path = join(root, 'projects', '-p', `${A}.jsonl`)
  const ran = clew([name, path, '--root', root, '--root', join(root, 'nowhere')])
  expect([ran.status, ran.err]).toEqual([0, ''])
})
