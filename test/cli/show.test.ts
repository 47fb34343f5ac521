// `clew show`: readings, tips, branches, turns, what to include, the document for programs, pipes and pagers.

import { describe, expect, test } from 'vitest'
import { exportCommand } from '../../src/cli/export.ts'
import { show } from '../../src/cli/show.ts'
import { runHere } from './in-process.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, talk, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, sample } from './run.ts'

interface Block {
  readonly kind: string
  readonly text?: string
  readonly call?: { readonly name: string; readonly input: unknown; readonly result: { readonly text: string } | null }
}

interface Shown {
  readonly conversation: Readonly<Record<string, unknown>>
  readonly reading: string
  readonly tip: { readonly rule: string; readonly uuid: string | null }
  readonly branch: number
  readonly at: { readonly uuid: string | null; readonly branch: number; readonly turn: number } | null
  readonly turns: readonly {
    readonly number: number
    readonly promptUuid: string | null
    readonly parts: readonly { readonly kind: string; readonly text?: string; readonly blocks?: readonly Block[] }[]
  }[]
  readonly chain: readonly string[]
  readonly subagents?: readonly { readonly agentId: string; readonly turns: readonly unknown[] }[]
  readonly problems: readonly { readonly code: string }[]
}

function shown(words: readonly string[]): Shown {
  return clewJson<Shown>(['show', ...words, '--root', sample])[0] as Shown
}

function numbers(words: readonly string[]): readonly number[] {
  return shown(['2ab6', ...words]).turns.map((turn) => turn.number)
}

describe('--json', () => {
  const whole = shown(['2ab6'])

  test('is one document with the conversation, its reading, tip, turns, chain and problems', () => {
    const keys = ['conversation', 'reading', 'tip', 'branch', 'at', 'turns', 'chain', 'problems']
    expect(Object.keys(whole)).toEqual(keys)
    expect(whole.at).toBeNull()
    expect(whole.conversation).toMatchObject({ title: 'Local days instead of 24 hours', turns: 11, agentId: null })
    expect([whole.reading, whole.branch, whole.turns.length]).toEqual(['full', 0, 11])
    expect(whole.tip).toEqual({ rule: 'resume', uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(new Set(whole.chain).size).toBe(whole.chain.length)
    expect(whole.chain).toContain(whole.turns[0]?.promptUuid)
  })

  test('tells of the conversation what the list tells, and two things more', () => {
    const [row] = clewJson<object>(['list', '--root', sample])
    expect(Object.keys(whole.conversation).sort()).toEqual([...Object.keys(row ?? {}), 'agentId', 'transcripts'].sort())
  })

  test('names the problems of a damaged session', () => {
    expect(shown(['8e8a']).problems.map(({ code }) => code)).toEqual(['torn-record'])
  })

  test('--reading context is what the model saw: less, and with the recap', () => {
    const context = shown(['2ab6', '--reading', 'context'])
    expect(context.reading).toBe('context')
    expect(context.chain.length).toBeLessThan(whole.chain.length)
    const kinds = (of: Shown): readonly string[] => of.turns.flatMap((turn) => turn.parts.map((part) => part.kind))
    expect(kinds(context)).toContain('recap')
    expect(shown(['2ab6', '--reading', 'full'])).toEqual(whole)
  })

  test('--tip file is the last one in the file', () => {
    const id = sessionId('a')
    const branched = session(id, [
      prompt('u1', null, 'first'),
      reply('a1', 'u1', 'one'),
      prompt('u2', 'a1', 'said later'),
      reply('a2', 'u2', 'two'),
      prompt('u3', 'a1', 'said earlier, written last', { timestamp: '2026-02-01T00:00:00.000Z' }),
      { type: 'last-prompt', lastPrompt: 'said later', leafUuid: 'a2' },
    ])
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: branched })
    const tip = (rule: string): unknown => clewJson<Shown>(['show', id, '--tip', rule, '--root', root])[0]?.tip
    expect(tip('file')).toEqual({ rule: 'file', uuid: 'u3' })
    expect(tip('resume')).toEqual({ rule: 'resume', uuid: 'a2' })
  })

  test('--branch is another way the conversation went, from its root on', () => {
    const other = shown(['2ab6', '--branch', '1'])
    expect(other.branch).toBe(1)
    expect(other.tip.uuid).not.toBe(whole.tip.uuid)
    expect(other.chain[0]).toBe(whole.chain[0])
    expect(other.chain).not.toEqual(whole.chain)
  })

  test('--turn takes N, N..M, N.. and ..M', () => {
    expect(numbers(['--turn', '3'])).toEqual([3])
    expect(numbers(['--turn', '3..5'])).toEqual([3, 4, 5])
    expect(numbers(['--turn', '10..'])).toEqual([10, 11])
    expect(numbers(['--turn', '..2'])).toEqual([1, 2])
  })

  test('--include subagents brings their turns', () => {
    const { subagents } = shown(['2ab6', '--include', 'subagents'])
    expect(subagents?.map((agent) => agent.agentId).sort()).toEqual([
      'a3c070c45ad21bfd7',
      'a53b576efea454709',
      'ad6f1926f670c97fd',
    ])
    for (const agent of subagents ?? []) expect(agent.turns.length).toBeGreaterThan(0)
  })

  test('a tool input nested deeper than JSON.stringify can go comes out whole', () => {
    const depth = 100_000
    const id = sessionId('d')
    const records = session(id, [
      prompt('u1', null, 'go'),
      reply('a1', 'u1', [toolUse('T', 'Deep', { list: 'DEEP', none: null })]),
    ])
    const text = records.map((record) => JSON.stringify(record)).join('\n')
    const root = writeBelow(newFolder(), {
      [`projects/-p/${id}.jsonl`]: `${text.replace('"DEEP"', '['.repeat(depth) + ']'.repeat(depth))}\n`,
    })
    const { status, out } = clew(['show', id, '--json', '--root', root])
    expect(status).toBe(0)
    expect(out).toContain(`{"list":${'['.repeat(depth)}${']'.repeat(depth)},"none":null}`)
    expect(clew(['show', id, '--root', root]).out).toContain('Deep')
  })
})

