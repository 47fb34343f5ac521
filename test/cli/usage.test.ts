// What `clew usage` prints, held to files in test/golden (UPDATE=1 makes them anew), and how it takes bad input.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, talk, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, projectFolder, sample } from './run.ts'

interface Row {
  readonly kind: string
  readonly key: string | null
  readonly messages: number
  readonly goneMessages: number
  readonly output_tokens: number
  readonly costUsd: number | null
  readonly pricedCostUsd: number
  readonly unpricedModels: readonly string[]
}

const GOLDEN: Readonly<Record<string, readonly string[]>> = {
  'usage.txt': [],
  'usage-month.txt': ['--by', 'month'],
  'usage-project.txt': ['--by', 'project'],
  'usage-session.txt': ['--by', 'session'],
  'usage-model.txt': ['--by', 'model'],
  'usage-agent.txt': ['--by', 'agent'],
  'usage.jsonl': ['--json'],
  'usage-session.jsonl': ['--by', 'session', '--json'],
  'usage-explain.txt': ['--explain'],
  'usage-explain.jsonl': ['--by', 'session', '--explain', '2ab65b76', '--json'],
}

test.each(Object.entries(GOLDEN))('%s', (name, words) => {
  // With the project as home, paths are the same on every machine.
  const env = { HOME: projectFolder, XDG_CACHE_HOME: newFolder('cache') }
  const { out, err, status } = clew(['usage', '--root', sample, '--no-index', ...words], { env })
  expect({ err, status }).toEqual({ err: '', status: 0 })
  const path = join(projectFolder, 'test/golden', name)
  const printed = out.replaceAll(projectFolder, '~/')
  if (process.env['CLEW_GOLDEN'] === 'write') writeFileSync(path, printed)
  expect(printed).toBe(readFileSync(path, 'utf8'))
})

test('the same from the index, by anything', () => {
  const env = { XDG_CACHE_HOME: newFolder('cache') }
  clew(['list', '--root', sample], { env })
  for (const by of ['day', 'week', 'month', 'project', 'session', 'model', 'agent']) {
    const words = ['usage', '--root', sample, '--by', by, '--json', '--explain']
    expect(clew(words, { env })).toEqual(clew([...words, '--no-index'], { env }))
  }
})

test('the same from what the index has kept of it, until a file changes', () => {
  const cache = newFolder('cache')
  const env = { XDG_CACHE_HOME: cache }
  const root = newFolder('root')
  cpSync(sample, root, { recursive: true })
  clew(['list', '--root', root], { env })
  const ways = [
    ...['day', 'week', 'month', 'project', 'session', 'model', 'agent'].map((by) => ['--by', by]),
    ['--tz', 'Asia/Kolkata'],
    ['--since', '2026-10-28'],
    ['--until', '2026-10-28T10:00:00Z'],
    ['--project', 'tide', '--by', 'agent'],
    ['--project', 'nowhere'],
  ]
  const compare = (some: readonly (readonly string[])[]): void => {
    for (const way of some) {
      const words = ['usage', '--root', root, '--json', ...way]
      expect(clew(words, { env })).toEqual(clew([...words, '--no-index'], { env }))
    }
  }
  compare([[], ...ways])
  const [path = ''] = findTranscripts([root]).projects.flatMap(({ files }) => files.map((file) => file.path))
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"output_tokens":', '"output_tokens":1'))
  compare([[], []])
  const index = openDatabase(join(cache, 'clew', 'index.sqlite'))
  expect(index.prepare('UPDATE ledger SET messages = substr(messages, 9)').run().changes).toBe(1)
  index.close()
  compare([[], []])
})

test('a table and what is remarked below it is no wider than the terminal', () => {
  for (const columns of [160, 100, 80, 60, 40, 24]) {
    for (const by of ['day', 'week', 'month', 'project', 'session', 'model', 'agent']) {
      const env = { COLUMNS: String(columns) }
      const { out } = clew(['usage', '--root', sample, '--by', by, '--no-index'], { env })
      const lines = out.split('\n')
      const table = lines.slice(0, lines.findIndex((line) => line.startsWith('total')) + 1)
      expect([columns, by, lines.filter((line) => line.length > columns)]).toEqual([columns, by, []])
      expect(table[0]).toMatch(/COST$/)
      expect(table.length).toBeGreaterThan(2)
    }
  }
})

test('what matches nothing says why', () => {
  const note = (...words: readonly string[]): string => clew(['usage', '--root', sample, '--no-index', ...words]).err
  expect(note('--project', 'nowhere')).toBe('clew: none of 64 messages ran there. Try: clew usage --by project\n')
  expect(note('--here')).toContain('none of 64 messages ran there')
  expect(note('--until', '2020-01-01')).toContain('none of 64 messages is in that range')
  expect(note('--project', 'dotfiles', '--until', '2020-01-01')).toMatch(/none of 13 messages is in that range/)
  expect(note('--root', join(newFolder(), 'none'))).toContain('no such file or folder')
})

