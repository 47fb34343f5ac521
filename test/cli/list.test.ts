// `clew list` on the sample and on small archives: what a person and a program see of it.

import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { sessionId, talk, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, sample } from './run.ts'

interface Row {
  readonly sessionId: string
  readonly title: string
  readonly titleSource: string
  readonly modifiedAt: string
  readonly turns: number
  readonly segments: number
  readonly branches: number
  readonly subagents: number
  readonly forkOf: string | null
  readonly problems: number
  readonly path: string
}

const KEYS = [
  'sessionId',
  'title',
  'titleSource',
  'firstPrompt',
  'cwd',
  'project',
  'gitBranch',
  'createdAt',
  'modifiedAt',
  'sizeBytes',
  'turns',
  'prompts',
  'segments',
  'branches',
  'subagents',
  'continues',
  'forkOf',
  'path',
]

describe('clew list', () => {
  test('is a table with a head, one conversation a line, newest first', () => {
    const { status, out, err } = clew(['list', '--root', sample])
    expect(status).toBe(0)
    expect(err).toBe('')
    const [head, ...rows] = linesOf(out)
    expect(head?.trim().split(/\s+/)).toEqual('AGE ID TITLE PROJECT BRANCH TURNS SIZE MODEL FLAGS'.split(' '))
    expect(rows.map((row) => row.trim().split(/\s+/)[1])).toEqual([
      '8e8a4192',
      'a43e0f11',
      '2ab65b76',
      '408eda1d',
      'f03e2afd',
    ])
    expect(rows[2]).toMatch(/Local days instead of 24 hours .*tidewatch .*11 .*1 compaction, 2 branches, 3 agents$/)
  })

  test('is the same command as ls', () => {
    expect(clew(['ls', '--root', sample]).out).toBe(clew(['list', '--root', sample]).out)
  })

  test('--json has every key in every line, with the facts of the sample', () => {
    const rows = clewJson<Row>(['list', '--root', sample])
    for (const row of rows) expect(Object.keys(row)).toEqual(expect.arrayContaining(KEYS))
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1)
    const times = rows.map((row) => row.modifiedAt)
    expect(times).toEqual([...times].sort().reverse())
    const byId = new Map(rows.map((row) => [row.sessionId.slice(0, 4), row]))
    expect(byId.get('2ab6')).toMatchObject({ turns: 11, segments: 2, branches: 2, subagents: 3, problems: 0 })
    expect(byId.get('8e8a')).toMatchObject({ titleSource: 'ai-title', problems: 1 })
    expect(byId.get('f03e')?.forkOf).toBe(byId.get('2ab6')?.sessionId)
  })

  test('tells the time of the last record, not that of the file', () => {
    const root = writeBelow(newFolder(), {
      'projects/-p/new.jsonl': talk('new', 'new', { timestamp: '2026-05-01T00:00:00.000Z' }),
      'projects/-p/old.jsonl': talk('old', 'old', { timestamp: '2026-04-01T00:00:00.000Z' }),
    })
    const rows = clewJson<Row>(['list', '--root', root])
    expect(rows.map(({ title, modifiedAt }) => [title, modifiedAt])).toEqual([
      ['new', '2026-05-01T00:00:00.000Z'],
      ['old', '2026-04-01T00:00:00.000Z'],
    ])
  })

  test('leaves out what is no conversation: empty files, queue leftovers, stray subagents', () => {
    const root = writeBelow(newFolder(), {
      'projects/-p/empty.jsonl': '',
      'projects/-p/queue.jsonl': [{ type: 'queue-operation', operation: 'enqueue', sessionId: 'queue', content: 'x' }],
      'projects/-p/agent-a1b2c3d.jsonl': talk('elsewhere', 'look around', { agentId: 'a1b2c3d', isSidechain: true }),
      'projects/-p/real.jsonl': talk('real', 'hello'),
    })
    expect(clewJson<Row>(['list', '--root', root]).map((row) => row.sessionId)).toEqual(['real'])
  })

  test('lists a session that lies in two roots from both of them', () => {
    const files = { [`projects/-p/${sessionId('a')}.jsonl`]: talk(sessionId('a'), 'the same one') }
    const roots = [writeBelow(newFolder(), files), writeBelow(newFolder(), files)]
    const rows = clewJson<Row>(['list', ...roots.flatMap((root) => ['--root', root])])
    expect(rows.map((row) => row.path).sort()).toEqual(
      roots.map((root) => `${root}/projects/-p/${sessionId('a')}.jsonl`).sort(),
    )
  })
})

