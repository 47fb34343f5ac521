// Sessions that the store wrote: the client sends what the store says it holds, and then the new prompt.
import { deepStrictEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../dist/store/open-store.js'
import { plainMessages } from './plain-messages.mjs'
import { projectFolder } from './transcript.mjs'

const CLEW = fileURLToPath(new URL('../../dist/bin/clew.js', import.meta.url))
const PROMPT = 'What comes next, Ada?'
const LS = { type: 'tool_use', id: 'toolu_ls', name: 'Bash', input: { command: 'ls', description: 'List' } }
const PWD = { type: 'tool_use', id: 'toolu_pwd', name: 'Bash', input: { command: 'pwd', description: 'Where' } }

/** `write` gets a new session and the store, and gives the session that the client is to resume. */
function storeCase(name, write) {
  let held = []
  return {
    name: `store: ${name}`,
    prompt: PROMPT,
    make: async (root, cwd) => {
      const store = openStore({ root })
      const session = await store.create({ cwd })
      const resumed = (await write(session, store)) ?? session
      held = plainMessages(resumed.messages())
      await session.close()
      await resumed.close()
      return resumed.id
    },
    expect: (messages) => deepStrictEqual(messages, withPrompt(held)),
  }
}

/** The client joins what a user said last with the new prompt. */
function withPrompt(held) {
  const last = held.at(-1)
  if (last?.role !== 'user') return [...held, { role: 'user', texts: [PROMPT] }]
  return [...held.slice(0, -1), { ...last, texts: [...(last.texts ?? []), PROMPT] }]
}

async function talk(session) {
  await session.prompt('How long is a thread?')
  await session.reply('Long enough.')
  await session.prompt('Which files are there, and where?')
  await session.reply([{ type: 'text', text: 'Let me look.' }, LS, PWD])
  await session.toolResult([
    { toolUseId: 'toolu_ls', content: 'a.txt\nb.txt' },
    { toolUseId: 'toolu_pwd', content: '/home/ada', isError: false },
  ])
  return session.reply('Two files, at home.')
}

export const storeCases = [
  storeCase('a conversation with two tools side by side', async (session) => {
    await talk(session)
  }),
  storeCase('compacted, the last answer preserved', async (session) => {
    const last = await talk(session)
    await session.compact('They spoke of threads and files.', { preserve: last, preTokens: 4000 })
  }),
  storeCase('compacted, then gone on with', async (session) => {
    await talk(session)
    await session.compact('They spoke of threads and files.')
    await session.prompt('And now?')
    await session.reply('Now we weave.')
  }),
  storeCase('forked at the first answer', async (session, store) => {
    await session.prompt('How long is a thread?')
    const [first] = await session.reply('Long enough.')
    await session.prompt('Only in the original')
    await session.reply('Indeed.')
    return store.fork(session.id, { at: first })
  }),
  storeCase('forked whole after a compaction', async (session, store) => {
    const last = await talk(session)
    await session.compact('They spoke of threads and files.', { preserve: last })
    await session.prompt('And now?')
    await session.reply('Now we weave.')
    const fork = await store.fork(session.id)
    await fork.prompt('In the fork')
    await fork.reply('Yes, here.')
    return fork
  }),
  storeCase('rewound and taken another way', async (session) => {
    await session.prompt('How long is a thread?')
    const [first] = await session.reply('Long enough.')
    await session.prompt('A way not taken')
    await session.reply('Hm.')
    await session.rewind(first)
    await session.prompt('Another way')
    await session.reply('Better.')
  }),
  storeCase('rewound, and nothing said since', async (session) => {
    await session.prompt('How long is a thread?')
    const [first] = await session.reply('Long enough.')
    await session.prompt('A way not taken')
    await session.reply('Hm.')
    await session.rewind(first)
  }),
  storeCase('resumed by the store and gone on with', async (session, store) => {
    await talk(session)
    const again = await store.resume(session.id)
    await again.prompt('Still there?')
    await again.reply('Still here.')
    return again
  }),
  storeCase('continued in a child', async (session, store) => {
    await talk(session)
    const child = await store.resume(session.id, { asChild: true })
    await child.prompt('In the child')
    await child.reply('Yes, a child.')
    return child
  }),
  storeCase('made to fit a small budget', async (session, store) => {
    for (let turn = 1; turn <= 20; turn++) {
      await session.prompt(`Question ${turn} ${'with many words '.repeat(20)}`)
      await session.reply(`Answer ${turn} ${'just as long '.repeat(20)}`)
    }
    return store.resume(session.id, { fit: { budgetTokens: 900 } })
  }),
  {
    name: 'fork: a log of events, which the client does not read itself',
    prompt: PROMPT,
    make: (root, cwd) => {
      const sessionId = 'e0e0e0e0-0000-4000-8000-000000000001'
      const log = [
        { type: 'session_start', projectPath: cwd },
        { type: 'message', role: 'user', content: 'How long is a thread?' },
        { type: 'message', role: 'assistant', content: 'Long enough.' },
      ]
      const folder = join(projectFolder(root, cwd), 'sessions')
      mkdirSync(folder, { recursive: true })
      const lines = log.map((record, place) => ({ ...record, sessionId, timestamp: `2026-11-01T10:00:0${place}.000Z` }))
      writeFileSync(join(folder, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const words = [CLEW, 'fork', sessionId, '--root', root, '--no-index', '--json']
      return JSON.parse(
        execFileSync(process.execPath, words, { encoding: 'utf8', env: { ...process.env, HOME: root } }),
      ).sessionId
    },
    expect: (messages) =>
      deepStrictEqual(messages, [
        { role: 'user', texts: ['How long is a thread?'] },
        { role: 'assistant', texts: ['Long enough.'] },
        { role: 'user', texts: [PROMPT] },
      ]),
  },
  storeCase('with a title, a tag and totals', async (session, store) => {
    await talk(session)
    await store.rename(session.id, 'Threads')
    await store.tag(session.id, 'pinned')
    await session.end({ durationMs: 1000, cost: 0.01 })
  }),
]