describe('text', () => {
  const plain = clew(['show', '2ab6', '--root', sample]).out
  const including = (what: string): string => clew(['show', '2ab6', '--include', what, '--root', sample]).out

  test('has the title, the id, the project and every prompt', () => {
    const [head, facts] = linesOf(plain)
    expect(head).toBe('Local days instead of 24 hours  2ab65b76-d18a-44c3-9987-9ebb221d7c35')
    expect(facts).toBe('/home/ada/tidewatch · fix/local-days · 11 turns · branch 0 of 2')
    expect(plain.match(/^── \d+ {2}2026-\d\d-\d\d \d\d:\d\d ─+$/gm)).toHaveLength(11)
    expect(plain.match(/^❯ /gm)?.length).toBeGreaterThanOrEqual(11)
    expect(plain).toMatch(/^━━ compacted \(manual\), 22,614 → 16,640 tokens ━+$/m)
  })

  test('--include adds what it names and nothing else', () => {
    const marks = {
      thinking: /^Thinking: /m,
      tools: /^ {6}No test files found/m,
      injections: /^System \(turn_duration\)/m,
      subagents: /^ {4}│ ── 1/m,
    }
    for (const [what, mark] of Object.entries(marks)) {
      expect(plain).not.toMatch(mark)
      const text = including(what)
      for (const [other, others] of Object.entries(marks))
        expect(others.test(text), `${what}: ${other}`).toBe(what === other)
    }
    const all = including('thinking,tools, injections,subagents')
    for (const mark of Object.values(marks)) expect(all).toMatch(mark)
  })

  test('a failed tool says why: in one line, or whole, but not twice', () => {
    expect(plain).toMatch(/^ {2}✗ Bash npx vitest run test\/clock.test.ts\n {6}Exit code 1 No test files found/m)
    expect(including('tools')).toMatch(
      /^ {2}✗ Bash npx vitest run test\/clock.test.ts\n {6}Exit code 1\n {6}No test files/m,
    )
  })

  test('a subagent is headed by what it was started for', () => {
    const { out } = clew(['show', '2ab6/a53b', '--root', sample])
    expect(out).toMatch(/^Explore: Read the calendar feed {2}2ab65b76-[0-9a-f-]+\/a53b576efea454709\n/)
  })

  test('tabs in tool output stay in line although the output is indented', () => {
    const id = sessionId('b')
    const calls = [
      prompt('u', null, 'go'),
      reply('a', 'u', [toolUse('T', 'Read', { file_path: 'x' })]),
      toolResult('r', 'a', 'T', '9\tnine\n10\tten\n1000000\tmany'),
    ]
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: session(id, calls) })
    const { out } = clew(['show', id, '--include', 'tools', '--root', root])
    expect(out).toContain('      9       nine\n      10      ten\n      1000000 many\n')
  })

  test('how long a turn took, in both shapes, what the API refused, and nothing where nothing is said', async () => {
    const id = sessionId('f')
    const system = (uuid: string, parentUuid: string, more: Raw): Raw => ({ type: 'system', uuid, parentUuid, ...more })
    const calls = [
      prompt('u', null, 'go'),
      reply('a', 'u', 'Gone.'),
      system('s1', 'a', { subtype: 'turn_duration', durationMs: 12_340 }),
      system('s2', 's1', { subtype: 'turn_duration', message: { duration_ms: 3456 } }),
      system('s3', 's2', { subtype: 'turn_duration' }),
      system('s4', 's3', { subtype: 'stop_hook_summary', hookCount: 1 }),
      system('s5', 's4', { subtype: 'api_error', error: { status: 529 }, retryAttempt: 2 }),
      system('s6', 's5', { subtype: 'api_error' }),
    ]
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: session(id, calls) })
    const { out } = await runHere(show, [id, '--include', 'injections', '--root', root, '--no-index'], Date.now())
    expect(out.match(/^System.*/gm)).toEqual([
      'System (turn_duration): 12.3 s',
      'System (turn_duration): 3.5 s',
      'System (turn_duration)',
      'System (stop_hook_summary)',
      'System (api_error): API error 529, attempt 2',
      'System (api_error): API error',
    ])
  })

  test('the summary in a compaction of the event-log dialect is a recap like any other', async () => {
    const id = sessionId('9')
    const records = [
      { type: 'message', role: 'user', content: 'Fix the login.' },
      { type: 'compaction', summary: 'The login was fixed.', tokensSaved: 9000 },
      { type: 'message', role: 'user', content: 'Now the docs.' },
    ].map((one) => ({ ...one, sessionId: id }))
    const root = writeBelow(newFolder(), { [`projects/abc/sessions/${id}.jsonl`]: records })
    const at = (words: readonly string[]): Promise<string> =>
      runHere(show, [...words, '--root', root, '--no-index'], Date.now()).then(({ out }) => out)
    const recap = 'Recap written by the client: The login was fixed.'
    expect(await at([id])).not.toContain(recap)
    expect(await at([id, '--include', 'injections'])).toContain(recap)
    expect(await at([id, '--reading', 'context'])).toContain(recap)
    const offset = Buffer.byteLength(`${JSON.stringify(records[0])}\n`)
    expect(await at([`${id}#@${offset}`])).toContain(recap)
    const { out } = await runHere(exportCommand, [id, '--include', 'recaps', '--root', root, '--no-index'], Date.now())
    expect(out).toContain('The login was fixed.')
  })

  test('slash commands and shell lines are shown as prompts, without the tags of the client', () => {
    const id = sessionId('c')
    const typed = [
      prompt(
        'u1',
        null,
        '<command-message>demo</command-message>\n<command-name>/demo</command-name>\n<command-args>first second</command-args>',
      ),
      reply('a1', 'u1', 'Followed.'),
      prompt('u2', 'a1', '<bash-input>ls -la</bash-input>'),
      prompt('u3', 'u2', '<bash-stdout>notes.txt\nplan.txt</bash-stdout><bash-stderr></bash-stderr>'),
      {
        type: 'system',
        subtype: 'local_command',
        uuid: 's1',
        parentUuid: 'u3',
        content: '<command-name>/cost</command-name>\n<command-args></command-args>',
      },
      {
        type: 'system',
        subtype: 'local_command',
        uuid: 's2',
        parentUuid: 's1',
        content: '<local-command-stdout>Total: $1</local-command-stdout>',
      },
      prompt('u4', 's2', '<local-command-caveat>Caveat: not for you.</local-command-caveat>'),
      prompt('u5', 'u4', '<local-command-stdout>Total: $2</local-command-stdout>'),
      prompt('u6', 'u5', '[Request interrupted by user]'),
      reply('a2', 'u6', 'Done.'),
    ]
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: session(id, typed) })
    const { out } = clew(['show', id, '--root', root])
    expect(linesOf(out).slice(4)).toEqual([
      '❯ /demo first second',
      'Followed.',
      '❯ ! ls -la',
      'System (shell): notes.txt plan.txt',
      '❯ /cost',
      'System (local_command): Total: $1',
      'System (command-output): Total: $2',
      '[Request interrupted by user]',
      'Done.',
    ])
    const whole = clew(['show', id, '--include', 'tools', '--root', root]).out
    expect(whole).toContain('❯ ! ls -la\n      notes.txt\n      plan.txt\n')
  })

  test('what the client puts in the place of an answer is left out, an error is not', () => {
    const id = sessionId('f')
    const synthetic = (uuid: string, parent: string, text: string): Readonly<Record<string, unknown>> => ({
      ...{ type: 'assistant', uuid, parentUuid: parent },
      message: { id: uuid, role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] },
    })
    const records = [
      prompt('u1', null, 'Spin.'),
      synthetic('a1', 'u1', 'No response requested.'),
      synthetic('a2', 'a1', 'API Error: 529'),
    ]
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: session(id, records) })
    expect(linesOf(clew(['show', id, '--root', root]).out).slice(4)).toEqual(['❯ Spin.', 'API Error: 529'])
    expect(clew(['show', id, '--include', 'injections', '--root', root]).out).toContain('No response requested.')
  })

  test('a time that is no date is left out', () => {
    const root = writeBelow(newFolder(), { 'projects/-p/x.jsonl': talk('x', 'when?', { timestamp: 1e300 }) })
    expect(clew(['show', 'x', '--root', root]).out).toMatch(/^── 1 ─+$/m)
    expect(clew(['list', '--root', root]).status).toBe(0)
  })
})

