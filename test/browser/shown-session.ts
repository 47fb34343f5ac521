// A session with one of everything that a conversation can show and the sample has not: outputs that were spilled, lists,
// colours, images, texts that are too long to come along, records nobody has met before.

import type { Content, Raw } from '../cli/records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse } from '../cli/records.ts'

export const SHOWN = sessionId('a')
const ESC = '\u001b'

/** 120 × 72: a thread on paper. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAABIAQMAAAAH0KM8AAAABlBMVEX69/CyMCqvO8wBAAAA7klEQVR42t2SMQ7DIAxFHTGwhQtE6RU6MkTK' +
  'lTJ2qjhajsIROnaoSo0BY0fpAVpHCv9BYhvbAH9im0bz1uxSUHxJu+I1RcV381D8xEfYEGFR4XaYJdsAToWnrW4j/iJ5QpcyIU8hFEM83Fbe' +
  'ONZvvjD5nkS6oeTADJotvyDwUUn4yDs01+UCETh0POOtN4veVz4p0nf2zXUtzdRC19KNZ2w587Lks1HcGjvVWkWcfU+iSjm2F1UEnINbZRqJ' +
  'W12h7i+9Uyizc9M6OefCuuBap1FiVnHlMmdpEo8qySG9uG0kU588kmsfBJL20Lefsg8UA0J61vSLBAAAAABJRU5ErkJggg=='

/** By the name of its tool: the call, and the record with its result. */
type Called = readonly [name: string, input: Raw, output: string | readonly Raw[], kept?: Raw]

const SPILLED = Array.from({ length: 3000 }, (_, line) => `line ${line + 1} of the tide table`).join('\n')

const CALLS: readonly Called[] = [
  [
    'Bash',
    { command: 'tide --all', description: 'Print every tide of the year' },
    `<persisted-output>\nOutput too large. Full output saved to: /home/ada/.claude/tool-results/b1234abcd.txt\n\n${SPILLED.slice(0, 200)}\n</persisted-output>`,
    { persistedOutputPath: '/home/ada/.claude/tool-results/b1234abcd.txt', persistedOutputSize: SPILLED.length },
  ],
  [
    'TodoWrite',
    {
      todos: [
        { content: 'Read the harbour feed', status: 'completed', activeForm: 'Reading' },
        { content: 'Draw the curve', status: 'in_progress', activeForm: 'Drawing' },
        { content: 'Warn about springs', status: 'pending', activeForm: 'Warning' },
      ],
    },
    'Todos have been modified successfully.',
  ],
  ['TaskCreate', { subject: 'Mend the gauge', description: 'It reads 4 cm high' }, 'Task #1 created'],
  ['TaskUpdate', { taskId: '1', status: 'in_progress' }, 'Updated task #1'],
  [
    'TaskList',
    {},
    '#1 [completed] Mend the gauge',
    {
      tasks: [
        { id: '1', subject: 'Mend the gauge', status: 'completed' },
        { id: '2', subject: 'Paint the gauge', status: 'pending' },
      ],
    },
  ],
  [
    'Bash',
    { command: 'npm test --color' },
    `${ESC}[1m${ESC}[32m✓${ESC}[0m 12 passed\n${ESC}[31m✗ 1 failed${ESC}[39m\n${ESC}[38;5;226myellow${ESC}[0m ${ESC}[48;2;0;0;200mon blue${ESC}[0m done\n`,
  ],
  [
    'Bash',
    { command: 'cat hostile.txt' },
    [
      `${ESC}]8;;javascript:alert(1)${ESC}\\click${ESC}]8;;${ESC}\\`,
      `safe${ESC}[2K${ESC}[1Gforged${ESC}[2J${ESC}[10;10H`,
      `${ESC}]0;owned\u0007${ESC}]52;c;cm0gLXJmIH4=\u0007titled`,
      `${ESC}[31m<img src=x onerror="window.ran = 1">${ESC}[0m`,
      `the end ${ESC}[`,
    ].join('\n'),
  ],
  [
    'Read',
    { file_path: '/home/ada/tidewatch/curve.png' },
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: svg('tool') } },
    ],
  ],
  [
    'AskUserQuestion',
    {
      questions: [
        { question: 'Which datum?', options: [{ label: 'Chart datum' }, { label: 'Mean sea level' }] },
        { question: 'Which unit?', options: [{ label: 'Metres' }, { label: 'Feet' }] },
        { question: 'How many days?', options: [{ label: 'One' }, { label: 'Seven' }] },
      ],
    },
    'User has answered your questions.',
    { answers: { 'Which datum?': 'Mean sea level', 'Which unit?': 'Fathoms, please' } },
  ],
  ['ExitPlanMode', { plan: '# Tides in three steps\n\n1. Read the **feed**\n2. Draw\n' }, 'The plan was approved.'],
]

export function shownFiles(): Readonly<Record<string, Content>> {
  const image = (data: string, kind: string): Raw => ({
    type: 'image',
    source: { type: 'base64', media_type: `image/${kind}`, data },
  })
  const records: Raw[] = []
  const add = (make: (uuid: string, parent: string) => Raw): void => {
    records.push(make(`shown-${records.length}`, `shown-${records.length - 1}`))
  }
  const asked = [
    { type: 'text', text: 'What does this curve say?' },
    image(PICTURE, 'png'),
    image(svg('prompt'), 'png'),
  ]
  records.push({ ...prompt('shown-0', null, ''), message: { role: 'user', content: asked } })
  add((uuid, parent) =>
    reply(uuid, parent, [
      { type: 'thinking', thinking: 'Springs come after the new moon.', signature: 'x' },
      { type: 'text', text: 'It says that springs are near.' },
    ]),
  )
  add((uuid, parent) =>
    reply(uuid, parent, [
      { type: 'thinking', thinking: '', signature: 'x' },
      { type: 'text', text: 'And neaps a week later.' },
      { type: 'hologram', light: 'green' },
    ]),
  )
  for (const [place, [name, input, output, kept]] of CALLS.entries()) {
    add((uuid, parent) => reply(uuid, parent, [toolUse(`call-${place}`, name, input)]))
    add((uuid, parent) => {
      const more = kept === undefined ? {} : { toolUseResult: kept }
      const result = toolResult(uuid, parent, `call-${place}`, typeof output === 'string' ? output : '', more)
      if (typeof output === 'string') return result
      const content = [{ type: 'tool_result', tool_use_id: `call-${place}`, content: output }]
      return { ...result, message: { role: 'user', content } }
    })
  }
  add((uuid, parentUuid) => ({ type: 'tide-mark', uuid, parentUuid, height: 4.2 }))
  add((uuid, parent) =>
    prompt(uuid, parent, `Here is the log.\n${'the gauge said 4.2 m\n'.repeat(30_000)}That was it.`),
  )
  add((uuid, parent) => reply(uuid, parent, 'A long log.'))
  return {
    [`projects/-r/${SHOWN}.jsonl`]: session(SHOWN, records),
    [`projects/-r/${SHOWN}/tool-results/b1234abcd.txt`]: SPILLED,
  }
}

function svg(where: string): string {
  const text = `<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran = '${where}'</script></svg>`
  return Buffer.from(text).toString('base64')
}
