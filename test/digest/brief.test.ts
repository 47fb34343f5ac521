import { describe, expect, test } from 'vitest'
import { briefOf } from '../../src/digest/brief.ts'
import type { Brief } from '../../src/digest/model.ts'
import type { Holds } from '../../src/digest/work.ts'
import type { Raw } from '../cli/records.ts'
import { jsonl, prompt, reply, session, toolResult, toolUse } from '../cli/records.ts'
import { wovenOf } from '../woven.ts'

function briefed(records: readonly Raw[], holds?: Holds): Brief {
  const bytes = Buffer.from(jsonl(session('made', records)))
  const { woven } = wovenOf(bytes)
  return briefOf(
    {
      woven,
      bodyOf: (_, { offset, length }) => JSON.parse(bytes.subarray(offset, offset + length).toString()) as Raw,
      openAgent: () => null,
    },
    holds,
  )
}

/** A turn in which these calls are made one after the other. */
function calls(
  ...made: readonly (readonly [name: string, input: unknown, output: string, more?: Raw])[]
): readonly Raw[] {
  let last = 'p'
  return [
    prompt('p', null, 'Do it'),
    ...made.flatMap(([name, input, output, more = {}], place) => {
      const [call, result, id] = [`c${place}`, `r${place}`, `t${place}`]
      const { isError, ...rest } = more
      const block = {
        type: 'tool_result',
        tool_use_id: id,
        content: output,
        ...(isError === true ? { is_error: true } : {}),
      }
      const records = [
        reply(call, last, [toolUse(id, name, input)]),
        { ...toolResult(result, call, id, output, rest), message: { role: 'user', content: [block] } },
      ]
      last = result
      return records
    }),
    reply('end', last, 'Done.'),
  ]
}

describe('files', () => {
  const patch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' a', '-b', '+c', '+d'] }]
  test.each<readonly [string, readonly [string, unknown, string, Raw?], object]>([
    [
      'read',
      ['Read', { file_path: '/a' }, '1 x'],
      { path: '/a', outcome: 'read', reads: 1, edits: 0, added: null, removed: null },
    ],
    [
      'created',
      ['Write', { file_path: '/a', content: 'x\ny\n' }, 'ok', { toolUseResult: { type: 'create' } }],
      { outcome: 'created', edits: 1, added: 2, removed: 0 },
    ],
    [
      'written over',
      ['Write', { file_path: '/a', content: 'x' }, 'ok', { toolUseResult: { type: 'update', structuredPatch: patch } }],
      { outcome: 'edited', added: 2, removed: 1 },
    ],
    [
      'edited, by the patch',
      [
        'Edit',
        { file_path: '/a', old_string: 'b', new_string: 'c\nd' },
        'ok',
        { toolUseResult: { structuredPatch: patch } },
      ],
      { outcome: 'edited', added: 2, removed: 1 },
    ],
    [
      'edited, without a patch',
      ['Edit', { file_path: '/a', old_string: 'a\nb\nz', new_string: 'a\nc\nd\nz' }, 'ok'],
      { outcome: 'edited', added: 2, removed: 1 },
    ],
    [
      'edited everywhere, without a patch',
      ['Edit', { file_path: '/a', old_string: 'b', new_string: 'c', replace_all: true }, 'ok'],
      { added: null, removed: null },
    ],
    [
      'edited in several places',
      [
        'MultiEdit',
        {
          file_path: '/a',
          edits: [
            { old_string: 'a', new_string: 'b' },
            { old_string: '', new_string: 'c' },
          ],
        },
        'ok',
      ],
      { outcome: 'edited', added: 2, removed: 1 },
    ],
    [
      'a notebook',
      ['NotebookEdit', { notebook_path: '/a.ipynb', new_source: 'x' }, 'ok'],
      { path: '/a.ipynb', outcome: 'edited' },
    ],
    [
      'deleted',
      ['Bash', { command: 'rm -f ./old.ts' }, ''],
      { path: '/home/ada/tidewatch/old.ts', outcome: 'deleted' },
    ],
  ])('%s', (_, call, expected) => {
    const { files, turns } = briefed(calls(call))
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject(expected)
    expect(turns[0]?.files).toEqual(files)
  })

  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    [
      "sed -i 's/a/b/' one.ts two.ts",
      [
        ['one.ts', 'edited'],
        ['two.ts', 'edited'],
      ],
    ],
    ["sed -E -i.bak -e 's/a/b/' -e 's/c/d/' one.ts", [['one.ts', 'edited']]],
    ["sed -i '' 's/a/b/' one.ts", [['one.ts', 'edited']]],
    ["sed -i 's/a/b/' one.ts > log 2>&1", [['one.ts', 'edited']]],
    ["sed 's/a/b/' one.ts", []],
    ["sed -i 's/a/b/' *.ts one.ts", []],
    ["grep -l a . | xargs sed -i 's/a/b/'", []],
    [
      'mv old.ts new.ts',
      [
        ['old.ts', 'deleted'],
        ['new.ts', 'created'],
      ],
    ],
    [
      'git mv -f old.ts lib/new.ts',
      [
        ['old.ts', 'deleted'],
        ['lib/new.ts', 'created'],
      ],
    ],
    ['mv old.ts lib', []],
    ['mv *.ts lib.ts', []],
    ['rm a 2> /dev/null', [['a', 'deleted']]],
  ])('what %j touched', (command, expected) => {
    const { files } = briefed(calls(['Bash', { command }, '']))
    expect(files.map(({ path, outcome }) => [path, outcome])).toEqual(
      expected.map(([name, outcome]) => [`/home/ada/tidewatch/${name}`, outcome]),
    )
  })

  test('what failed was not touched, and what a pattern stands for is not guessed', () => {
    const { files } = briefed(
      calls(
        ['Read', { file_path: '/a' }, 'File does not exist.', { isError: true }],
        ['Edit', { file_path: '/b' }, 'no', { isError: true }],
        ['Bash', { command: 'rm -rf dist && rm *.log "$x" ~/y' }, ''],
        ['Bash', { command: 'cd /tmp && rm z' }, ''],
      ),
    )
    expect(files).toEqual([])
  })

  test('a file is told once, by the weightiest thing done to it', () => {
    const { files } = briefed(
      calls(
        ['Read', { file_path: '/a' }, 'x'],
        ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }, 'ok'],
        ['Edit', { file_path: '/a', old_string: 'y', new_string: 'z\nz' }, 'ok'],
        ['Bash', { command: 'rm /b' }, ''],
        ['Write', { file_path: '/b', content: 'x' }, 'ok'],
      ),
    )
    expect(files).toMatchObject([
      { path: '/a', outcome: 'edited', reads: 1, edits: 2, added: 3, removed: 2 },
      { path: '/b', outcome: 'created' },
    ])
  })
})