test.each([['list'], ['search', 'tide']])('--limit 0 of %s is refused', (...words) => {
  const { status, out, err } = clew([...words, '--limit', '0', '--root', sample])
  expect([status, out, err]).toEqual([1, '', 'clew: --limit takes a number from 1\n'])
})

describe('the table', () => {
  const wide = {
    おはよう: '日本語のとても長い題名がここにあり、切られるはずです。もっともっと長くしておきます',
    suns: '☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️☀️',
    family: '👨‍👩‍👧‍👦 and 🇩🇪 and ❤️‍🔥 with some words behind them that do not fit into a narrow column',
    marks: 'e\u0301e\u0301e\u0301 Zoë naïve ﬁancé with some words behind them that do not fit into a narrow column',
    plain: 'plain',
  }
  const root = writeBelow(
    newFolder(),
    Object.fromEntries(
      Object.entries(wide).map(([name, title]) => [
        `projects/-p/${name}.jsonl`,
        talk(name, title, { cwd: `/home/ada/${title}`, gitBranch: title.replaceAll(' ', '-') }),
      ]),
    ),
  )

  test.each([20, 40, 80, 100, 160, 400])('keeps to %i columns, with every column where its head is', (columns) => {
    const { out } = clew(['list', '--root', root], { env: { COLUMNS: String(columns) } })
    const lines = linesOf(out)
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(Math.max(columns, 24))
    const head = lines[0] ?? ''
    for (const name of ['TITLE', 'PROJECT', 'BRANCH', 'FLAGS'].filter((one) => head.includes(`  ${one}`))) {
      const at = head.indexOf(`  ${name}`)
      for (const line of lines) expect(atColumn(line, at), `${name} in “${line}”`).toMatch(/^ {0,2}$/)
    }
  })

  test('shows the end of a path that does not fit, for that is what tells projects apart', () => {
    const long = writeBelow(newFolder(), {
      'projects/-p/x.jsonl': talk('x', 'hello', { cwd: '/home/ada/a/very/deep/folder/that/ends/in/tidewatch' }),
    })
    expect(clew(['list', '--root', long], { env: { COLUMNS: '60' } }).out).toMatch(/ …\S*tidewatch /)
  })

  test('survives a width that is none', () => {
    for (const columns of ['0', '-5', 'wide', '1', '999999']) {
      const { status, out } = clew(['list', '--root', sample], { env: { COLUMNS: columns } })
      expect(status, columns).toBe(0)
      expect(linesOf(out), columns).toHaveLength(6)
    }
  })
})

/** The two columns from `at` on, measured as a terminal does. */
function atColumn(line: string, at: number): string {
  let found = ''
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (width >= at && width < at + 2) found += segment
    width += stringWidth(segment)
  }
  return found
}

describe('files without a message', () => {
  const root = writeBelow(newFolder('nameless'), {
    [`projects/-w/${sessionId('a')}.jsonl`]: [
      { type: 'last-prompt', lastPrompt: 'Spin on.', sessionId: sessionId('a') },
    ],
    [`projects/-w/${sessionId('b')}.jsonl`]: [{ type: 'mode', mode: 'normal', sessionId: sessionId('b') }],
    [`projects/-w/${sessionId('b')}/custom-title.json`]: '{"customTitle":"Ariadne"}',
    [`projects/-w/${sessionId('c')}.jsonl`]: [{ type: 'tag', tag: 'wool', sessionId: sessionId('c') }],
    [`projects/-w/${sessionId('d')}.jsonl`]: [{ type: 'mode', mode: 'normal', sessionId: sessionId('d') }],
    [`projects/-w/${sessionId('e')}.jsonl`]: talk('e', 'Weave.'),
  })

  test('are in --json when they have a name, as the official SDK lists them', () => {
    const rows = clewJson<Row>(['list', '--root', root])
    expect(rows.map(({ title, titleSource }) => `${titleSource}: ${title}`).sort()).toEqual([
      'custom-title: Ariadne',
      'first-prompt: Weave.',
      'last-prompt: Spin on.',
    ])
  })

  test('are not what “latest” means, nor in the table', () => {
    expect(clew(['show', 'latest', '--root', root]).out).toContain('Weave.')
    expect(linesOf(clew(['list', '--root', root]).out)).toHaveLength(2)
  })
})
