import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { journal } from '../../src/cli/journal.ts'
import { standup } from '../../src/cli/standup.ts'
import { expectGolden } from '../golden.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, projectFolder, sample } from './run.ts'

const SAMPLE = ['--root', 'sample', '--no-index', '--tz', 'Europe/London']
const here = { cwd: projectFolder }

interface DayLine {
  readonly date: string
  readonly projects: readonly {
    readonly project: string
    readonly asked: readonly { readonly text: string }[]
    readonly sessions: readonly unknown[]
  }[]
}

describe('the bundled sample', () => {
  test.each([
    ['journal.md', ['journal', '--date', '2026-10-27', ...SAMPLE]],
    ['journal-week.md', ['journal', '--date', '2026-10-31', '--week', '--project', 'tidewatch', ...SAMPLE]],
  ])('%s', (name, words) => {
    const { out, err, status } = clew(words, here)
    expect([err, status]).toEqual(['', 0])
    expectGolden(name, out)
  })

  test('as JSON', () => {
    const [day] = clewJson(['journal', '--date', '2026-10-28', ...SAMPLE], here)
    expectGolden('journal.json', `${JSON.stringify(day, null, 1)}\n`)
  })

  test('standup, the morning after', async () => {
    const { out, status } = await runHere(
      standup,
      ['--root', sample, '--tz', 'UTC', '--no-index'],
      Date.parse('2026-10-28T12:00:00Z'),
    )
    expect(status).toBe(0)
    expectGolden('standup.md', out)
  })

  test('standup, after a weekend', async () => {
    const { out } = await runHere(
      standup,
      ['--root', sample, '--tz', 'UTC', '--no-index'],
      Date.parse('2026-11-02T12:00:00Z'),
    )
    expect(out).toContain('**Thursday, 29 October 2026**')
    expect(out).toContain('**Today**\n- nothing')
  })

  test('today is what the clock says it is', async () => {
    const { err, out, status } = await runHere(
      journal,
      ['--root', sample, '--no-index', '--tz', 'UTC', '--date', 'yesterday', '--json'],
      Date.parse('2026-10-28T12:00:00Z'),
    )
    expect([err, status]).toEqual(['', 0])
    expect((JSON.parse(out) as DayLine).date).toBe('2026-10-27')
  })
})

/** A session with a command in each turn, so that it is no tiny one. */
function worked(id: string, times: readonly string[], more: Raw = {}): readonly Raw[] {
  let last: string | null = null
  const records = times.flatMap((timestamp, place) => {
    const [p, c, r, a] = ['p', 'c', 'r', 'a'].map((letter) => `${id.slice(0, 4)}-${letter}${place}`) as [
      string,
      string,
      string,
      string,
    ]
    const made = [
      prompt(p, last, `Please do number ${place} of ${id.slice(0, 4)}`, { timestamp }),
      reply(c, p, [toolUse(`t-${p}`, 'Bash', { command: `make ${place}` })], { timestamp }),
      toolResult(r, c, `t-${p}`, 'ok', { timestamp }),
      reply(a, r, `Number ${place} is done.`, { timestamp }),
    ]
    last = a
    return made
  })
  return session(id, records, more)
}

function asked(root: string, words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const days = clewJson<DayLine>(['journal', '--root', root, '--no-index', ...words])
  return Object.fromEntries(
    days.map(({ date, projects }) => [date, projects.flatMap(({ asked }) => asked.map(({ text }) => text))]),
  )
}

const A = sessionId('a')
const B = sessionId('b')