describe('commits and pull requests', () => {
  test.each<readonly [string, string, string, Raw, object]>([
    [
      'git says',
      'git commit -m x',
      '[main 770216b] Bump the parser\n 1 file changed',
      {},
      { hash: '770216b', subject: 'Bump the parser', branch: 'main' },
    ],
    [
      'the first one',
      'git commit -m x',
      '[main (root-commit) 770216b] First\n',
      {},
      { hash: '770216b', subject: 'First', branch: 'main' },
    ],
    ['no branch', 'git commit -m x', '[detached HEAD 770216b] First\n', {}, { hash: '770216b', branch: null }],
    [
      'the client says',
      'git commit -qm "Fix it"',
      '',
      { toolUseResult: { gitOperation: { commit: { sha: 'abc1234' } } } },
      { hash: 'abc1234', subject: 'Fix it' },
    ],
    ['only the message does', "git add -A && git commit -qam 'Fix it'", '', {}, { hash: null, subject: 'Fix it' }],
    [
      'a here-document',
      'git commit -q -m "$(cat <<\'EOF\'\nFix "it"\n\nMore.\nEOF\n)"',
      '',
      {},
      { hash: null, subject: 'Fix "it"' },
    ],
  ])('%s', (_, command, output, more, expected) => {
    expect(briefed(calls(['Bash', { command }, output, more])).commits).toMatchObject([expected])
  })

  test('what was refused, failed or only talks of committing is none', () => {
    const { commits, decisions } = briefed(
      calls(
        ['Bash', { command: 'git commit -m a' }, 'no', { toolDenialKind: 'user-rejected' }],
        ['Bash', { command: 'git commit -m b' }, 'hook failed', { isError: true }],
        ['Bash', { command: 'grep "git commit -m c" x' }, ''],
        ['Bash', { command: 'git commit -m d' }, 'nothing to commit, working tree clean'],
      ),
    )
    expect(commits).toEqual([])
    expect(decisions).toMatchObject([{ question: 'May it use Bash: git commit -m a?', answer: 'refused' }])
  })

  test('a pull request with its title', () => {
    const { pullRequests } = briefed(
      calls([
        'Bash',
        { command: 'git push && gh pr create --title "Fix it" --body x' },
        'remote: https://github.com/a/b/pull/new/x\nhttps://github.com/a/b/pull/57\n',
      ]),
    )
    expect(pullRequests).toMatchObject([{ url: 'https://github.com/a/b/pull/57', title: 'Fix it' }])
  })
})