describe('a call that cannot be answered', () => {
  test.each([
    [['--branch', '2'], /^clew: there is no branch 2; the conversation has 2 branches, from 0\n$/],
    [['--branch', 'x'], /^clew: --branch takes a whole number, not “x”\n$/],
    [['--branch', '1', '--reading', 'context'], /^clew: the context reading follows the live tip; .*\n$/],
    [['--reading', 'half'], /^clew: --reading takes full or context, not “half”\n$/],
    [['--tip', 'x'], /^clew: --tip takes resume or file, not “x”\n$/],
    [['--include', 'tools,jokes'], /^clew: --include takes .*, not “jokes”\n$/],
    [['--turn', 'x'], /^clew: --turn takes N, N\.\.M, N\.\. or \.\.M, not “x”\n$/],
    [['--turn', '..'], /^clew: --turn takes /],
    [['--turn', '1..2..3'], /^clew: --turn takes /],
    [['--turn', '5..2'], /^clew: --turn 5\.\.2 ends before it begins\n$/],
    [['--turn', '99'], /^clew: there is no turn 99; the conversation has 11 turns\n$/],
    [['--turn', '99..'], /^clew: there is no turn 99\.\.; the conversation has 11 turns\n$/],
    [['--turns', '1'], /^clew: Unknown option '--turns'\. Try: clew show --help\n$/],
  ])('show %j is one line and exit code 1', (words, message) => {
    const { status, out, err } = clew(['show', '2ab6', ...words, '--root', sample])
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })
})
