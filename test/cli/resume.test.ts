// `clew resume` and `clew fork`: how to go on with a conversation, and a copy to go on with.

import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, talk, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

const ONE = sessionId('a')
const here = newFolder('here')

function archive(): string {
  const records = session(
    ONE,
    [
      prompt('u1', null, 'How long is a thread?'),
      reply('r1', 'u1', 'Long enough.'),
      prompt('u2', 'r1', 'And the yarn?'),
      reply('r2', 'u2', 'Longer.'),
    ],
    { cwd: here },
  )
  return writeBelow(newFolder('claude'), { [`projects/-here/${ONE}.jsonl`]: records })
}

describe('resume', () => {
  const root = archive()

  test('prints the command of the client, in the folder of the conversation', () => {
    expect(clew(['resume', 'aaaa', '--root', root]).out).toBe(`cd ${here} && claude --resume ${ONE}\n`)
    expect(clewJson(['resume', 'aaaa', '--root', root])[0]).toEqual({
      sessionId: ONE,
      cwd: here,
      cwdThere: true,
      command: `cd ${here} && claude --resume ${ONE}`,
    })
  })

  test('says when that folder is gone, and what to do', () => {
    const gone = join(newFolder('gone'), 'old tides')
    const root = writeBelow(newFolder('claude'), { [`projects/-gone/${ONE}.jsonl`]: talk(ONE, 'hello', { cwd: gone }) })
    const note = `clew: the folder it took place in is gone: ${gone}. If it was moved: clew mv '${gone}' <new path> --apply. To make it again: mkdir -p '${gone}'\n`
    expect(clew(['resume', 'aaaa', '--root', root])).toMatchObject({
      status: 0,
      out: `cd '${gone}' && claude --resume ${ONE}\n`,
      err: note,
    })
    expect(clewJson(['resume', 'aaaa', '--root', root])[0]).toMatchObject({ cwd: gone, cwdThere: false })
    expect(clew(['resume', 'aaaa', '--exec', '--root', root])).toMatchObject({ status: 1, out: '', err: note })
    expect(clew(['fork', 'aaaa', '--root', root])).toMatchObject({ status: 0, err: note })
  })

  test('without an id takes the newest of this folder, and says which', () => {
    const ran = clew(['resume', '--root', root], { cwd: here })
    expect(ran.out).toContain(ONE)
    expect(ran.err).toContain('How long is a thread?')
    const elsewhere = clew(['resume', '--root', root], { cwd: newFolder('elsewhere') })
    expect(elsewhere).toMatchObject({ status: 1, out: '' })
    expect(elsewhere.err).toContain('no conversation took place in this folder')
  })

  test('runs the client there', () => {
    const bin = newFolder('bin')
    const ran = join(bin, 'ran')
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\npwd > ${ran}\necho "$@" >> ${ran}\nexit 7\n`)
    chmodSync(join(bin, 'claude'), 0o755)
    const path = `${bin}:${process.env['PATH']}`
    expect(clew(['resume', 'aaaa', '--exec', '--root', root], { env: { PATH: path } }).status).toBe(7)
    expect(readFileSync(ran, 'utf8')).toBe(`${here}\n--resume=${ONE}\n`)
    const none = clew(['resume', 'aaaa', '--exec', '--root', root], { env: { PATH: '/nowhere' } })
    expect(none).toMatchObject({ status: 1 })
    expect(none.err).toContain('claude cannot be run')
  })

  test('prints the messages the model will get, and fewer on a budget', () => {
    const messages = JSON.parse(clew(['resume', 'aaaa', '--messages', '--root', root]).out) as readonly unknown[]
    expect(messages).toEqual([
      { role: 'user', content: 'How long is a thread?' },
      { role: 'assistant', content: 'Long enough.' },
      { role: 'user', content: 'And the yarn?' },
      { role: 'assistant', content: 'Longer.' },
    ])
    const small = clew(['resume', 'aaaa', '--messages', '--budget', '40', '--root', root]).out
    expect(small).toContain('Asked: How long is a thread?')
    expect(clew(['resume', 'aaaa', '--budget', '50', '--root', root])).toMatchObject({ status: 1 })
  })
})

test('resume reads the event-log dialect as well: each call with its result, and whether it failed', () => {
  const id = sessionId('b')
  const lines = [
    { type: 'session_start', cwd: here },
    { type: 'message', role: 'user', content: 'Run the tests' },
    { type: 'message', role: 'assistant', content: [{ type: 'tool_use', id: 'tu_1', name: 'Read', input: {} }] },
    { type: 'tool_result', tool_use_id: 'tu_1', content: 'a' },
    { type: 'tool_use', toolName: 'Bash', toolInput: { command: 'npm test' }, toolUseId: 'tu_2' },
    { type: 'tool_result', toolUseId: 'tu_2', content: '2 failed', isError: true },
  ].map((line, at) => ({ ...line, sessionId: id, timestamp: `2026-03-20T10:00:0${at}Z` }))
  const root = writeBelow(newFolder('claude'), { [`projects/-here/${id}.jsonl`]: lines })
  const messages = JSON.parse(clew(['resume', 'bbbb', '--messages', '--root', root]).out) as readonly unknown[]
  expect(messages).toHaveLength(5)
  expect(messages.at(2)).toEqual({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'tu_1', content: 'a' }],
  })
  expect(messages.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'tu_2', content: '2 failed', is_error: true }],
  })
})

describe('what Claude Code cannot open', () => {
  const id = sessionId('c')
  const log = [
    { type: 'session_start', projectPath: here },
    { type: 'message', role: 'user', content: 'Run the tests' },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'They run.' }] },
    { type: 'tool_use', toolName: 'Bash', toolInput: { command: 'npm test' }, toolUseId: 'tu_2' },
    { type: 'tool_result', toolUseId: 'tu_2', content: '2 failed', isError: true },
    { type: 'message', role: 'user', content: 'And now?' },
    { type: 'message', role: 'assistant', content: 'None.' },
    { type: 'session_end', durationMs: 9 },
  ].map((line, at) => ({ ...line, sessionId: id, timestamp: `2026-03-20T10:00:0${at}Z` }))
  const places = [
    { what: 'a log of events', path: `projects/-here/${id}.jsonl`, lines: log, why: 'it is a log of events' },
    {
      what: 'such a log below sessions/',
      path: `projects/-x/sessions/${id}.jsonl`,
      lines: log,
      why: 'a log of events',
    },
    {
      what: 'a transcript below sessions/',
      path: `projects/-x/sessions/${id}.jsonl`,
      lines: talk(id, 'Run the tests', { cwd: here }),
      why: 'where Claude Code does not look',
    },
  ]

  test.each(places)(
    '$what: resume says so and what to do, and fork makes a copy that can be',
    ({ path, lines, why }) => {
      const CLAUDE_CONFIG_DIR = writeBelow(newFolder('claude'), { [path]: lines })
      const env = { CLAUDE_CONFIG_DIR }
      const original = readFileSync(join(CLAUDE_CONFIG_DIR, path), 'utf8')
      for (const more of [[], ['--json'], ['--exec']]) {
        const ran = clew(['resume', 'cccc', ...more], { env })
        expect(ran).toMatchObject({ status: 1, out: '' })
        expect(ran.err).toContain(why)
        expect(ran.err).toContain('A copy that can be: clew fork cccccccc.')
        expect(ran.err).toContain('clew resume cccccccc --messages')
      }
      const messages = (name: string): unknown => JSON.parse(clew(['resume', name, '--messages'], { env }).out)
      const [made] = clewJson<{ sessionId: string; path: string; command: string; forkOf: string }>(['fork', 'cccc'], {
        env,
      })
      const copy = made?.sessionId ?? ''
      expect(made?.path).toBe(join(CLAUDE_CONFIG_DIR, 'projects', here.replace(/[^A-Za-z0-9]/g, '-'), `${copy}.jsonl`))
      expect(made?.forkOf).toBe(id)
      expect(made?.command).toBe(`cd ${here} && claude --resume ${copy}`)
      expect(clew(['resume', copy], { env })).toMatchObject({ status: 0, out: `${made?.command}\n` })
      expect(messages(copy)).toEqual(messages('cccc'))
      expect(clew(['check', copy], { env }).status).toBe(0)
      expect(clewJson<{ forkOf: string }>(['tree', copy], { env })[0]?.forkOf).toBe(id)
      expect(readFileSync(join(CLAUDE_CONFIG_DIR, path), 'utf8')).toBe(original)
    },
  )

  test('a fork up to a turn has no more, and without a folder there is none', () => {
    const root = writeBelow(newFolder('claude'), { [`projects/-x/sessions/${id}.jsonl`]: log })
    const [made] = clewJson<{ path: string }>(['fork', 'cccc', '--at', '1', '--root', root])
    const text = readFileSync(made?.path ?? '', 'utf8')
    expect(text).toContain('2 failed')
    expect(text).not.toContain('And now?')
    const nowhere = writeBelow(newFolder('claude'), { [`projects/-x/sessions/${id}.jsonl`]: log.slice(1) })
    expect(clew(['fork', 'cccc', '--root', nowhere])).toMatchObject({ status: 1, out: '' })
    expect(clew(['fork', 'cccc', '--root', nowhere]).err).toContain('in which folder it took place')
  })
})

describe('fork', () => {
  test('makes a copy up to a turn, which is a conversation like any other', () => {
    const root = archive()
    const [made] = clewJson<{ sessionId: string; path: string; forkOf: string; command: string }>([
      'fork',
      'aaaa',
      '--at',
      '1',
      '--title',
      'another way',
      '--root',
      root,
    ])
    expect(made?.forkOf).toBe(ONE)
    const text = clew(['show', made?.sessionId ?? '', '--root', root]).out
    expect(text).toContain('Long enough.')
    expect(text).not.toContain('And the yarn?')
    const rows = clewJson<{ title: string; forkOf: string | null }>(['list', '--root', root])
    expect(rows.find(({ title }) => title === 'another way')?.forkOf).toBe(ONE)
  })

  test('takes a record too, and says what it cannot find', () => {
    const root = archive()
    expect(clew(['fork', 'aaaa', '--at', 'r1', '--root', root]).out).toMatch(/^cd .* && claude --resume /)
    expect(clew(['fork', 'aaaa', '--at', '9', '--root', root]).err).toContain('there is no turn 9')
    expect(clew(['fork', 'aaaa', '--at', 'nobody', '--root', root]).err).toContain('no record “nobody”')
    const loose = join(newFolder('loose'), `${ONE}.jsonl`)
    writeFileSync(loose, readFileSync(join(root, 'projects', '-here', `${ONE}.jsonl`)))
    expect(clew(['fork', loose]).err).toContain('a fork needs one')
  })

  test('of every conversation of the sample is read back with the same chain', () => {
    const root = join(newFolder('sample'), '.claude')
    mkdirSync(root)
    cpSync(sample, root, { recursive: true })
    const rows = clewJson<{ sessionId: string; messages: number }>(['list', '--root', root])
    for (const { sessionId: id } of rows.filter(({ messages }) => messages > 0)) {
      const messages = clew(['resume', id, '--messages', '--root', root]).out
      const [made] = clewJson<{ sessionId: string }>(['fork', id, '--root', root])
      expect(clew(['resume', made?.sessionId ?? '', '--messages', '--root', root]).out).toBe(messages)
    }
  })
})