test('no index is made for it', () => {
  const cache = newFolder('cache')
  expect(clew(['usage', '--root', sample], { env: { XDG_CACHE_HOME: cache } }).status).toBe(0)
  expect(existsSync(join(cache, 'clew', 'index.sqlite'))).toBe(false)
})

test('what another root has shown is not deleted, though this one does not show it', () => {
  const env = { XDG_CACHE_HOME: newFolder('cache') }
  const root = newFolder('root')
  cpSync(sample, root, { recursive: true })
  const beside = writeBelow(join(root, 'beside'), { 'projects/p/1.jsonl': talk('1', 'hello', {}) })
  const usage = () => clewJson<Row>(['usage', '--root', root], { env }).at(-1)
  clew(['list', '--root', root], { env })
  const before = usage()
  clew(['list', '--root', beside], { env })
  expect(usage()).toEqual(before)
  expect(clew(['list', '--gone', '--root', root], { env })).toMatchObject({ status: 0, out: '' })
  rmSync(beside, { recursive: true })
  clew(['list', '--root', root], { env })
  expect(clew(['list', '--gone', '--root', root], { env }).out).toContain('hello')
})

describe('deleted transcripts', () => {
  const root = join(newFolder('home'), '.claude')
  cpSync(sample, root, { recursive: true })
  const env = { XDG_CACHE_HOME: newFolder('cache') }
  clew(['list', '--root', root], { env })
  rmSync(join(root, 'projects/-home-ada-dotfiles'), { recursive: true })
  const total = (...more: readonly string[]): Row | undefined =>
    clewJson<Row>(['usage', '--root', root, ...more], { env }).at(-1)

  test('are counted while the index remembers them', () => {
    expect(total()).toMatchObject({ messages: 64, goneMessages: 13 })
    expect(clew(['usage', '--root', root], { env }).out).toContain(
      '13 messages from transcripts that were deleted since',
    )
  })

  test('and are left out when asked', () => {
    expect(total('--no-gone')).toMatchObject({ messages: 51, goneMessages: 0 })
    expect(total('--no-index')).toMatchObject({ messages: 51, goneMessages: 0 })
  })
})

test('days are those of the time zone', () => {
  const days = (...words: readonly string[]): readonly (string | null)[] =>
    clewJson<Row>(['usage', '--root', sample, ...words]).map(({ key }) => key)
  expect(days('--tz', 'UTC')).toEqual(['2026-10-27', '2026-10-28', '2026-10-29', null])
  // Nine in the morning in Berlin is the evening before in Honolulu.
  expect(days('--tz', 'Pacific/Honolulu')[0]).toBe('2026-10-26')
  expect(clewJson<Row>(['usage', '--root', sample], { env: { TZ: 'Pacific/Honolulu' } })[0]?.key).toBe('2026-10-26')
  expect(days('--tz', 'UTC', '--since', '2026-10-28')).toEqual(['2026-10-28', '2026-10-29', null])
  expect(days('--tz', 'UTC', '--until', '2026-10-27')).toEqual(['2026-10-27', null])
})

test('--project, --here and --repo', () => {
  const messages = (...words: readonly string[]): number | undefined =>
    clewJson<Row>(['usage', '--root', sample, ...words]).at(-1)?.messages
  expect(messages('--project', 'TIDE')).toBe(51)
  expect(messages('--project', '-home-ada-dotfiles')).toBe(13)
  expect(messages('--here')).toBe(0)
  expect(messages('--repo')).toBe(0)
})