test('a commit by another shell', () => {
  const { commits } = briefed(calls(['PowerShell', { command: 'git commit -m x' }, '[main 770216b] Bump the parser\n']))
  expect(commits).toMatchObject([{ hash: '770216b', subject: 'Bump the parser', branch: 'main' }])
})

describe('planning', () => {
  test('questions with their answers', () => {
    const questions = [{ question: 'Which colour?' }, { question: 'How many?' }]
    const { decisions } = briefed(
      calls(
        ['AskUserQuestion', { questions }, 'x', { toolUseResult: { answers: { 'Which colour?': 'Red' } } }],
        ['AskUserQuestion', { questions: [{ question: 'Now?' }] }, 'Your questions have been answered: "Now?"="Yes".'],
      ),
    )
    expect(decisions.map(({ question, answer }) => [question, answer])).toEqual([
      ['Which colour?', 'Red'],
      ['How many?', null],
      ['Now?', 'Yes'],
    ])
  })

  test('plans and how they ended', () => {
    const { plans } = briefed(
      calls(
        ['ExitPlanMode', { plan: '# A\nfirst' }, 'no', { toolDenialKind: 'user-rejected' }],
        ['ExitPlanMode', { plan: '# C' }, 'Exit plan mode?', { isError: true }],
        ['ExitPlanMode', { plan: '# B' }, 'User has approved'],
        ['ExitPlanMode', {}, 'ok', { toolUseResult: { plan: null, filePath: '/plans/x.md' } }],
      ),
    )
    expect(plans.map(({ text, state }) => [text, state])).toEqual([
      ['# A\nfirst', 'rejected'],
      ['# C', 'open'],
      ['# B', 'accepted'],
      ['/plans/x.md', 'accepted'],
    ])
  })

  test('todos in both ways clients keep them', () => {
    const { todos } = briefed(
      calls(
        [
          'TodoWrite',
          {
            todos: [
              { content: 'one', status: 'pending' },
              { content: 'two', status: 'in_progress' },
            ],
          },
          'ok',
        ],
        [
          'TodoWrite',
          {
            todos: [
              { content: 'one', status: 'completed' },
              { content: 'two', status: 'in_progress' },
            ],
          },
          'ok',
        ],
        ['TaskCreate', { subject: 'three' }, 'Task #1 created successfully: three'],
        ['TaskCreate', { subject: 'four' }, 'ok', { toolUseResult: { task: { id: '2' } } }],
        ['TaskUpdate', { taskId: '1', status: 'completed' }, 'ok'],
        ['TaskUpdate', { taskId: '2', status: 'deleted' }, 'ok'],
      ),
    )
    expect(todos.map(({ text, state }) => [text, state])).toEqual([
      ['one', 'done'],
      ['two', 'doing'],
      ['three', 'done'],
    ])
  })

  test('each list of todos stands in the place of the one before, unless it was not taken', () => {
    const todos = (...all: readonly (readonly [string, string])[]): Raw => ({
      todos: all.map(([content, status]) => ({ content, status })),
    })
    const brief = briefed(
      calls(
        ['TodoWrite', todos(['one', 'completed'], ['two', 'pending'], ['three', 'pending']), 'ok'],
        ['TodoWrite', todos(['two, but better', 'in_progress'], ['three', 'pending']), 'ok'],
        ['TodoWrite', todos(['never', 'pending']), 'InputValidationError', { isError: true }],
      ),
    )
    expect(brief.todos.map(({ text, state }) => [text, state])).toEqual([
      ['one', 'done'],
      ['three', 'open'],
      ['two, but better', 'doing'],
    ])
  })

  test('a question in plain text is answered by what the person writes next; the last one is open', () => {
    const { decisions, openQuestions } = briefed([
      prompt('p', null, 'Fix it'),
      reply('a', 'p', 'Fixed. Shall I add a test for the clock change?'),
      prompt('q', 'a', 'Yes, one.'),
      reply('b', 'q', 'Added. Should it run in CI as well, or only here?'),
    ])
    expect(decisions).toMatchObject([{ question: 'Shall I add a test for the clock change?', answer: 'Yes, one.' }])
    expect(openQuestions).toMatchObject([{ text: 'Should it run in CI as well, or only here?' }])
  })
})

