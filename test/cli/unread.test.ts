// Damage, told by the commands that show a conversation: one line on standard error, and an error where nothing was read.

import { cpSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from './records.ts'
import { clew, newFolder, sample } from './run.ts'

const ID = sessionId('a')
const WHOLE = session(ID, [prompt('u1', null, 'first'), reply('a1', 'u1', 'one')])
const FILE = `projects/-w/${ID}.jsonl`

function root(content: string | Uint8Array): string {
  return writeBelow(newFolder('claude'), { [FILE]: content })
}

const SHOWING: readonly (readonly string[])[] = [
  ['show'],
  ['brief'],
  ['brief', '--json'],
  ['tree'],
  ['tree', '--json'],
  ['export'],
]

describe('lines that could not be read', () => {
  const damaged = root(`${jsonl(WHOLE)}not json\n[1]\n\0\0\0\n{"type":"us\n`)
  const sound = root(jsonl(WHOLE))

  test.each(SHOWING.map((words) => [words] as const))('are counted by %j, which shows the rest', (words) => {
    const one = clew([...words, ID, '--root', damaged])
    expect(one.status).toBe(0)
    expect(one.err).toBe(`clew: 4 lines could not be read in full. Which, and why: clew check ${join(damaged, FILE)}\n`)
    const whole = clew([...words, ID, '--root', sound])
    expect(whole.err).toBe('')
    const out = one.out.replaceAll(damaged, sound)
    if (words[0] === 'export') expect(out).toBe(whole.out)
    else expect(out.replace(/"sizeBytes":\d+/, '')).toBe(whole.out.replace(/"sizeBytes":\d+/, ''))
  })

  test('are told the same way with and without an index, by the id where that is enough', () => {
    const XDG_CACHE_HOME = newFolder('cache')
    const env = { CLAUDE_CONFIG_DIR: damaged, XDG_CACHE_HOME }
    clew(['list'], { env })
    for (const words of [['show'], ['tree'], ['tree', '--no-index']])
      expect(clew([...words, 'latest'], { env }).err).toBe(
        'clew: 4 lines could not be read in full. Which, and why: clew check aaaaaaaa\n',
      )
    expect(clew(['check', 'aaaaaaaa'], { env }).out).toContain('line 3 (byte')
  })

  test('count in the session that one was forked from after a compaction, with and without an index', () => {
    const compacted = [
      { type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null, logicalParentUuid: 'a1' },
      prompt('s1', 'c1', 'Recap.', { isCompactSummary: true }),
    ]
    const origin = session(ID, [prompt('u1', null, 'first'), reply('a1', 'u1', 'one'), ...compacted])
    const fork = sessionId('b')
    const CLAUDE_CONFIG_DIR = writeBelow(newFolder('claude'), {
      [FILE]: `${jsonl(origin)}not json\n`,
      [`projects/-w/${fork}.jsonl`]: [
        ...origin.slice(2).map((record) => ({ ...record, sessionId: fork })),
        ...session(fork, [prompt('u2', 's1', 'second')], { timestamp: '2026-03-02T10:00:00.000Z' }),
      ],
    })
    const env = { CLAUDE_CONFIG_DIR, XDG_CACHE_HOME: newFolder('cache') }
    clew(['list'], { env })
    for (const words of [['show'], ['tree'], ['tree', '--no-index']])
      expect(clew([...words, fork], { env }).err).toContain('clew: 1 line could not be read in full.')
  })

  test('are in the document of show --json already', () => {
    expect(clew(['show', ID, '--json', '--root', damaged]).err).toBe('')
  })

  test('count when a subagent wrote them', () => {
    const copy = newFolder('sample')
    cpSync(sample, copy, { recursive: true })
    const agent = clew(['tree', '2ab6', '--root', copy, '--json']).out
    const { subagents } = JSON.parse(agent) as { subagents: readonly { agentId: string; path: string }[] }
    const [first] = subagents
    expect(first).toBeDefined()
    writeFileSync(first?.path ?? '', 'torn\n', { flag: 'a' })
    for (const words of [
      ['show', '2ab6'],
      ['brief', '2ab6'],
      ['tree', '2ab6'],
      ['show', `2ab6/${first?.agentId}`],
    ])
      expect(clew([...words, '--root', copy]).err).toContain('clew: 1 line could not be read in full.')
  })

  test('an unfinished last line counts once the file has stopped growing', () => {
    const growing = root(`${jsonl(WHOLE)}{"type":"assis`)
    expect(clew(['show', ID, '--root', growing]).err).toBe('')
    utimesSync(join(growing, FILE), 1_790_000_000, 1_790_000_000)
    for (const command of ['show', 'tree'])
      expect(clew([command, ID, '--root', growing]).err).toContain('clew: 1 line could not be read in full.')
  })
})

describe('a file in which nothing could be read', () => {
  const binary = root(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 0xff, 0xfe, 0x0a]))
  const path = join(binary, FILE)

  test.each([...SHOWING, ['show', '--json']].map((words) => [words] as const))(
    'is an error with %j that names the place',
    (words) => {
      const ran = clew([...words, ID, '--root', binary])
      expect(ran.status).toBe(1)
      expect(ran.out).toBe('')
      expect(ran.err).toMatch(/^clew: .* nothing in it could be read, from line 1 \(byte 0\) on: .*\n$/)
      expect(ran.err).toContain(path)
      expect(ran.err).toContain(`clew check ${path}`)
    },
  )

  test('without a line end too', () => {
    const tail = root(Buffer.from([1, 2, 3, 4]))
    expect(clew(['show', ID, '--root', tail])).toMatchObject({ status: 1, out: '' })
  })

  test('is not an empty file, in which nothing was to be read', () => {
    for (const content of ['', '\n \n'])
      expect(clew(['show', ID, '--root', root(content)])).toMatchObject({ status: 0, err: '' })
  })
})
