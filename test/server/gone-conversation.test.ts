// A conversation whose file was deleted: what the index remembers of it is answered, and nothing of it is made up.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { ConversationHead } from '../../src/server/api/conversation.ts'
import { conversationRoutes } from '../../src/server/conversation-routes.ts'
import { OpenConversations } from '../../src/server/open-conversations.ts'
import { RunningSessions } from '../../src/server/running-sessions.ts'
import type { ServerWorld } from '../../src/server/server-world.ts'
import { prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import type { OpenWorld } from './open-world.ts'
import { NOW_MS, openWorld } from './open-world.ts'

const [deleted, left] = [sessionId('a'), sessionId('b')]
const root = newFolder('claude')
const path = join(root, 'projects', '-r', `${deleted}.jsonl`)
let open: OpenWorld
let conversations: OpenConversations

beforeAll(async () => {
  const talk = (id: string) =>
    session(id, [prompt(`u-${id}`, null, 'When is high water?'), reply(`a-${id}`, `u-${id}`, 'At noon.')])
  writeBelow(root, { [`projects/-r/${deleted}.jsonl`]: talk(deleted), [`projects/-r/${left}.jsonl`]: talk(left) })
  let archive = findTranscripts([root])
  open = await openWorld(root, [mount], { archive: () => archive })
  rmSync(path)
  archive = findTranscripts([root])
  await open.world.index.refresh(archive, { nowMs: NOW_MS })
})
afterAll(() => {
  conversations.close()
  open.close()
})

function mount(app: Hono, world: ServerWorld): void {
  conversations = new OpenConversations(world)
  conversationRoutes(app, conversations, new RunningSessions([], () => undefined))
  app.onError((error, context) => context.json({ error: error.message }, 'status' in error ? 404 : 500))
}

test('its head says what is still known, and has no rows', async () => {
  const { status, json } = await open.ask(`/api/conversations/${deleted}`)
  expect(status).toBe(200)
  const head = json as ConversationHead
  expect(head.row).toMatchObject({
    id: deleted,
    isGone: true,
    title: 'When is high water?',
    firstPrompt: 'When is high water?',
    project: '/home/ada/tidewatch',
    turns: 1,
    createdMs: Date.parse('2026-03-01T10:00:00.000Z'),
    running: null,
  })
  expect(head.transcripts).toEqual([path])
  expect(head.branches).toEqual([])
  expect(head.reading).toMatchObject({ reading: 'full', branch: 0, agent: null, at: null, rows: 0, turns: 0 })
})

test('one that is there is not gone, and one that never was is not there', async () => {
  const { json } = await open.ask(`/api/conversations/${left}`)
  expect(json).toMatchObject({ row: { isGone: false }, reading: { rows: 2 } })
  const { status, json: refusal } = await open.ask(`/api/conversations/${sessionId('c')}`)
  expect([status, refusal]).toEqual([404, { error: 'there is no such conversation' }])
})

test.each(['rows', 'reading', 'turns', `call?row=0&call=x`])('“%s” of it is refused', async (question) => {
  expect((await open.ask(`/api/conversations/${deleted}/${question}`)).status).toBe(404)
})