describe('failings', () => {
  test('are told once, counted, and mended by what went well later', () => {
    const { failings, commands } = briefed(
      calls(
        ['Bash', { command: 'npm test' }, 'Exit code 1\n1 failing thing: error', { isError: true }],
        ['Bash', { command: 'npm test' }, 'Exit code 1\n1 failing thing: error', { isError: true }],
        ['Bash', { command: 'npx vitest run' }, '   Tests  3 passed (3)'],
        ['Read', { file_path: '/nope' }, 'File does not exist.', { isError: true }],
        ['Bash', { command: 'grep -r x .' }, 'Exit code 1', { isError: true }],
        ['Bash', { command: 'npm run build | tail' }, 'Found 2 errors.\n'],
      ),
    )
    expect(failings.map(({ tool, times, isMended }) => [tool, times, isMended])).toEqual([
      ['Bash', 2, true],
      ['Read', 1, false],
      ['Bash', 1, false],
    ])
    expect(commands.map(({ command, wentWell, times }) => [command, wentWell, times])).toEqual([
      ['npm test', false, 2],
      ['npx vitest run', true, 1],
      ['grep -r x .', false, 1],
      ['npm run build | tail', false, 1],
    ])
  })

  test('the API and the person can stop it too', () => {
    const interrupt = [{ type: 'text', text: '[Request interrupted by user]' }]
    const { failings } = briefed([
      prompt('p', null, 'Go'),
      { type: 'system', subtype: 'api_error', uuid: 's', parentUuid: 'p', error: { status: 529 } },
      { type: 'user', uuid: 'i', parentUuid: 's', message: { role: 'user', content: interrupt } },
    ])
    expect(failings.map(({ text }) => text)).toEqual(['API error 529', 'interrupted by the person'])
  })
})

test('time without pauses, but with what a tool took', () => {
  const at = (minutes: number): Raw => ({
    timestamp: new Date(Date.parse('2026-03-01T10:00:00Z') + minutes * 60_000).toISOString(),
  })
  const { activeMs } = briefed([
    prompt('p', null, 'Build it', at(0)),
    reply('a', 'p', [toolUse('t', 'Bash', { command: 'make' })], at(1)),
    toolResult('r', 'a', 't', 'ok', at(41)),
    reply('b', 'r', 'Built.', at(42)),
    prompt('q', 'b', 'Thanks', at(600)),
    reply('c', 'q', 'Welcome.', at(602)),
  ])
  expect(activeMs / 60_000).toBe(44)
})

test('usage counts an API message once, the highest of each field', () => {
  const usage = (output: number): Raw => ({
    input_tokens: 10,
    output_tokens: output,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 7,
  })
  const message = (content: readonly Raw[], output: number): Raw => ({
    id: 'msg_1',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    usage: usage(output),
  })
  const { usage: used, models } = briefed([
    prompt('p', null, 'Go'),
    reply('a', 'p', 'x', { message: message([{ type: 'text', text: 'One.' }], 3) }),
    reply('b', 'a', 'x', { message: message([{ type: 'text', text: 'Two.' }], 30) }),
  ])
  expect(used).toMatchObject({ inputTokens: 10, outputTokens: 30, cacheReadTokens: 5, cacheWriteTokens: 7 })
  expect(models).toEqual(['claude-opus-5-5'])
})

test('all that Claude said is condensed, not only the last of it', () => {
  const { turns } = briefed([
    prompt('p', null, 'Go'),
    reply('a', 'p', [
      { type: 'text', text: 'The cache is keyed by date, which is wrong for harbours that share one.' },
      toolUse('t', 'Read', { file_path: '/a' }),
    ]),
    toolResult('r', 'a', 't', 'x'),
    reply('b', 'r', [{ type: 'text', text: 'Let me look.' }, toolUse('u', 'Read', { file_path: '/b' })]),
    toolResult('s', 'b', 'u', 'x'),
    reply('c', 's', 'Fixed.\n\n- The key has the harbour in it\n- A test covers it'),
  ])
  expect(turns[0]?.done.map(({ text }) => text)).toEqual([
    'The cache is keyed by date, which is wrong for harbours that share one.',
    'Fixed.',
    'The key has the harbour in it',
    'A test covers it',
  ])
  expect(turns[0]?.done.map(({ cites }) => cites[0]?.uuid)).toEqual(['a', 'c', 'c', 'c'])
})

