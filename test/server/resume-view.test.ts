// What the page offers to go on with a conversation is what `clew resume` says of it.

import { expect, test } from 'vitest'
import type { ConversationHead } from '../../src/server/api/conversation.ts'
import { conversationRoutes } from '../../src/server/conversation-routes.ts'
import { OpenConversations } from '../../src/server/open-conversations.ts'
import { RunningSessions } from '../../src/server/running-sessions.ts'
import { sessionId, talk, writeBelow } from '../cli/records.ts'
import { clew, newFolder } from '../cli/run.ts'
import { openWorld } from './open-world.ts'

const here = newFolder('here')
const id = sessionId('c')
const log = [
  { type: 'session_start', projectPath: here },
  { type: 'message', role: 'user', content: 'Run the tests' },
  { type: 'message', role: 'assistant', content: 'They run.' },
].map((line) => ({ ...line, sessionId: id }))
const client = talk(id, 'Run the tests', { cwd: here })

const shapes = [
  { what: 'a transcript', path: `projects/-here/${id}.jsonl`, lines: client, remedies: null },
  { what: 'a transcript below sessions/', path: `projects/-x/sessions/${id}.jsonl`, lines: client, remedies: 2 },
  { what: 'a log of events', path: `projects/-here/${id}.jsonl`, lines: log, remedies: 2 },
  { what: 'a log of events below sessions/', path: `projects/-x/sessions/${id}.jsonl`, lines: log, remedies: 2 },
  {
    what: 'a transcript of a folder that is gone',
    path: `projects/-gone/${id}.jsonl`,
    lines: talk(id, 'Run the tests', { cwd: '/gone/old tides' }),
    remedies: 2,
  },
]

test.each(shapes)('$what', async ({ path, lines, remedies }) => {
  const root = writeBelow(newFolder('claude'), { [path]: lines })
  const { resume } = await headIn(root)
  const { out, err, status } = clew(['resume', id, '--root', root])
  expect(resume.command ?? '').toBe(out.trim())
  expect(resume.command === null).toBe(status !== 0)
  expect(resume.hindrance?.remedies.length ?? null).toBe(remedies)
  expect(err.includes(resume.hindrance?.why ?? ' ')).toBe(remedies !== null)
  for (const { words, command } of resume.hindrance?.remedies ?? []) expect(err).toContain(`${words}: ${command}`)
})

async function headIn(root: string): Promise<ConversationHead> {
  const open = await openWorld(root, [
    (app, world) => conversationRoutes(app, new OpenConversations(world), new RunningSessions([], () => undefined)),
  ])
  const { json } = await open.ask(`/api/conversations/${id}`)
  open.close()
  return json as ConversationHead
}