describe('days', () => {
  const root = writeBelow(newFolder('claude'), {
    [`projects/-x/${A}.jsonl`]: worked(A, ['2026-03-01T22:30:00Z', '2026-03-01T23:30:00Z', '2026-03-02T03:30:00Z']),
  })

  test('a session over midnight is split, by the clock on the wall', () => {
    expect(asked(root, ['--date', '2026-03-01', '--tz', 'UTC'])).toEqual({
      '2026-03-01': ['Please do number 0 of aaaa', 'Please do number 1 of aaaa'],
    })
    expect(asked(root, ['--date', '2026-03-02', '--tz', 'UTC'])).toEqual({
      '2026-03-02': ['Please do number 2 of aaaa'],
    })
    expect(asked(root, ['--date', '2026-03-01', '--tz', 'Europe/Berlin'])).toEqual({
      '2026-03-01': ['Please do number 0 of aaaa'],
    })
  })

  test('a word after midnight is of the session, however little it is', () => {
    const talked = [
      ...worked(A, ['2026-03-01T22:30:00Z']),
      ...session(A, [prompt('q', 'aaaa-a0', 'Is it pushed by now?'), reply('r', 'q', 'It is.')], {
        timestamp: '2026-03-02T00:01:00Z',
      }),
    ]
    const two = writeBelow(newFolder('claude'), { [`projects/-x/${A}.jsonl`]: talked })
    expect(asked(two, ['--date', '2026-03-02', '--tz', 'UTC'])['2026-03-02']).toEqual(['Is it pushed by now?'])
  })

  test('a day may begin in the morning', () => {
    expect(asked(root, ['--date', '2026-03-01', '--tz', 'UTC', '--day-start', '5'])['2026-03-01']).toHaveLength(3)
  })

  test('a week has seven days', () => {
    const days = asked(root, ['--date', '2026-03-01', '--week', '--tz', 'UTC'])
    expect(Object.keys(days)).toEqual([23, 24, 25, 26, 27, 28].map((day) => `2026-02-${day}`).concat('2026-03-01'))
  })
})

test('a short prompt is told where it says more than “go on”, in Chinese and Japanese too', async () => {
  const id = sessionId('7')
  const said = [
    'Fix the login bug',
    'yes',
    'ログインのバグを直して',
    'はい',
    '修复登录错误',
    '好的，请继续',
    'go on please',
  ]
  const records = said.flatMap((text, at) => [
    prompt(`u${at}`, at === 0 ? null : `a${at - 1}`, text),
    reply(`a${at}`, `u${at}`, `Done ${at}.`),
  ])
  const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: session(id, records) })
  const words = ['--date', '2026-03-01', '--tz', 'UTC', '--json', '--root', root, '--no-index']
  const { out } = await runHere(journal, words, Date.parse('2026-03-02T12:00:00Z'))
  const day = JSON.parse(out) as DayLine
  expect(day.projects[0]?.asked.map(({ text }) => text)).toEqual([said[0], said[2], said[4]])
})

test('what a fork copied is told once', () => {
  const original = worked(A, ['2026-03-01T10:00:00Z'])
  const copied = original.map((record) => ({
    ...record,
    sessionId: B,
    forkedFrom: { sessionId: A, messageUuid: record['uuid'] },
  }))
  const [more] = worked(B, ['2026-03-01T11:00:00Z'])
  const root = writeBelow(newFolder('claude'), {
    [`projects/-x/${A}.jsonl`]: original,
    [`projects/-x/${B}.jsonl`]: [
      ...copied,
      { ...more, parentUuid: 'aaaa-a0' },
      ...worked(B, ['2026-03-01T11:00:00Z']).slice(1),
    ],
  })
  expect(asked(root, ['--date', '2026-03-01', '--tz', 'UTC'])['2026-03-01']).toEqual([
    'Please do number 0 of aaaa',
    'Please do number 0 of bbbb',
  ])
})

