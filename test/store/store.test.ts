// The store: what is written is found again, the chain is the one a client resumes, and what is refused changes nothing.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { listConversations } from '../../src/load/list-all.ts'
import type { Body } from '../../src/record/model.ts'
import { openStore } from '../../src/store/open-store.ts'
import { projectKeyOf } from '../../src/store/project-key.ts'
import { readReceipt } from '../../src/store/receipt.ts'
import { undoRetirement } from '../../src/store/retire.ts'
import { NO_LOCK } from '../../src/store/session-lock.ts'
import { StoreError } from '../../src/store/store-error.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clew-store-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function newRoot(): string {
  return mkdtempSync(join(scratch, 'root-'))
}

const CWD = '/home/ada/tidewatch'
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }

function recordsOf(path: string): readonly Body[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Body)
}

async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  }
  return 'nothing was thrown'
}

describe('a session', () => {
  test('lies where a client looks for it, for its owner alone', async () => {
    const root = newRoot()
    const session = await openStore({ root }).create({ cwd: CWD, title: 'Tides' })
    await session.prompt('When is high water?')
    await session.close()
    expect(session.path).toBe(join(root, 'projects', '-home-ada-tidewatch', `${session.id}.jsonl`))
    expect(statSync(session.path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(root, 'projects', '-home-ada-tidewatch'))).toEqual([`${session.id}.jsonl`])
  })

  test('is a chain of uuids, one record a Block, results below their calls', async () => {
    const session = await openStore({ root: newRoot() }).create({ cwd: CWD })
    const asked = await session.prompt('List the files')
    const [said, called] = await session.reply([{ type: 'text', text: 'Sure.' }, CALL])
    const [answered] = await session.toolResult({ toolUseId: 'toolu_1', content: 'a.txt' })
    const [last] = await session.reply('One file.')
    const chain = recordsOf(session.path).filter(({ uuid }) => uuid !== undefined)
    expect(chain.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      [asked, null],
      [said, asked],
      [called, said],
      [answered, called],
      [last, answered],
    ])
    expect(chain[3]).toMatchObject({ sourceToolAssistantUUID: called, sessionId: session.id, cwd: CWD })
    const ids = chain.slice(1, 3).map(({ message }) => (message as Body)['id'])
    expect(new Set(ids).size).toBe(1)
  })

  test('calls a tool and is told what it said', async () => {
    const session = await openStore({ root: newRoot() }).create({ cwd: CWD })
    await session.prompt('List the files')
    const toolUseId = await session.toolCall('Bash', { command: 'ls' })
    await session.toolResult({ toolUseId, content: 'a.txt', isError: false })
    expect(session.messages().at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolUseId, content: 'a.txt' }],
    })
  })

  test('is resumed with the same messages and the same tip', async () => {
    const store = openStore({ root: newRoot() })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    const [first] = await session.reply('Two')
    await session.prompt('Three')
    await session.rewind(first as string)
    await session.prompt('Another three')
    await session.compact('All of it', { preserve: [] })
    await session.prompt('Four')
    const again = await store.resume(session.id.slice(0, 8))
    expect(again.messages()).toEqual(session.messages())
    expect(again.messages()).toEqual([{ role: 'user', content: [text('All of it'), text('Four')] }])
    expect(again.tip).toBe(session.tip)
    await again.reply('Five')
    expect((await store.resume(session.id)).messages()).toHaveLength(2)
  })

  test('takes a record with a known uuid as written, and gives others what they lack', async () => {
    const session = await openStore({ root: newRoot() }).create({ cwd: CWD })
    const record = {
      type: 'user',
      uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
      message: { role: 'user', content: 'a' },
    }
    expect(await session.append([record, record])).toEqual([record.uuid, record.uuid])
    expect(await session.append(record)).toEqual([record.uuid])
    await session.append({ type: 'mode', mode: 'plan' })
    const written = recordsOf(session.path)
    expect(written).toHaveLength(2)
    expect(written[0]).toMatchObject({ ...record, sessionId: session.id, parentUuid: null, cwd: CWD })
  })

  test('ends a line that somebody left unfinished before it goes on', async () => {
    const store = openStore({ root: newRoot() })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    await session.close()
    writeFileSync(session.path, `${readFileSync(session.path, 'utf8')}{"type":"user","uuid":"torn`)
    const again = await store.resume(session.id)
    const uuid = await again.prompt('Two')
    const lines = readFileSync(session.path, 'utf8').trimEnd().split('\n')
    expect(lines.filter((line) => line.includes(uuid)).map((line) => (JSON.parse(line) as Body)['type'])).toEqual([
      'user',
      'last-prompt',
    ])
    expect(again.messages()).toEqual([{ role: 'user', content: [text('One'), text('Two')] }])
  })

  test('has a title, a tag and a mark, and its totals', async () => {
    const store = openStore({ root: newRoot() })
    const session = await store.create({ cwd: CWD, title: 'Tides' })
    await session.prompt('One')
    await store.rename(session.id, 'High tides')
    await store.tag(session.id, 'pinned')
    await store.archive(session.id)
    await session.end({ durationMs: 5, cost: 0.5, usage: { 'claude-x': { input_tokens: 1, output_tokens: 2 } } })
    expect(store.load(session.id)).toMatchObject({ title: 'High tides', tag: 'pinned' })
    const mark = join(session.path.replace('.jsonl', ''), 'archived.json')
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ archived: true })
    await store.unarchive(session.id)
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ archived: false })
    await store.tag(session.id, null)
    expect(store.load(session.id).tag).toBe(null)
  })
})