describe('prices', () => {
  const folder = newFolder('prices')
  const file = (text: string): string => {
    const path = join(folder, 'prices.json')
    writeFileSync(path, text)
    return path
  }

  test('from a file win', () => {
    const path = file('{"models":{"claude-opus-5-5":{"input":0,"output":1000,"cacheRead":0,"cacheWrite5m":0}}}')
    const rows = clewJson<Row>(['usage', '--root', sample, '--by', 'model', '--prices', path])
    expect(rows[0]).toMatchObject({ key: 'claude-opus-5-5', costUsd: 5.811 })
  })

  test('that are not known are not guessed', () => {
    const root = newFolder('root')
    mkdirSync(join(root, 'projects', 'p'), { recursive: true })
    const line = (id: string, model: string): string =>
      `${JSON.stringify({ type: 'assistant', uuid: id, sessionId: 's', message: { id, model, stop_reason: 'end_turn', usage: { output_tokens: 1000 } } })}\n`
    writeFileSync(join(root, 'projects', 'p', 's.jsonl'), line('a', 'claude-opus-5') + line('b', 'made-up-9'))
    expect(clewJson<Row>(['usage', '--root', root]).at(-1)).toMatchObject({
      output_tokens: 2000,
      costUsd: null,
      pricedCostUsd: 0.025,
      unpricedModels: ['made-up-9'],
    })
    const { out } = clew(['usage', '--root', root])
    expect(out).toContain('no price for made-up-9')
    expect(out).toContain('no time')
  })

  test.each([
    ['{"models":{"m":{"input":"1","output":2}}}', 'models.m.input must be dollars'],
    ['nonsense', 'is no JSON'],
  ])('%s is refused', (text, reason) => {
    const { err, status } = clew(['usage', '--root', sample, '--prices', file(text)])
    expect(status).toBe(1)
    expect(err).toContain(`prices.json: `)
    expect(err).toContain(reason)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

test.each([
  [['--by', 'hour'], '--by takes day, week, month'],
  [['--tz', 'Mars/Olympus'], '--tz takes a time zone'],
  [['--since', 'yesterday'], '--since takes a date'],
  [['--until', '31.12.'], '--until takes a date'],
  [['2ab6'], 'Try: clew usage --explain 2ab6'],
  [['--explain', 'a', 'b'], 'takes one row'],
  [['--explain', '1999-01-01'], 'there is no row “1999-01-01”. Rows are 2026-10-27'],
  [['--by', 'session', '--explain', ''], 'fits 5 rows'],
  [['--prices', '/nowhere/prices.json'], 'cannot be read (ENOENT)'],
  [['--prices'], 'clew usage --help'],
] as const)('%j: one line', (words, reason) => {
  const { err, out, status } = clew(['usage', '--root', sample, ...words])
  expect(out).toBe('')
  expect(status).toBe(1)
  expect(err).toContain(reason)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('an empty range is told, and is no failure', () => {
  const none = clew(['usage', '--root', sample, '--since', '2030-01-01'])
  expect(none).toMatchObject({ status: 0, out: '' })
  expect(none.err).toContain('none of 64 messages is in that range')
  const rows = clewJson<Row>(['usage', '--root', sample, '--since', '2030-01-01'])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ kind: 'total', messages: 0, output_tokens: 0, costUsd: 0 })
  const nothing = clew(['usage', '--root', newFolder('empty')])
  expect(nothing).toMatchObject({ status: 0, out: '' })
  expect(nothing.err).toContain('Name one with --root')
})

describe('a subagent without a meta file', () => {
  const id = sessionId('e')
  const usage = { input_tokens: 5, output_tokens: 7 }
  const agent = (name: string, text: string): readonly Raw[] =>
    session(id, [prompt(`${name}u`, null, text), reply(`${name}a`, `${name}u`, 'Done.', {})]).map((record) => ({
      ...record,
      isSidechain: true,
      agentId: name,
      ...(record['type'] === 'assistant' ? { message: { ...(record['message'] as Raw), id: `m_${name}`, usage } } : {}),
    }))
  const call = (toolId: string, type: string, text: string): Raw =>
    toolUse(toolId, 'Task', { description: 'Count', subagent_type: type, prompt: text })
  const main = session(id, [
    prompt('u1', null, 'Count all'),
    reply('a1', 'u1', [call('T1', 'counter', 'Count the knots.'), call('T2', 'weaver', 'Weave.')]),
  ])
  const layouts: Readonly<Record<string, (name: string) => string>> = {
    'below its session': (name) => `projects/-w/${id}/subagents/agent-${name}.jsonl`,
    'beside its session': (name) => `projects/-w/agent-${name}.jsonl`,
  }

  test.each(Object.entries(layouts))('%s has the type that its call says', (_, pathOf) => {
    const CLAUDE_CONFIG_DIR = writeBelow(newFolder('claude'), {
      [`projects/-w/${id}.jsonl`]: main,
      [pathOf('a7')]: agent('a7', 'Count the knots.'),
      [pathOf('a8')]: agent('a8', 'Weave.'),
      [pathOf('a9')]: agent('a9', 'Nobody called.'),
    })
    const env = { CLAUDE_CONFIG_DIR, XDG_CACHE_HOME: newFolder('cache') }
    clew(['list'], { env })
    for (const more of [[], ['--no-index']]) {
      const [tree] = clewJson<{ subagents: readonly { agentId: string; type: string | null }[] }>(
        ['tree', id, ...more],
        { env },
      )
      expect(Object.fromEntries(tree?.subagents.map(({ agentId, type }) => [agentId, type]) ?? [])).toEqual({
        a7: 'counter',
        a8: 'weaver',
        a9: null,
      })
      const rows = clewJson<Row>(['usage', '--by', 'agent', ...more], { env })
      expect(rows.map(({ key }) => key).sort()).toEqual(['counter', 'subagent', 'weaver', null].sort())
    }
  })
})
