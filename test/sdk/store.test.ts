// Sessions that the store wrote, read by the official SDK; and what the SDK makes of them, read by Clew. Runs only where
// the SDK is installed: `npm run test:sdk` puts it into a temporary folder.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import type { StoredSession } from '../../src/store/stored-session.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'

const sdkFolder = process.env['CLEW_SDK']
const CWD = '/home/ada/tidewatch'
const corpus = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus', 'client')

interface Message {
  readonly uuid: string
  readonly type: string
}

interface Sdk {
  readonly getSessionMessages: (id: string, o: object) => Promise<readonly Message[]>
  readonly getSessionInfo: (id: string, o: object) => Promise<Readonly<Record<string, unknown>> | undefined>
  readonly listSubagents: (id: string, o: object) => Promise<readonly string[]>
  readonly getSubagentMessages: (id: string, agent: string, o: object) => Promise<readonly Message[]>
  readonly forkSession: (id: string, o: object) => Promise<{ readonly sessionId: string }>
  readonly renameSession: (id: string, title: string, o: object) => Promise<void>
  readonly tagSession: (id: string, tag: string | null, o: object) => Promise<void>
}

describe.runIf(sdkFolder !== undefined)('the official SDK', () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-sdk-store-'))
  const store = openStore({ root })
  const here = { dir: CWD }
  let sdk: Sdk
  beforeAll(async () => {
    process.env['CLAUDE_CONFIG_DIR'] = root
    const manifest = JSON.parse(readFileSync(join(sdkFolder ?? '', 'package.json'), 'utf8')) as {
      readonly main: string
    }
    sdk = (await import(/* @vite-ignore */ pathToFileURL(join(sdkFolder ?? '', manifest.main)).href)) as Sdk
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  async function expectSameChain(session: StoredSession): Promise<void> {
    const messages = await sdk.getSessionMessages(session.id, here)
    const own = session.chain().filter(({ body }) => body['type'] === 'user' || body['type'] === 'assistant')
    expect(messages.map(({ uuid }) => uuid)).toEqual(own.map(({ uuid }) => uuid))
  }

  it('reads the chain of 200 random sessions, and of forks of them', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomOf(seed)
      const session = await store.create({ cwd: CWD })
      await act(session, random)
      await expectSameChain(session)
      const fork = await store.fork(session.id)
      await expectSameChain(fork)
      await act(fork, random)
      await expectSameChain(fork)
      await expectSameChain(await store.resume(session.id))
    }
  }, 300_000)

  it('knows titles, tags and subagents', async () => {
    const session = await store.create({ cwd: CWD, title: 'Tides' })
    await session.prompt('When is high water?')
    await session.reply('At six.')
    await store.tag(session.id, 'sea')
    const info = await sdk.getSessionInfo(session.id, here)
    expect(info).toMatchObject({ customTitle: 'Tides', tag: 'sea', firstPrompt: 'When is high water?', cwd: CWD })
    const agent = await store.createAgent(session, { agentType: 'general-purpose', description: 'Look', spawnDepth: 1 })
    await agent.prompt('Look it up')
    const answered = await agent.reply('Six indeed.')
    const [agentId] = await sdk.listSubagents(session.id, here)
    const messages = await sdk.getSubagentMessages(session.id, agentId ?? '', here)
    expect(messages.map(({ uuid }) => uuid).at(-1)).toBe(answered.at(-1))
  })

  it('makes forks, titles and tags that the store reads', async () => {
    const session = await store.create({ cwd: CWD })
    await act(session, randomOf(7))
    const { sessionId } = await sdk.forkSession(session.id, here)
    const fork = await store.resume(sessionId)
    expect(fork.messages()).toEqual(session.messages())
    await sdk.renameSession(sessionId, 'Renamed', here)
    await sdk.tagSession(sessionId, 'kept', here)
    expect(store.load(sessionId)).toMatchObject({ title: 'Renamed', tag: 'kept' })
    await fork.prompt('Going on')
    await expectSameChain(await store.resume(sessionId))
  })

  it.runIf(existsSync(corpus))(
    'reads forks of genuine sessions with the messages of the originals',
    async () => {
      let count = 0
      for (const version of readdirSync(corpus)) {
        for (const name of readdirSync(join(corpus, version))) {
          const projects = join(corpus, version, name, 'projects')
          if (!existsSync(projects)) continue
          const copy = mkdtempSync(join(root, 'case-'))
          cpSync(projects, join(copy, 'projects'), { recursive: true })
          const genuine = openStore({ root: copy })
          for (const { sessionId } of genuine.list()) {
            const before = genuine.load(sessionId).records.length
            const original = await genuine.resume(sessionId)
            if (original.tip === null) continue
            const fork = await genuine.fork(sessionId)
            expect(fork.messages(), `${version} ${name}`).toEqual(original.messages())
            expect(genuine.load(sessionId).records).toHaveLength(before)
            count++
          }
        }
      }
      console.log(`${count} genuine sessions forked`)
      expect(count).toBeGreaterThan(100)
    },
    300_000,
  )
})

/** What people do: talk, let tools run side by side, rewind, compact. */
async function act(session: StoredSession, random: Random): Promise<void> {
  for (let step = 0; step < 4 + random.below(8); step++) {
    const choice = random.below(10)
    if (choice === 0 && session.tip !== null) {
      const talk = session.chain().filter(({ body }) => body['type'] === 'assistant')
      const preserve =
        random.below(2) === 0 || session.chain().at(-1)?.body['type'] !== 'assistant' ? [] : talk.slice(-1)
      await session.compact(`Summary ${step}`, { preserve: preserve.map(({ uuid }) => uuid) })
    } else if (choice === 1) {
      const replies = session.chain().filter(({ body }) => isPlainReply(body))
      if (replies.length > 0) await session.rewind(random.pick(replies).uuid)
    }
    await session.prompt(`Prompt ${step} ${random.below(1000)}`)
    const calls = Array.from({ length: random.below(4) }, (_, index) => `toolu_${step}_${index}_${random.below(1e9)}`)
    if (calls.length > 0) {
      const blocks = calls.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }))
      await session.reply([{ type: 'text', text: 'Let me see.' }, ...blocks])
      await session.toolResult(calls.map((toolUseId) => ({ toolUseId, content: `out ${random.below(99)}` })))
    }
    await session.reply(`Answer ${step}`)
  }
}

function isPlainReply(body: Readonly<Record<string, unknown>>): boolean {
  return body['type'] === 'assistant' && !JSON.stringify(body).includes('tool_use')
}
