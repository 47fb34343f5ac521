// Conversations by windows against conversations read whole from the disk: the same records in the same order with the
// same words, whichever Reading, Branch or Subagent is asked for.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Woven } from '../../src/conversation/build.ts'
import type { Turn } from '../../src/conversation/model.ts'
import { partsOf } from '../../src/conversation/parts.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { openBodies } from '../../src/load/bodies.ts'
import { mainFiles } from '../../src/load/found.ts'
import { openSession, openSubagent } from '../../src/load/session.ts'
import type { CallView } from '../../src/server/api/call.ts'
import type { ConversationHead, Place, TurnWindow } from '../../src/server/api/conversation.ts'
import type { RowView, RowWindow } from '../../src/server/api/rows.ts'
import { conversationRoutes } from '../../src/server/conversation-routes.ts'
import { OpenConversations } from '../../src/server/open-conversations.ts'
import { RunningSessions } from '../../src/server/running-sessions.ts'
import type { ServerWorld } from '../../src/server/server-world.ts'
import { wholeRoutes } from '../../src/server/whole-routes.ts'
import { prompt, reply, session, sessionId, withInlineAgent, writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import type { OpenWorld } from './open-world.ts'
import { openWorld } from './open-world.ts'

const EVENT_LOG = sessionId('e')

const archives: readonly (readonly [string, string])[] = [
  ['the sample', sample],
  ['the event-log dialect', eventLog()],
  ...(corpus === null ? [] : [['the client’s corpus', join(corpus, 'client')] as const]),
]

const LOCAL_DAYS = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'

describe.each(archives)('%s', (_, root) => {
  const here = opened(root)

  test('every Reading has the records and the words that the files have', async () => {
    const archive = here.world().archive()
    const bodies = openBodies()
    for (const file of mainFiles(archive)) {
      if (here.world().index.row(file.path) === null || here.file(file.sessionId ?? '') !== file) continue
      const id = file.sessionId ?? ''
      const session = openSession(archive, file, 'resume')
      const { woven } = session
      const branches = [...woven.outline.branches.keys()]
      const readings: (readonly [string, Woven, readonly Turn[]])[] = [
        ...branches.map((branch) => [`&branch=${branch}`, woven, readFull(woven, branch).turns] as const),
        ['&reading=context', woven, readContextTurns(woven).turns],
      ]
      for (const { agentId } of woven.agents.subagents) {
        const inner = openSubagent(session, agentId, 'resume')
        if (inner !== null) readings.push([`&agent=${agentId}`, inner, readFull(inner).turns])
      }
      // A session that goes on from a file of another project has its beginning there; the index knows its own project.
      if (woven.source.earlier.some(({ path }) => !path.startsWith(join(file.path, '..')))) continue
      for (const [query, of, turns] of readings) {
        if (turns.length === 0) continue
        expect(wordsOf(await here.allRows(id, query)), `${id} ${query}`).toEqual(expectedWords(of, turns, bodies))
      }
    }
    bodies.close()
  })

  test('every record of the live Branch is found by its uuid', async () => {
    for (const file of mainFiles(here.world().archive()).slice(0, 12)) {
      const id = file.sessionId ?? ''
      if (here.world().index.row(file.path) === null || here.file(id) !== file) continue
      for (const { uuid, row } of (await here.allRows(id)).slice(0, 80)) {
        if (uuid === null) continue
        const place = await here.json<Place>(`/api/conversations/${id}/place?record=${uuid}`)
        expect([place.row, place.branch, place.uuid]).toEqual([row, 0, uuid])
      }
    }
  })
})

describe('a Recap that stands in the compaction itself', () => {
  const here = opened(eventLog())

  test('comes whole when it is asked for', async () => {
    const rows = await here.allRows(EVENT_LOG)
    const boundary = rows.find(({ kind }) => kind === 'boundary')
    expect(boundary).toMatchObject({ recap: { isCut: true } })
    const { text } = await here.ask(`/api/conversations/${EVENT_LOG}/text?ref=${boundary?.ref}`)
    expect(text).toHaveLength(90_021)
  })
})

describe('one conversation of the sample', () => {
  const here = opened(sample)

  test('what a conversation is made of', async () => {
    const head = await here.json<ConversationHead>(`/api/conversations/${LOCAL_DAYS}`)
    expect(head.row).toMatchObject({
      id: LOCAL_DAYS,
      title: 'Local days instead of 24 hours',
      turns: 11,
      compactions: 1,
    })
    expect(head.branches).toMatchObject([{ isLive: true }, { isLive: false, parent: 0 }])
    expect(head.reading.forks).toHaveLength(1)
    expect(head.reading.boundaries).toMatchObject([{ trigger: 'manual', preTokens: 22_614, postTokens: 16_640 }])
    expect(head.resume.command).toBe(`cd /home/ada/tidewatch && claude --resume ${LOCAL_DAYS}`)
    const { turns, total } = await here.json<TurnWindow>(`/api/conversations/${LOCAL_DAYS}/turns?from=1&count=3`)
    expect(total).toBe(11)
    expect(turns.map(({ number }) => number)).toEqual([2, 3, 4])
    expect(turns[0]?.excerpt).toMatch(/^Right\. Plan the fix/)
    const agents = await here.json<readonly { depth: number; costUsd: number }[]>(
      `/api/conversations/${LOCAL_DAYS}/agents`,
    )
    expect(agents.map(({ depth }) => depth)).toEqual([1, 1, 2])
    expect(agents.every(({ costUsd }) => costUsd > 0)).toBe(true)
  })

  test('a call opens to what it changed, printed and was told', async () => {
    const rows = await here.allRows(LOCAL_DAYS)
    const faces = new Set<string>()
    for (const row of rows) {
      if (row.kind !== 'reply') continue
      for (const block of row.blocks) {
        if (block.kind !== 'call') continue
        const view = await here.json<CallView>(
          `/api/conversations/${LOCAL_DAYS}/call?row=${row.row}&call=${block.call.id}`,
        )
        expect(view.line).toEqual(block.call)
        faces.add(view.face.kind)
        if (view.face.kind === 'change') expect(view.face.hunks.length).toBeGreaterThan(0)
      }
    }
    expect([...faces].sort()).toEqual(expect.arrayContaining(['change', 'input', 'message', 'plan', 'shell']))
  })

  test('what the model saw at a turn stops there, and begins at the compaction before it', async () => {
    const rows = await here.allRows(LOCAL_DAYS)
    const promptOf = (turn: number): RowView | undefined =>
      rows.find((row) => row.turn === turn && row.kind === 'prompt')
    const third = await here.allRows(LOCAL_DAYS, `&reading=context&at=${promptOf(3)?.ref}`)
    expect(third.at(-1)?.uuid).toBe(promptOf(3)?.uuid)
    expect(third[0]?.uuid).toBe(rows[0]?.uuid)
    const tenth = await here.allRows(LOCAL_DAYS, `&reading=context&at=${promptOf(10)?.ref}`)
    expect(tenth.at(-1)?.uuid).toBe(promptOf(10)?.uuid)
    expect(tenth[0]?.kind).toBe('boundary')
    expect(tenth.some(({ kind }) => kind === 'recap')).toBe(true)
  })

  test('words are found in their rows, and Markdown has no secrets', async () => {
    const { rows } = await here.json<{ rows: { row: number }[] }>(`/api/conversations/${LOCAL_DAYS}/find?q=calendar`)
    const all = await here.allRows(LOCAL_DAYS)
    expect(rows.length).toBeGreaterThan(3)
    for (const { row } of rows.slice(0, 3)) expect(JSON.stringify(all[row])).toMatch(/calendar|resultRef/i)
    const { text, type } = await here.ask(`/api/conversations/${LOCAL_DAYS}/markdown?turn=9`)
    expect(type).toMatch(/^text\/markdown/)
    expect(text).toContain('> Morning. Push it and open the pull request')
  })

  test('what is not there is refused in one line', async () => {
    for (const path of [
      '/api/conversations/none',
      `/api/conversations/${LOCAL_DAYS}/rows?branch=7`,
      `/api/conversations/${LOCAL_DAYS}/rows?agent=nobody`,
      `/api/conversations/${LOCAL_DAYS}/rows?reading=context&at=0.1.1`,
      `/api/conversations/${LOCAL_DAYS}/rows?from=minus`,
      `/api/conversations/${LOCAL_DAYS}/record?ref=9.0.10`,
      `/api/conversations/${LOCAL_DAYS}/record?ref=0.999999999.10`,
      `/api/conversations/${LOCAL_DAYS}/image?ref=0.428.741`,
      `/api/conversations/${LOCAL_DAYS}/place?record=ffffffff`,
      `/api/conversations/${LOCAL_DAYS}/call?row=0&call=none`,
    ]) {
      const { status, json: answer } = await here.ask(path)
      expect([400, 404], path).toContain(status)
      expect((answer as { error: string }).error).toMatch(/^[^\n]{5,120}$/)
    }
    expect(existsSync(sample)).toBe(true)
  })
})

describe('a subagent of an old client, in the main file', () => {
  const id = sessionId('c')
  const here = opened(
    writeBelow(newFolder('inline'), {
      [`projects/-p/${id}.jsonl`]: withInlineAgent(id),
    }),
  )

  test('a link to one of its records leads into it', async () => {
    const place = await here.json<Place>(`/api/conversations/${id}/place?record=51de0002-a`)
    expect(place).toMatchObject({ agent: 'inline-51de0001', reading: 'full', branch: 0, uuid: '51de0002-a', row: 1 })
  })
})

describe('turns that nobody prompted', () => {
  const id = sessionId('d')
  const command = '<command-message>init is running…</command-message>\n<command-name>/init</command-name>'
  const here = opened(
    writeBelow(newFolder('commands'), {
      [`projects/-p/${id}.jsonl`]: session(id, [
        prompt('c1', null, `${command}\n<command-args>for tides</command-args>`),
        prompt('c2', 'c1', 'Please analyze this codebase.', { isMeta: true }),
        reply('a1', 'c2', 'Analyzed.'),
        prompt('u2', 'a1', 'Thanks.'),
        reply('a2', 'u2', 'Gladly.'),
      ]),
    }),
  )

  test('are told by the command that was typed', async () => {
    const { turns } = await here.json<TurnWindow>(`/api/conversations/${id}/turns`)
    expect(turns.map(({ excerpt }) => excerpt)).toEqual(['/init for tides', 'Thanks.'])
  })
})

interface Here {
  readonly world: () => ServerWorld
  readonly file: OpenConversations['file']
  readonly ask: OpenWorld['ask']
  readonly json: <Answer>(path: string) => Promise<Answer>
  readonly allRows: (id: string, query?: string) => Promise<readonly RowView[]>
}

/** The routes over some folder, for the tests of the describe it is called in. */
function opened(root: string): Here {
  let open: OpenWorld
  let conversations: OpenConversations

  beforeAll(async () => {
    open = await openWorld(root, [mount])
  })
  afterAll(() => {
    conversations.close()
    open.close()
  })

  function mount(app: Hono, world: ServerWorld): void {
    conversations = new OpenConversations(world)
    conversationRoutes(app, conversations, new RunningSessions([], () => undefined))
    wholeRoutes(app, conversations)
    app.onError((error, context) => context.json({ error: error.message }, 'status' in error ? 404 : 500))
  }

  async function json<Answer>(path: string): Promise<Answer> {
    const { status, json: answer, text } = await open.ask(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return answer as Answer
  }

  /** In windows of odd sizes, so that their borders fall anywhere. */
  async function allRows(id: string, query = ''): Promise<readonly RowView[]> {
    const rows: RowView[] = []
    for (let count = 7; ; count = (count % 50) + 11) {
      const window = await json<RowWindow>(`/api/conversations/${id}/rows?from=${rows.length}&count=${count}${query}`)
      rows.push(...window.rows)
      if (rows.length >= window.total) return rows
      expect(window.rows.length).toBeGreaterThan(0)
    }
  }

  return {
    world: () => open.world,
    file: (id) => conversations.file(id),
    ask: (path) => open.ask(path),
    json,
    allRows,
  }
}

/** What people and the model said, in order; what was cut is compared as far as it goes. */
function wordsOf(rows: readonly RowView[]): readonly string[] {
  return rows.flatMap((row) => {
    switch (row.kind) {
      case 'prompt':
      case 'recap':
      case 'result':
        return [`${row.kind} ${shortened(row.text.text)}`]
      case 'reply':
        return row.blocks.map((block) =>
          block.kind === 'call'
            ? `call ${block.call.name} ${block.call.status}`
            : block.kind === 'other'
              ? `other ${block.type}`
              : `${block.kind} ${shortened(block.text.text)}`,
        )
      case 'heavy':
        return [`${row.what} heavy`]
      case 'boundary':
        return [`boundary ${row.preTokens}`, ...(row.recap === null ? [] : [`recap ${shortened(row.recap.text)}`])]
      default:
        return []
    }
  })
}

function expectedWords(woven: Woven, turns: readonly Turn[], bodies: ReturnType<typeof openBodies>): readonly string[] {
  const paths = [woven.source.main.path, ...woven.source.earlier.map(({ path }) => path)]
  return turns.flatMap((turn) =>
    partsOf(turn, ({ transcript, envelope }) => bodies.read(paths[transcript] ?? '', envelope)).flatMap((part) => {
      switch (part.kind) {
        case 'prompt':
        case 'recap':
          return [`${part.kind} ${shortened(part.text)}`]
        case 'tool-result':
          return [`result ${shortened(part.text)}`]
        case 'reply':
          return part.blocks.map((block) =>
            block.kind === 'tool'
              ? `call ${block.call.name} ${block.call.status}`
              : block.kind === 'other'
                ? `other ${block.type}`
                : `${block.kind} ${shortened(block.text)}`,
          )
        case 'boundary':
          return [`boundary ${part.preTokens}`]
        default:
          return []
      }
    }),
  )
}

function shortened(text: string): string {
  return text.slice(0, 15_000)
}

function eventLog(): string {
  const records = [
    { type: 'session_start' },
    { type: 'message', role: 'user', content: 'Fix the login.' },
    { type: 'tool_use', toolUseId: 't1', toolName: 'Bash', toolInput: { command: 'npm test' } },
    { type: 'tool_result', toolUseId: 't1', content: '14 passed' },
    { type: 'compaction', summary: `The login was fixed. ${'It holds. '.repeat(9000)}`, tokensSaved: 9000 },
    { type: 'message', role: 'user', content: 'Now the docs.' },
    { type: 'message', role: 'assistant', content: 'Written.' },
  ]
  return writeBelow(newFolder(), {
    [`projects/abc/sessions/${EVENT_LOG}.jsonl`]: records.map((one) => ({ ...one, sessionId: EVENT_LOG })),
  })
}