describe('what is left out', () => {
  const at = { timestamp: '2026-03-01T10:00:00Z' }
  const root = writeBelow(newFolder('claude'), {
    [`projects/-home-ada-x/${A}.jsonl`]: worked(A, ['2026-03-01T10:00:00Z'], { cwd: '/home/ada/x' }),
    [`projects/-private-tmp-y/${B}.jsonl`]: worked(B, ['2026-03-01T10:00:00Z'], { cwd: '/private/tmp/y' }),
    [`projects/-home-ada-x/${sessionId('c')}.jsonl`]: session(sessionId('c'), [
      prompt('w', null, 'Warmup', at),
      reply('v', 'w', 'Ready for a long while now, and for many things that could be asked.', at),
    ]),
    [`projects/-home-ada-x/${sessionId('d')}.jsonl`]: session(sessionId('d'), [
      prompt('s', null, `Summarise this transcript: ${'word '.repeat(99)}`, { ...at, entrypoint: 'sdk-cli' }),
      reply('z', 's', 'A summary.', at),
    ]),
    [`projects/-home-ada-x/${sessionId('e')}.jsonl`]: session(sessionId('e'), [
      prompt('h', null, 'Hello there you', at),
      reply('i', 'h', 'Hi.', at),
    ]),
  })
  const day = (...words: readonly string[]): readonly string[] =>
    asked(root, ['--date', '2026-03-01', '--tz', 'UTC', ...words])['2026-03-01'] ?? []

  test('sessions of programs, and tiny ones, unless all are asked for', () => {
    const sessions = (...words: readonly string[]): number => {
      const days = clewJson<DayLine>([
        'journal',
        '--root',
        root,
        '--no-index',
        '--date',
        '2026-03-01',
        '--tz',
        'UTC',
        ...words,
      ])
      return days.flatMap(({ projects }) => projects.flatMap((project) => project.sessions)).length
    }
    expect([sessions(), sessions('--all')]).toEqual([2, 5])
  })

  test.each(['-private-tmp*', '/private/**', '/private/tmp', '**/y', 'y', 'private'])('projects by %s', (glob) => {
    expect(day('--exclude', glob)).toEqual(['Please do number 0 of aaaa'])
  })

  test('for every time, in the settings', () => {
    const config = newFolder('config')
    writeBelow(config, { 'clew/journal.json': JSON.stringify({ exclude: ['-private-tmp*'], tz: 'UTC', dayStart: 3 }) })
    const { out } = clew(['journal', '--date', '2026-03-01', '--json', '--no-index', '--root', root], {
      env: { XDG_CONFIG_HOME: config },
    })
    expect((JSON.parse(out) as DayLine).projects).toHaveLength(1)
  })
})

describe('pages', () => {
  const out = join(newFolder('notes'), 'work', '2026')
  const words = ['journal', '--date', '2026-10-27', '--week', '--out', out, ...SAMPLE]

  test('one for each day on which something was done, and the second time nothing is written', () => {
    const first = clew(words, here)
    expect([first.err, first.status]).toEqual(['', 0])
    expect(readdirSync(out).sort()).toEqual(['2026-10-27.md', '2026-10-28.md', '2026-10-29.md'])
    const path = join(out, '2026-10-27.md')
    const before = statSync(path)
    expect(before.mode & 0o777).toBe(0o600)
    expectGolden('journal-page.md', readFileSync(path, 'utf8'))
    expect(linesOf(clew(words, here).out).every((line) => line.endsWith(': unchanged'))).toBe(true)
    expect(statSync(path)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino })
  })

  test('notes of one’s own stay, and what was changed by hand is left alone', () => {
    const path = join(out, '2026-10-27.md')
    const page = readFileSync(path, 'utf8')
    writeFileSync(path, `${page.replace('<!-- /clew:notes -->', 'Call Bea.\n<!-- /clew:notes -->')}\nMine.\n`)
    expect(clew(words, here).status).toBe(0)
    expect(readFileSync(path, 'utf8')).toMatch(/Call Bea\.[\s\S]*Mine\.\n$/)
    writeFileSync(path, readFileSync(path, 'utf8').replace('### Asked', '### Gefragt'))
    const { err, status } = clew(words, here)
    expect([linesOf(err), status]).toEqual([
      [`clew: ${path}: left alone: what Clew wrote there was changed by hand (--force writes it anew)`],
      1,
    ])
    expect(readFileSync(path, 'utf8')).toContain('### Gefragt')
    expect(clew([...words, '--force'], here).status).toBe(0)
    expect(readFileSync(path, 'utf8')).toContain('### Asked')
  })

  test('never in a Claude directory, whichever it reads', async () => {
    const root = newFolder('claude')
    mkdirSync(join(root, 'projects', '-x'), { recursive: true })
    const out = join(root, 'projects', '-x', 'notes')
    const into = (roots: readonly string[], more = {}): Promise<RanHere> =>
      runHere(journal, ['--out', out, '--date', '2026-10-27', '--no-index', '--root', ...roots], 0, more)
    for (const ran of [
      await into([root]),
      await into([join(root, 'projects', '-x')]),
      await into([sample], { CLAUDE_CONFIG_DIR: root }),
    ])
      expect(ran).toMatchObject({
        status: 1,
        err: expect.stringContaining('is inside a Claude directory; pages are not'),
      })
    expect(existsSync(out)).toBe(false)
  })

  test('a folder that may not be written is one line', () => {
    const { err, status } = clew(['journal', '--date', '2026-10-27', '--out', '/proc/nothing', ...SAMPLE], here)
    expect(status).toBe(1)
    expect(linesOf(err)).toHaveLength(1)
  })
})