describe('a fork', () => {
  test('copies what leads to a record and nothing else', async () => {
    const store = openStore({ root: newRoot() })
    const session = await store.create({ cwd: CWD, title: 'Tides' })
    await session.prompt('One')
    const [, called] = await session.reply([text('Sure.'), CALL, { ...CALL, id: 'toolu_2' }])
    const results = await session.toolResult([
      { toolUseId: 'toolu_1', content: 'a' },
      { toolUseId: 'toolu_2', content: 'b' },
    ])
    await session.reply('Two')
    await session.rewind(results[1] as string)
    const [other] = await session.reply('Another two')
    const fork = await store.fork(session.id, { at: other as string })
    const copied = recordsOf(fork.path).filter(({ uuid }) => uuid !== undefined)
    expect(copied.map(({ uuid }) => uuid)).toContain(called)
    expect(JSON.stringify(copied)).not.toContain('"Two"')
    expect(copied.every(({ forkedFrom }) => (forkedFrom as Body)['sessionId'] === session.id)).toBe(true)
    expect(fork.messages()).toEqual(session.messages())
    expect(store.load(fork.id).title).toBe('Tides (fork)')
    expect(session.path).not.toBe(fork.path)
  })

  test.each([
    ['a summary', [{ type: 'summary', summary: 'High water', leafUuid: 'u1' }], null, 'High water (fork)'],
    ['a name beside the transcript', [], { customTitle: 'Springs' }, 'Springs (fork)'],
    ['nothing but what was asked', [], null, 'One (fork)'],
  ])('is called what the conversation is called: %s', async (_, more, beside, name) => {
    const root = newRoot()
    const id = randomUUID()
    const folder = join(root, 'projects', '-home-ada-tidewatch', id)
    mkdirSync(folder, { recursive: true })
    const asked = {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: id,
      message: { role: 'user', content: 'One' },
    }
    writeFileSync(`${folder}.jsonl`, [...more, asked].map((record) => `${JSON.stringify(record)}\n`).join(''))
    if (beside !== null) writeFileSync(join(folder, 'custom-title.json'), JSON.stringify(beside))
    const store = openStore({ root })
    expect(store.load((await store.fork(id)).id).title).toBe(name)
  })

  test.each([
    ['a compaction that does not say what came before it', null],
    ['a compaction that names a record which was never written', 'nobody'],
  ])('copies what is shown before %s', async (_, logicalParentUuid) => {
    const root = newRoot()
    const id = randomUUID()
    const folder = join(root, 'projects', '-home-ada-tidewatch')
    mkdirSync(folder, { recursive: true })
    const user = (uuid: string, parentUuid: string | null, content: string): Body => ({
      type: 'user',
      uuid,
      parentUuid,
      sessionId: id,
      message: { role: 'user', content },
    })
    const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'c0', parentUuid: null, logicalParentUuid }
    const records = [user('u1', null, 'One'), boundary, user('c1', 'c0', 'This session is being continued')]
    writeFileSync(join(folder, `${id}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const fork = await openStore({ root }).fork(id)
    const copied = recordsOf(fork.path).flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []))
    expect(copied).toEqual(['u1', 'c0', 'c1'])
  })

  test('as a child says which session it goes on from', async () => {
    const store = openStore({ root: newRoot() })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    await session.reply('Two')
    const child = await store.resume(session.id, { asChild: true })
    expect(child.messages()).toEqual(session.messages())
    expect(recordsOf(child.path)).toContainEqual(
      expect.objectContaining({ type: 'session_start', parentSessionId: session.id }),
    )
  })

  test('as a child is no branch of what its parent says later', async () => {
    const root = newRoot()
    let nowMs = Date.parse('2026-03-01T10:00:00Z')
    const store = openStore({ root, nowMs: () => (nowMs += 1000) })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    await session.reply('Two')
    const child = await store.resume(session.id, { asChild: true })
    await child.prompt('Three')
    await session.prompt('Another three')
    await session.reply('Another four')
    const row = (await listConversations(findTranscripts([root]))).find(({ sessionId }) => sessionId === child.id)
    expect(row).toMatchObject({ continues: session.id, branches: 1, turns: 2 })
  })
})

describe('the event-log dialect', () => {
  test('is written, resumed and forked like the other', async () => {
    const store = openStore({ root: newRoot() })
    const parent = await store.create({ cwd: CWD, dialect: 'event-log' })
    await parent.prompt('Zero')
    const session = await store.create({ cwd: CWD, dialect: 'event-log', parent: parent.id, title: 'Tides' })
    await session.prompt('One')
    await session.reply([text('Sure.'), CALL])
    await session.toolResult({ toolUseId: 'toolu_1', content: 'a.txt' })
    const last = await session.reply('Two')
    await session.compact('All of it', { preserve: last, preTokens: 9, trigger: 'auto' })
    await session.prompt('Three')
    await session.end({ durationMs: 7, cost: 0.25, usage: { 'claude-x': { input_tokens: 1, output_tokens: 2 } } })
    const lines = recordsOf(session.path)
    expect(lines.map(({ type }) => type).filter((type) => type !== 'custom-title')).toEqual([
      'session_start',
      'message',
      'message',
      'tool_use',
      'tool_result',
      'message',
      'compaction',
      'message',
      'session_end',
    ])
    expect(lines[0]).toMatchObject({ parentSessionId: parent.id, resumedFrom: parent.id })
    expect(lines.at(-1)).toMatchObject({ durationMs: 7, cost: 0.25 })
    const again = await store.resume(session.id)
    expect(again.messages()).toEqual(session.messages())
    await again.reply('Four')
    expect((await store.resume(session.id)).messages()).toEqual(again.messages())
    expect(await codeOf(again.rewind(null))).toBe('not-a-record')
    expect((await store.fork(session.id)).messages().at(-1)).toEqual({ role: 'assistant', content: 'Four' })
  })
})

describe('a removed session', () => {
  test('lies in the trash, whole, and comes back', async () => {
    const store = openStore({ root: newRoot(), nowMs: () => Date.now() + 3_600_000 })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    await store.archive(session.id)
    await session.close()
    const bytes = readFileSync(session.path)
    const receiptId = await store.remove(session.id)
    expect(store.list()).toEqual([])
    const receipt = readReceipt(REAL_DISK, store.root, receiptId)
    expect(receipt?.sessions[0]?.sessionId).toBe(session.id)
    if (receipt !== null) await undoRetirement(REAL_DISK, store.root, receipt)
    expect(readFileSync(session.path)).toEqual(bytes)
    expect(store.list()).toHaveLength(1)
  })
})

describe('what cannot be', () => {
  test('is refused with a word that says why, and changes nothing', async () => {
    const root = newRoot()
    const store = openStore({ root })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    const before = readFileSync(session.path)
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(await codeOf(store.resume('ffff'))).toBe('unknown-session')
    expect(await codeOf(store.resume(''))).toBe('unknown-session')
    expect(await codeOf(store.fork(session.id, { at: 'nobody' }))).toBe('unknown-record')
    expect(await codeOf(store.rename('ffff', 'x'))).toBe('unknown-session')
    expect(await codeOf(store.create({ cwd: CWD, sessionId: session.id }))).toBe('session-exists')
    expect(await codeOf(store.create({ cwd: CWD, sessionId: '../../x' }))).toBe('not-a-record')
    expect(await codeOf(store.create({ cwd: CWD, parent: 'ffff' }))).toBe('unknown-session')
    expect(await codeOf(session.rewind('nobody'))).toBe('unknown-record')
    expect(await codeOf(session.toolResult({ toolUseId: 'nobody', content: '' }))).toBe('unknown-record')
    expect(await codeOf(session.append({ type: 'user', parentUuid: 'nobody' }))).toBe('unknown-record')
    expect(await codeOf(session.append(loop))).toBe('not-a-record')
    expect(await codeOf(session.append({ type: 'mode', size: 1n }))).toBe('not-a-record')
    expect(await codeOf(session.append(['a'] as unknown as Body))).toBe('not-a-record')
    expect(await codeOf(session.compact('x', { preserve: ['nobody'] }))).toBe('unknown-record')
    expect(readFileSync(session.path)).toEqual(before)
    expect(session.messages()).toEqual([{ role: 'user', content: 'One' }])
    await session.close()
    expect(await codeOf(session.prompt('Two'))).toBe('closed')
    expect(readdirSync(join(root, 'projects'))).toHaveLength(1)
  })

  test('a session that is open in a client is not written to', async () => {
    const root = newRoot()
    const store = openStore({ root })
    const session = await store.create({ cwd: CWD })
    await session.prompt('One')
    const living = spawn('sleep', ['60'])
    mkdirSync(join(root, 'sessions'))
    const mark = join(root, 'sessions', `${living.pid}.json`)
    writeFileSync(mark, JSON.stringify({ pid: living.pid, sessionId: session.id }))
    expect(await codeOf(store.resume(session.id))).toBe('live-session')
    expect((await store.fork(session.id)).messages()).toEqual(session.messages())
    living.kill()
    await new Promise((resolve) => living.on('exit', resolve))
    await store.resume(session.id)
  })

  test('a folder that may not be written is said to be one', async () => {
    const root = newRoot()
    chmodSync(root, 0o500)
    const refusing: Disk = {
      ...REAL_DISK,
      makeFolder: () => {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
      },
    }
    expect(await codeOf(openStore({ root, disk: refusing }).create({ cwd: CWD }))).toBe('read-only')
  })

  test('a full disk loses nothing that was acknowledged, and goes on when there is room again', async () => {
    let room = Number.POSITIVE_INFINITY
    const disk: Disk = {
      ...REAL_DISK,
      write: (fd, bytes) => {
        if (room <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        const taken = REAL_DISK.write(fd, bytes.subarray(0, Math.min(room, bytes.length)))
        room -= taken
        return taken
      },
    }
    const store = openStore({ root: newRoot(), disk, lock: () => NO_LOCK })
    const session = await store.create({ cwd: CWD })
    const first = await session.prompt('One')
    room = 100
    const both = await Promise.allSettled([session.reply('Lost'), session.reply('Lost as well')])
    expect(both.map((one) => one.status === 'rejected' && (one.reason as StoreError).code)).toEqual([
      'disk-full',
      'disk-full',
    ])
    expect(session.tip).toBe(first)
    room = 100
    expect(await codeOf(store.fork(session.id))).toBe('disk-full')
    expect(readdirSync(dirname(session.path))).toEqual([basename(session.path)])
    room = Number.POSITIVE_INFINITY
    await session.reply('Two')
    expect((await store.resume(session.id)).messages()).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
    ])
  })
})

test('the folder of a project is named as the client names it', () => {
  expect(projectKeyOf('/home/ada/tide_watch.v2 +ü')).toBe('-home-ada-tide-watch-v2---')
  const long = `/home/ada/${'x'.repeat(300)}`
  expect(projectKeyOf(long)).toMatch(/^-home-ada-x{190}-[0-9a-z]+$/)
})

function text(said: string): Body {
  return { type: 'text', text: said }
}