test('a range takes only what happened in it', () => {
  const records = [
    prompt('p', null, 'First', { timestamp: '2026-03-01T23:00:00Z' }),
    reply('a', 'p', 'One thing is done. Shall I go on with the other one?', { timestamp: '2026-03-01T23:30:00Z' }),
    prompt('q', 'a', 'Second', { timestamp: '2026-03-02T00:30:00Z' }),
    reply('b', 'q', 'Two.', { timestamp: '2026-03-02T00:40:00Z' }),
  ]
  const before = Date.parse('2026-03-02T00:00:00Z')
  const first = briefed(records, ({ envelope }) => (envelope.timestampMs ?? 0) < before)
  const second = briefed(records, ({ envelope }) => (envelope.timestampMs ?? 0) >= before)
  expect(first.intents.map(({ text }) => text)).toEqual(['First'])
  expect(first.openQuestions).toEqual([])
  expect(second.intents.map(({ text }) => text)).toEqual(['Second'])
  expect(second.turns.map(({ number }) => number)).toEqual([2])
})

test('a slash command sets things going where nothing was asked', () => {
  const said =
    '<command-name>/review</command-name><command-message>review</command-message><command-args>the parser</command-args>'
  const { intents } = briefed([prompt('p', null, said), reply('a', 'p', 'Looks good.')])
  expect(intents.map(({ text }) => text)).toEqual(['/review the parser'])
})

describe('what people said no to', () => {
  test('in the words of older clients too', () => {
    const { decisions, failings } = briefed(
      calls(
        ['Bash', { command: 'rm x' }, "The user doesn't want to proceed with this tool use.", { isError: true }],
        [
          'Bash',
          { command: 'rm y' },
          "The user doesn't want to proceed with this tool use. The user said: not that one",
          { isError: true },
        ],
      ),
    )
    expect(decisions.map(({ answer }) => answer)).toEqual(['refused', 'refused: not that one'])
    expect(failings).toEqual([])
  })

  test('why a plan was turned down', () => {
    const { decisions, plans } = briefed(
      calls([
        'ExitPlanMode',
        { plan: '# A\nfirst' },
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno new file",
        { toolDenialKind: 'user-rejected', isError: true },
      ]),
    )
    expect(plans).toMatchObject([{ state: 'rejected' }])
    expect(decisions).toMatchObject([{ question: 'Plan: A', answer: 'refused: no new file' }])
  })

  test('calls that had not begun when the person stopped it did not fail', () => {
    const said = "The user doesn't want to take this action right now. STOP what you are doing and wait."
    const { commands, failings } = briefed(calls(['Bash', { command: 'git push' }, said, { isError: true }]))
    expect(commands).toMatchObject([{ command: 'git push', outcome: 'interrupted', wentWell: null }])
    expect(failings).toEqual([])
  })

  test('a hook or a rule is nobody', () => {
    const { decisions, failings } = briefed(
      calls([
        'Read',
        { file_path: '/a' },
        'PreToolUse:Read hook error: blocked',
        { toolDenialKind: 'permission-rule', isError: true },
      ]),
    )
    expect(decisions).toEqual([])
    expect(failings).toHaveLength(1)
  })
})

test.each([
  ['Yes', true],
  ['the second one, and keep the name as it is so that nobody has to change anything in the callers', true],
  ['can you review the faq changes in this branch, as an engineer who knows git and how repositories work', false],
  ['what does that cost?', false],
])('%j answers: %s', (text, isAnswer) => {
  const { decisions } = briefed([
    prompt('p', null, 'Fix it'),
    reply('a', 'p', 'Fixed. Shall I add a test for it?'),
    prompt('q', 'a', text),
  ])
  expect(decisions).toHaveLength(isAnswer ? 1 : 0)
})

test('what the client notes down later is no work', () => {
  const { activeMs } = briefed([
    prompt('p', null, 'Go', { timestamp: '2026-03-01T10:00:00Z' }),
    reply('a', 'p', 'Done.', { timestamp: '2026-03-01T10:00:14Z' }),
    {
      type: 'system',
      subtype: 'local_command',
      uuid: 's',
      parentUuid: 'a',
      content: 'x',
      timestamp: '2026-03-01T10:04:00Z',
    },
  ])
  expect(activeMs).toBe(14_000)
})

test('a file that was changed cites the change first', () => {
  const { files } = briefed(
    calls(['Read', { file_path: '/a' }, 'x'], ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }, 'ok']),
  )
  expect(files[0]?.cites.map(({ uuid }) => uuid)).toEqual(['c1', 'r1', 'c0', 'r0'])
})