test.each<readonly [string, readonly string[], string]>([
  [
    'a date that is none',
    ['--date', '2026-02-30'],
    'clew: --date takes today, yesterday or a date like 2026-11-14, not “2026-02-30”',
  ],
  [
    'a zone that is none',
    ['--tz', 'Europe/Hamburg'],
    'clew: there is no time zone “Europe/Hamburg”; one is called Europe/Berlin, another UTC',
  ],
  ['an hour that is none', ['--day-start', '24'], 'clew: --day-start takes an hour from 0 to 23, not 24'],
  [
    'a day without work',
    ['--date', '2020-01-01'],
    'clew: nothing on Wednesday, 1 January 2020. Try: clew journal --week, or --all',
  ],
])('%s', (_, words, message) => {
  const { out, err } = clew(['journal', '--root', 'sample', '--no-index', ...words], here)
  expect([out, linesOf(err)]).toEqual(['', [message]])
})

test.each<readonly [string, string]>([
  ['{', 'journal.json: '],
  ['[]', 'journal.json: not a JSON object'],
  ['{"dayStart": 30}', 'journal.json: dayStart takes an hour from 0 to 23'],
  ['{"exclude": "x"}', 'journal.json: exclude takes a list of globs'],
  ['{"fold": 1}', 'journal.json: there is no setting “fold”'],
])('settings %s are one line', (settings, message) => {
  const config = writeBelow(newFolder('config'), { 'clew/journal.json': settings })
  const { err, status } = clew(['journal', '--root', sample], { env: { XDG_CONFIG_HOME: config } })
  expect(status).toBe(1)
  expect(linesOf(err)).toHaveLength(1)
  expect(err).toContain(message)
})

describe('secrets', () => {
  const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`
  const id = sessionId('9')
  const root = writeBelow(newFolder('claude'), {
    [`projects/-x/${id}.jsonl`]: session(id, [
      prompt('p', null, `Please deploy it with the token ${secret} and tell me`),
      reply('c', 'p', [toolUse('t', 'Bash', { command: 'make' })]),
      toolResult('r', 'c', 't', 'ok'),
      reply('a', 'r', `Deployed with ${secret}.`),
    ]),
  })
  const now = Date.parse('2026-03-01T12:00:00Z')
  const words = ['--root', root, '--no-index', '--tz', 'UTC']

  test('are not in a standup, unless they may be', async () => {
    expect((await runHere(standup, words, now)).out).not.toContain('A1b2C3d4')
    expect((await runHere(standup, [...words, '--no-redact'], now)).out).toContain(secret)
  })

  test('are in one’s own notebook, unless it is for others', async () => {
    expect((await runHere(journal, words, now)).out).toContain(secret)
    expect((await runHere(journal, [...words, '--redact'], now)).out).not.toContain('A1b2C3d4')
  })
})
