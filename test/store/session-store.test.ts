// The contract of the official SDK's SessionStore, case by case, and beside the SDK itself where it is installed:
//   CLEW_SDK=/path/to/node_modules/@anthropic-ai/claude-agent-sdk npx vitest run test/store/session-store.test.ts

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { projectKeyOf } from '../../src/store/project-key.ts'
import type { SessionKey } from '../../src/store/session-key.ts'
import type { SessionStore, StoredRecord } from '../../src/store/session-store.ts'
import { sessionStore } from '../../src/store/session-store.ts'
import { corpus } from '../corpus/corpus.ts'
import type { Random } from '../random.ts'
import { randomOf, randomRecords } from '../random.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const ID = 'a1b2c3d4-e5f6-4890-abcd-ef1234567890'
const MAIN: SessionKey = { projectKey: '-home-ada', sessionId: ID }
const SUB: SessionKey = { ...MAIN, subpath: 'subagents/agent-x' }

let folder: string
let root: string
let store: SessionStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clew-session-store-'))
  root = join(folder, 'root')
  store = sessionStore({ root, fsync: 'none' })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function said(uuid: string, more: Record<string, unknown> = {}): StoredRecord {
  return { type: 'user', uuid, message: { role: 'user', content: `Words of ${uuid}` }, ...more }
}

function fileOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return `${join(root, 'projects', projectKey, sessionId, subpath ?? '').replace(/\/$/, '')}.jsonl`
}

const uuidsOf = (records: readonly StoredRecord[] | null): readonly unknown[] | undefined =>
  records?.map(({ uuid }) => uuid)

describe('append and load', () => {
  test('give back what was given, in order', async () => {
    const records = [
      said('1', { deep: [1, { a: null, b: [true, 'zwei\u2028Zeilen', '\ud83c'] }], 'ключ ': 1e21 }),
      { type: 'mode', mode: 'plan' },
      said('2', { parentUuid: '1' }),
      JSON.parse('{"type":"x","__proto__":{"polluted":true}}') as StoredRecord,
    ]
    await store.append(MAIN, records.slice(0, 2))
    await store.append(MAIN, records.slice(2))
    expect(await store.load(MAIN)).toStrictEqual(records)
    expect(readFileSync(fileOf(MAIN), 'utf8').split('\n')).toHaveLength(5)
  })

  test('of random transcripts are deep-equal', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const key = { ...MAIN, sessionId: `s${seed}` }
      const records = randomRecords(randomOf(seed), key.sessionId) as StoredRecord[]
      const seen = new Set<unknown>()
      const wanted = records.filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)))
      for (let at = 0; at < records.length; at += 5) await store.append(key, records.slice(at, at + 5))
      await store.append(
        key,
        records.filter(({ uuid }) => uuid !== undefined),
      )
      expect(await store.load(key)).toStrictEqual(wanted)
    }
  })

  test('a uuid is written once: in a call, in the next one, after opening again', async () => {
    await store.append(MAIN, [said('1'), said('2'), said('1', { again: true })])
    await store.append(MAIN, [said('2'), said('3')])
    await store.close()
    await store.append(MAIN, [said('3'), said('4')])
    const other = sessionStore({ root, fsync: 'none' })
    await other.append(MAIN, [said('1'), said('5')])
    await other.close()
    await store.append(MAIN, [said('5'), said('6')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2', '3', '4', '5', '6'])
    expect((await store.load(MAIN))?.[0]).not.toHaveProperty('again')
  })

  test('one without a uuid is kept every time and in its place', async () => {
    const title = { type: 'custom-title', customTitle: 'A' }
    const empty = { type: 'x', uuid: '' }
    await store.append(MAIN, [title, said('1'), title, empty])
    await store.append(MAIN, [title, said('1'), empty])
    expect(await store.load(MAIN)).toEqual([title, said('1'), title, empty, title, empty])
  })

  test('what is called at once is all kept, each call in order, each uuid once', async () => {
    const others = [store, sessionStore({ root, fsync: 'none' }), sessionStore({ root, fsync: 'group' })]
    const calls = Array.from({ length: 120 }, (_, call) =>
      (others[call % 3] as SessionStore).append(MAIN, [
        said('everyone'),
        said(`${call}-a`),
        { type: 'mode', call },
        said(`${call}-b`),
      ]),
    )
    await Promise.all(calls)
    for (const other of others) await other.close()
    const records = (await store.load(MAIN)) ?? []
    expect(records).toHaveLength(1 + 3 * 120)
    // Reading would pass over a line that was written twice.
    expect(readFileSync(fileOf(MAIN), 'utf8').trimEnd().split('\n')).toHaveLength(records.length)
    const places = new Map(records.map((record, at) => [record.uuid ?? `mode-${String(record['call'])}`, at]))
    for (let call = 0; call < 120; call++) {
      const at = places.get(`${call}-a`) ?? -9
      expect([places.get(`mode-${call}`), places.get(`${call}-b`)]).toEqual([at + 1, at + 2])
    }
    // Calls of one store keep their order.
    for (let call = 3; call < 120; call++)
      expect(places.get(`${call}-a`)).toBeGreaterThan(places.get(`${call - 3}-a`) ?? -1)
    expect(readdirSync(dirname(fileOf(MAIN)))).toEqual([`${ID}.jsonl`])
  })

  test('no records make no file', async () => {
    await store.append(MAIN, [])
    await store.append(SUB, [])
    expect(existsSync(root)).toBe(false)
  })

  test('what the caller changes afterwards is not written', async () => {
    const record = said('1')
    const appended = store.append(MAIN, [record])
    record['late'] = true
    await appended
    expect(await store.load(MAIN)).toEqual([said('1')])
  })

  test('an unknown session is null, also beside subkeys', async () => {
    expect(await store.load(MAIN)).toBeNull()
    await store.append(SUB, [said('1')])
    expect(await store.load(MAIN)).toBeNull()
    expect(await store.load({ ...MAIN, subpath: 'subagents' })).toBeNull()
    expect(await store.load({ ...MAIN, subpath: 'subagents/agent-y' })).toBeNull()
    expect(await store.load({ ...MAIN, projectKey: '-home-other' })).toBeNull()
  })

  test('subpaths are apart from the session and from each other', async () => {
    const nested = { ...MAIN, subpath: 'subagents/workflows/wf_1/agent-z' }
    await store.append(MAIN, [said('1')])
    await store.append(SUB, [said('1'), said('2')])
    await store.append(nested, [said('3')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1'])
    expect(uuidsOf(await store.load(SUB))).toEqual(['1', '2'])
    expect(uuidsOf(await store.load(nested))).toEqual(['3'])
    expect(existsSync(join(root, 'projects', '-home-ada', ID, 'subagents', 'agent-x.jsonl'))).toBe(true)
    expect(await store.listSubkeys(MAIN)).toEqual(['subagents/agent-x', 'subagents/workflows/wf_1/agent-z'])
  })

  test('more keys than are kept open', async () => {
    const keys = Array.from({ length: 200 }, (_, at) => ({ ...MAIN, sessionId: `s${at}` }))
    for (const turn of ['1', '2']) await Promise.all(keys.map((key) => store.append(key, [said(turn), said('1')])))
    for (const key of keys) expect(uuidsOf(await store.load(key))).toEqual(['1', '2'])
    expect(readdirSync(join(root, 'projects', '-home-ada')).every((name) => name.endsWith('.jsonl'))).toBe(true)
  })
})

describe('damage', () => {
  test('a torn line is passed over, and nothing is glued to it', async () => {
    await store.append(MAIN, [said('1'), said('2')])
    appendFileSync(fileOf(MAIN), '{"type":"user","uuid":"torn","mess')
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2'])
    await store.append(MAIN, [said('torn'), said('3')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2', 'torn', '3'])
  })

  test('a line that only lacks its end counts', async () => {
    await store.append(MAIN, [said('1')])
    appendFileSync(fileOf(MAIN), JSON.stringify(said('2')))
    await store.append(MAIN, [said('2'), said('3')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2', '3'])
  })

  test('lines that are no records are passed over', async () => {
    mkdirSync(dirname(fileOf(MAIN)), { recursive: true })
    writeFileSync(fileOf(MAIN), `\ufeff${JSON.stringify(said('1'))}\r\n\n[1]\nnull\n"x"\n\u0000\u0000\n{"a":\n`)
    await store.append(MAIN, [said('1'), said('2')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2'])
  })

  test('a file that another process took away or put in its place is noticed', async () => {
    const path = fileOf(MAIN)
    await store.append(MAIN, [said('1'), said('2')])
    const bytes = readFileSync(path)
    rmSync(path)
    await store.append(MAIN, [said('1')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1'])
    // The same bytes in another file: only the open descriptor is the old one.
    writeFileSync(`${path}.other`, readFileSync(path))
    renameSync(`${path}.other`, path)
    await store.append(MAIN, [said('1'), said('2')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', '2'])
    expect(readFileSync(path)).toEqual(bytes)
    writeFileSync(path, `${JSON.stringify(said('7'.repeat(300)))}\n`)
    await store.append(MAIN, [said('1')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['7'.repeat(300), '1'])
    rmSync(root, { recursive: true })
    await store.append(MAIN, [said('8')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['8'])
  })

  test('what the disk did not confirm is written again and read once', async () => {
    let failures = 1
    const disk: Disk = {
      ...REAL_DISK,
      sync: (fd) => (failures-- > 0 ? Promise.reject(new Error('EIO')) : REAL_DISK.sync(fd)),
    }
    const shaky = sessionStore({ root, disk })
    await expect(shaky.append(MAIN, [said('1')])).rejects.toMatchObject({ code: 'sync-failed' })
    await shaky.append(MAIN, [said('1'), said('2')])
    expect(readFileSync(fileOf(MAIN), 'utf8').match(/"uuid":"1"/g)).toHaveLength(2)
    expect(uuidsOf(await shaky.load(MAIN))).toEqual(['1', '2'])
    // A repeated one is acknowledged only when the disk has it.
    failures = 1
    await expect(shaky.append(MAIN, [said('2')])).rejects.toMatchObject({ code: 'sync-failed' })
    await shaky.append(MAIN, [said('2')])
    expect(uuidsOf(await shaky.load(MAIN))).toEqual(['1', '2'])
    await shaky.close()
  })

  test('a full disk tears a line; the next append goes on', async () => {
    let room = Number.POSITIVE_INFINITY
    const disk: Disk = {
      ...REAL_DISK,
      write: (fd, bytes) => {
        const taken = bytes.subarray(0, Math.max(0, Math.min(bytes.length, room)))
        if (taken.length === 0) throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
        room -= taken.length
        return REAL_DISK.write(fd, taken)
      },
    }
    const full = sessionStore({ root, disk, fsync: 'none' })
    await full.append(MAIN, [said('1')])
    room = 300
    await expect(full.append(MAIN, [said('2'), said('3', { long: 'x'.repeat(500) })])).rejects.toMatchObject({
      code: 'disk-full',
    })
    room = Number.POSITIVE_INFINITY
    await full.append(MAIN, [said('2'), said('3'), said('4')])
    expect(uuidsOf(await full.load(MAIN))).toEqual(['1', '2', '3', '4'])
    await full.close()
  })
})

describe('what is refused', () => {
  const cycle: Record<string, unknown> = { type: 'x' }
  cycle['self'] = cycle

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
    ['a BigInt', { type: 'x', big: 1n }],
    ['a cycle', cycle],
    ['a function', () => undefined],
    ['an object that becomes a text', new Date(0)],
  ])('%s is no record, and nothing of its call is written', async (_, record) => {
    await store.append(MAIN, [said('1')])
    const records = [said('2'), record, said('3')] as StoredRecord[]
    await expect(store.append(MAIN, records)).rejects.toMatchObject({ name: 'StoreError', code: 'not-a-record' })
    await expect(store.append(SUB, records)).rejects.toMatchObject({ code: 'not-a-record' })
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1'])
    expect(await store.listSubkeys(MAIN)).toEqual([])
  })

  test('no list at all', async () => {
    await expect(store.append(MAIN, 'abc' as unknown as StoredRecord[])).rejects.toMatchObject({ code: 'not-a-record' })
  })

  const NAMES: readonly unknown[] = [
    '',
    '.',
    '..',
    '../x',
    'a/../../x',
    'a/b',
    '/etc',
    '/',
    'a\u0000b',
    'a\\..\\b',
    'C:\\x',
    'a\nb',
    'x'.repeat(221),
    'ü'.repeat(111),
    'x'.repeat(100_000),
    '\ud83c',
    'a.jsonl',
    'a.jsonl.lock',
    'A.JSONL',
    null,
    7,
    {},
    undefined,
    ['a'],
  ]
  const SUBPATHS: readonly unknown[] = [
    '',
    '.',
    '..',
    '/',
    '/etc/x',
    'a/',
    '/a',
    'a//b',
    'a/../b',
    '../a',
    'a/..',
    './a',
    'a\u0000',
    'a\\..\\..\\b',
    `${'x/'.repeat(600)}x`,
    'x'.repeat(221),
    'a.jsonl',
    'a.jsonl/b',
    'a/\ud83c',
    null,
    7,
    {},
  ]
  const hostile: readonly (readonly [string, SessionKey])[] = [
    ...NAMES.map((name) => ['project key', { ...MAIN, projectKey: name }] as const),
    ...NAMES.map((name) => ['session id', { ...MAIN, sessionId: name }] as const),
    ...SUBPATHS.map((subpath) => ['subpath', { ...MAIN, subpath }] as const),
  ].map(([what, key]) => [what, key as SessionKey])

  test.each(hostile)('%s of %j', async (_, key) => {
    writeFileSync(join(folder, 'x.jsonl'), 'theirs')
    const refused = { name: 'StoreError', code: 'not-a-record' }
    await expect(store.append(key, [said('1')])).rejects.toMatchObject(refused)
    await expect(store.append(key, [])).rejects.toMatchObject(refused)
    await expect(store.load(key)).rejects.toMatchObject(refused)
    await expect(store.delete(key)).rejects.toMatchObject(refused)
    if (!('subpath' in key)) await expect(store.listSubkeys(key)).rejects.toMatchObject(refused)
    if (key.sessionId === ID && !('subpath' in key)) {
      await expect(store.listSessions(key.projectKey)).rejects.toMatchObject(refused)
      await expect(store.listSessionSummaries(key.projectKey)).rejects.toMatchObject(refused)
    }
    expect(readdirSync(folder)).toEqual(['x.jsonl'])
  })

  test('odd names that are no harm', async () => {
    for (const name of ['...', '.hidden', '~', 'a b', 'ä ö', '-', 'con', 'x'.repeat(207), '..a', '$HOME', '%2e%2e']) {
      const key = { projectKey: name, sessionId: name, subpath: `${name}/${name}` }
      await store.append(key, [said('1')])
      expect(uuidsOf(await store.load(key))).toEqual(['1'])
      expect(await store.listSubkeys(key)).toEqual([`${name}/${name}`])
    }
  })

  test('a link among the folders, which would lead out', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(join(outside, 'subagents'), { recursive: true })
    mkdirSync(join(root, 'projects', 'p'), { recursive: true })
    symlinkSync(outside, join(root, 'projects', '-home-ada'))
    symlinkSync(outside, join(root, 'projects', 'p', ID))
    symlinkSync(join(outside, 'file'), join(root, 'projects', 'p', 'linked.jsonl'))
    const refused = { code: 'not-a-record' }
    await expect(store.append(MAIN, [said('1')])).rejects.toMatchObject(refused)
    await expect(store.load(MAIN)).rejects.toMatchObject(refused)
    await expect(store.listSessions('-home-ada')).rejects.toMatchObject(refused)
    await expect(store.append({ ...SUB, projectKey: 'p' }, [said('1')])).rejects.toMatchObject(refused)
    await expect(store.append({ projectKey: 'p', sessionId: 'linked' }, [said('1')])).rejects.toThrow()
    expect(await store.listSubkeys({ projectKey: 'p', sessionId: ID })).toEqual([])
    // The link goes, what it leads to stays.
    await store.delete({ projectKey: 'p', sessionId: ID })
    expect(readdirSync(outside)).toEqual(['subagents'])
  })
})

describe('delete', () => {
  test('of a session takes its subpaths along, and only its own', async () => {
    const neighbour = { ...MAIN, sessionId: `${ID}0` }
    for (const key of [MAIN, SUB, { ...MAIN, subpath: 'deep/er/x' }, neighbour, { ...neighbour, subpath: 'a' }])
      await store.append(key, [said('1')])
    await store.delete(MAIN)
    expect(await store.load(MAIN)).toBeNull()
    expect(await store.load(SUB)).toBeNull()
    expect(await store.listSubkeys(MAIN)).toEqual([])
    expect(await store.listSubkeys(neighbour)).toEqual(['a'])
    expect((await store.listSessions('-home-ada')).map(({ sessionId }) => sessionId)).toEqual([`${ID}0`])
    expect(everyFile(root).filter((path) => path.includes(`${ID}/`) || path.endsWith(`${ID}.jsonl`))).toEqual([])
  })

  test('with a subpath takes only that one', async () => {
    const other = { ...MAIN, subpath: 'subagents/agent-y' }
    for (const key of [MAIN, SUB, other]) await store.append(key, [said('1')])
    await store.delete(SUB)
    expect(await store.load(SUB)).toBeNull()
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1'])
    expect(await store.listSubkeys(MAIN)).toEqual(['subagents/agent-y'])
  })

  test('of what is not there is no error and makes nothing', async () => {
    await store.delete(MAIN)
    await store.delete(SUB)
    expect(existsSync(root)).toBe(false)
    await store.append(SUB, [said('1')])
    await store.delete(MAIN)
    expect(await store.listSubkeys(MAIN)).toEqual([])
    await store.delete(MAIN)
  })

  test('and then append begins anew', async () => {
    const other = sessionStore({ root, fsync: 'none' })
    for (let turn = 0; turn < 3; turn++) {
      for (const key of [MAIN, SUB]) {
        await store.append(key, [said('1'), said('2')])
        await other.append(key, [said('2'), said('3')])
        expect(uuidsOf(await store.load(key))).toEqual(['1', '2', '3'])
      }
      await (turn === 1 ? other : store).delete(MAIN)
    }
    await other.close()
  })

  test('amid appends loses no append that was called after it', async () => {
    for (let round = 0; round < 10; round++) {
      const before = [MAIN, SUB].map((key) => store.append(key, [said('before')]))
      const deleted = store.delete(MAIN)
      await Promise.all([...before, deleted])
      await Promise.all([MAIN, SUB].map((key) => store.append(key, [said('after')])))
      expect(uuidsOf(await store.load(MAIN))).toContain('after')
      expect(uuidsOf(await store.load(SUB))).toContain('after')
      await store.delete(MAIN)
    }
  })

  test('that a power cut left in both places is finished; what a client began anew stays', async () => {
    const removed = join(root, 'clew-removed', '-home-ada', `${ID}.jsonl`)
    for (const key of [MAIN, SUB]) await store.append(key, [said('1')])
    mkdirSync(dirname(removed), { recursive: true })
    cpSync(fileOf(MAIN), removed)
    expect([await store.load(MAIN), await store.load(SUB), await store.listSubkeys(MAIN)]).toEqual([null, null, []])
    expect([...(await store.listSessions('-home-ada')), ...(await store.listSessionSummaries('-home-ada'))]).toEqual([])
    await store.append(SUB, [said('2')])
    expect([await store.load(MAIN), uuidsOf(await store.load(SUB)), existsSync(removed)]).toEqual([null, ['2'], false])
    await store.append(MAIN, [said('1')])
    cpSync(fileOf(MAIN), removed)
    appendFileSync(fileOf(MAIN), `${JSON.stringify(said('client'))}\n`)
    await store.append(MAIN, [said('3')])
    expect(uuidsOf(await store.load(MAIN))).toEqual(['1', 'client', '3'])
    expect(uuidsOf(await store.load(SUB))).toEqual(['2'])
  })

  test('that was cut off at any step leaves all of the session or nothing', async () => {
    let outcomes = ''
    for (let steps = 0; ; steps++) {
      const home = join(folder, `cut-${steps}`)
      const plain = sessionStore({ root: home, fsync: 'none' })
      for (const key of [MAIN, SUB, { ...MAIN, subpath: 'b' }]) await plain.append(key, [said('1')])
      await plain.close()
      const cut = sessionStore({ root: home, disk: cutAfter(steps), fsync: 'none' })
      const isDone = await cut.delete(MAIN).then(
        () => true,
        () => false,
      )
      // The process that was cut off is gone, and so is what it held.
      rmSync(join(home, 'projects', '-home-ada', `${ID}.jsonl.lock`), { force: true })
      const next = sessionStore({ root: home, fsync: 'none' })
      const main = await next.load(MAIN)
      const subkeys = await next.listSubkeys(MAIN)
      const isWhole = main !== null
      expect([main === null, subkeys.length, (await next.load(SUB)) === null]).toEqual(
        isWhole ? [false, 2, false] : [true, 0, true],
      )
      outcomes += isWhole ? 'w' : 'g'
      await next.append(SUB, [said('2')])
      expect(uuidsOf(await next.load(SUB))).toEqual(isWhole ? ['1', '2'] : ['2'])
      await next.delete(MAIN)
      expect(everyFile(home)).toEqual([])
      await next.close()
      if (isDone) break
    }
    expect(outcomes).toMatch(/^w+g{3,}$/)
  })
})

describe('a power cut', () => {
  const other = { ...MAIN, sessionId: 'other' }
  const KEYS = [MAIN, SUB, other]

  test('loses nothing that was acknowledged, doubles nothing, and brings back nothing deleted', async () => {
    let cuts = 0
    for (let seed = 1; seed <= 400; seed++) {
      const random = randomOf(seed)
      const disk = new SimulatedDisk(random, { crashAt: 20 + random.below(300) })
      const before = await liveOn(disk, random)
      if (!disk.isDown) continue
      cuts++
      const after = random.chance(0.5) ? disk.crash(random) : disk.kill()
      for (const name of after.names('/root/projects/-home-ada')) removeLocks(after, `/root/projects/-home-ada/${name}`)
      const next = sessionStore({ root: '/root', disk: after })
      const found = await Promise.all(KEYS.map(async (key) => uuidsOf(await next.load(key)) ?? []))
      expect(await next.listSubkeys(MAIN)).toEqual((await next.load(SUB)) === null ? [] : [SUB.subpath])
      for (const [at, uuids] of found.entries()) {
        const { acknowledged, tried } = before[at] as Life
        const label = `seed ${seed}, ${JSON.stringify(KEYS[at])}`
        expect(new Set(uuids).size, label).toBe(uuids.length)
        for (const uuid of uuids) expect([...acknowledged, ...tried], label).toContain(uuid)
        // A deletion that was under way takes all or nothing.
        if (at < 2 && before[0]?.isDeletionOpen === true && isGone(found, before)) continue
        expect(
          uuids.filter((uuid) => acknowledged.includes(String(uuid))),
          label,
        ).toEqual(acknowledged)
      }
      for (const [at, key] of KEYS.entries()) {
        const { acknowledged, tried } = before[at] as Life
        await next.append(
          key,
          [...acknowledged, ...tried].map((uuid) => said(uuid)),
        )
        const uuids = uuidsOf(await next.load(key)) ?? []
        expect([...uuids].sort()).toEqual([...new Set([...acknowledged, ...tried])].sort())
      }
      await next.close()
    }
    expect(cuts).toBeGreaterThan(300)
  })

  interface Life {
    acknowledged: string[]
    tried: string[]
    isDeletionOpen: boolean
  }

  async function liveOn(disk: SimulatedDisk, random: Random): Promise<readonly Life[]> {
    const lived = KEYS.map((): Life => ({ acknowledged: [], tried: [], isDeletionOpen: false }))
    const [main, sub] = lived as [Life, Life]
    const cut = sessionStore({ root: '/root', disk })
    for (let step = 0; step < 40 && !disk.isDown; step++) {
      if (random.chance(0.15)) {
        main.isDeletionOpen = true
        await cut.delete(MAIN).catch(() => undefined)
        if (disk.isDown) break
        for (const life of [main, sub]) Object.assign(life, { acknowledged: [], tried: [], isDeletionOpen: false })
        continue
      }
      await Promise.all(
        KEYS.filter(() => random.chance(0.6)).map(async (key) => {
          const life = lived[KEYS.indexOf(key)] as Life
          const fresh = Array.from({ length: 1 + random.below(3) }, (_, at) => `${step}-${at}`)
          const repeated = life.acknowledged.filter(() => random.chance(0.2))
          life.tried.push(...fresh)
          try {
            await cut.append(
              key,
              [...repeated, ...fresh].map((uuid) => said(uuid)),
            )
          } catch {
            return
          }
          life.tried = life.tried.filter((uuid) => !fresh.includes(uuid))
          life.acknowledged.push(...fresh)
        }),
      )
    }
    return lived
  }

  /** Both transcripts of the session, down to the last record. */
  function isGone(found: readonly (readonly unknown[])[], before: readonly Life[]): boolean {
    const left = [0, 1].flatMap((at) =>
      (found[at] ?? []).filter((uuid) => before[at]?.acknowledged.includes(String(uuid))),
    )
    return left.length === 0
  }

  /** The process that had them is gone. */
  function removeLocks(disk: Disk, path: string): void {
    if (disk.stat(path)?.isFolder === true) for (const name of disk.names(path)) removeLocks(disk, join(path, name))
    else if (path.endsWith('.lock')) disk.remove(path)
  }
})

describe('listings', () => {
  test('sessions with the times of their files, in whole milliseconds', async () => {
    expect(await store.listSessions('-home-ada')).toEqual([])
    await store.append(MAIN, [said('1')])
    await store.append({ ...SUB, sessionId: 'only-subkeys' }, [said('1')])
    await store.append({ ...MAIN, projectKey: 'other' }, [said('1')])
    writeFileSync(join(root, 'projects', '-home-ada', 'notes.txt'), 'x')
    const mtime = Math.floor(statSync(fileOf(MAIN)).mtimeMs)
    expect(await store.listSessions('-home-ada')).toEqual([{ sessionId: ID, mtime }])
    expect(Number.isInteger(mtime)).toBe(true)
  })

  test('summaries of what stands in the records', async () => {
    await store.append(MAIN, [
      { type: 'mode', timestamp: 'never' },
      said('1', { cwd: '/home/ada', gitBranch: 'main', timestamp: '2026-03-20T10:00:01Z', isSidechain: false }),
      said('2', { cwd: '/elsewhere', gitBranch: 'next', timestamp: '2026-03-20T10:00:09Z' }),
      { type: 'tag', tag: 'urgent' },
      { type: 'custom-title', customTitle: 'A' },
      { type: 'custom-title', customTitle: 'B' },
    ])
    const [summary] = await store.listSessionSummaries('-home-ada')
    const [listed] = await store.listSessions('-home-ada')
    expect(summary).toEqual({
      ...listed,
      data: {
        isSidechain: false,
        createdAt: Date.parse('2026-03-20T10:00:01Z'),
        cwd: '/home/ada',
        gitBranch: 'next',
        firstPrompt: 'Words of 1',
        firstPromptLocked: true,
        tag: 'urgent',
        customTitle: 'B',
      },
    })
    await store.append(MAIN, [{ type: 'tag', tag: '' }])
    expect((await store.listSessionSummaries('-home-ada'))[0]?.data).not.toHaveProperty('tag')
  })
})

function everyFile(path: string): readonly string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((found) => !found.isDirectory())
    .map((found) => join(found.parentPath, found.name))
}

/** A disk that is gone after so many changes. */
function cutAfter(steps: number): Disk {
  let left = steps
  const counted =
    <Arguments extends readonly unknown[], Result>(change: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      if (left-- <= 0) throw Object.assign(new Error('cut off'), { code: 'EIO' })
      return change(...given)
    }
  const { makeFolder, remove, rename } = REAL_DISK
  return { ...REAL_DISK, makeFolder: counted(makeFolder), remove: counted(remove), rename: counted(rename) }
}

type Messages = readonly { readonly uuid: string; readonly type: string; readonly message: unknown }[]

interface SdkStore extends Omit<SessionStore, 'close'> {
  readonly size: number
}

interface Sdk {
  readonly InMemorySessionStore: new () => SdkStore
  readonly foldSessionSummary: (
    before: undefined,
    key: SessionKey,
    records: readonly StoredRecord[],
    options: { readonly mtime: number },
  ) => unknown
  readonly importSessionToStore: (id: string, store: unknown, options: object) => Promise<void>
  readonly getSessionMessages: (id: string, options: object) => Promise<Messages>
  readonly getSessionInfo: (id: string, options: object) => Promise<Record<string, unknown> | undefined>
  readonly getSubagentMessages: (id: string, agentId: string, options: object) => Promise<Messages>
  readonly listSubagents: (id: string, options: object) => Promise<readonly string[]>
  readonly listSessions: (options: object) => Promise<readonly Record<string, unknown>[]>
  readonly forkSession: (id: string, options: object) => Promise<{ readonly sessionId: string }>
  readonly renameSession: (id: string, title: string, options: object) => Promise<void>
  readonly tagSession: (id: string, tag: string | null, options: object) => Promise<void>
  readonly deleteSession: (id: string, options: object) => Promise<void>
}

const sdkFolder = process.env['CLEW_SDK']
const clientFolder = corpus === null ? null : join(corpus, 'client')
const CASES = ['simple', 'tools', 'agent_one', 'agent_nested', 'agent_parallel', 'compact_manual', 'compact_auto']
  .concat(['i_rewind', 'i_rename', 'i_slash', 'i_bashmode', 'fork', 'torn', 'enospc', 'continue_resume', 'i_image'])
  .flatMap((name) => ['2.1.325', '2.1.200', '2.0.77', '1.0.128'].map((version) => join(version, name, 'projects')))
  .filter((path) => clientFolder !== null && existsSync(join(clientFolder, path)))
const isPossible = sdkFolder !== undefined && CASES.length > 0
if (!isPossible) console.warn('SKIPPED: the SessionStore beside the official SDK (set CLEW_SDK, and have a corpus)')

describe.runIf(isPossible)('beside the official SDK', () => {
  let sdk: Sdk
  let home: string
  let dir: string
  let projectKey: string
  const kept = { config: process.env['CLAUDE_CONFIG_DIR'], home: process.env['HOME'] }

  beforeAll(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'clew-sdk-home-')))
    dir = join(home, 'work')
    mkdirSync(dir)
    projectKey = projectKeyOf(dir)
    process.env['HOME'] = home
    process.env['CLAUDE_CONFIG_DIR'] = join(home, 'claude')
    const from = sdkFolder ?? ''
    const { main } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { readonly main: string }
    sdk = (await import(/* @vite-ignore */ pathToFileURL(join(from, main)).href)) as Sdk
  })

  afterAll(() => {
    if (kept.config === undefined) delete process.env['CLAUDE_CONFIG_DIR']
    else process.env['CLAUDE_CONFIG_DIR'] = kept.config
    process.env['HOME'] = kept.home
    rmSync(home, { recursive: true, force: true })
  })

  it.each(CASES)('%s', async (path) => {
    const projects = join(clientFolder ?? '', path)
    const place = join(home, 'claude', 'projects', projectKey)
    rmSync(place, { recursive: true, force: true })
    for (const project of readdirSync(projects)) cpSync(join(projects, project), place, { recursive: true })
    const theirs = new sdk.InMemorySessionStore()
    const both = [store, theirs] as const
    // The SDK finds no session in an empty file.
    const ids = readdirSync(place)
      .filter((name) => statSync(join(place, name)).size > 0)
      .flatMap((name) => /^([0-9a-f-]{36})\.jsonl$/.exec(name)?.[1] ?? [])
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) {
      for (const one of both) await sdk.importSessionToStore(id, one, { dir, batchSize: 7 })
      // A replay: theirs would double all, ours keeps what it has.
      if (id === ids[0]) await replay(id)
      await expectSame(id)
    }
    await expectSameSummaries()
    const [first] = ids
    if (first === undefined || (await store.load({ projectKey, sessionId: first })) === null) return
    for (const sessionStore of both) {
      await sdk.renameSession(first, 'Another name', { dir, sessionStore })
      await sdk.tagSession(first, 'urgent', { dir, sessionStore })
    }
    await expectSame(first)
    expect(await sdk.getSessionInfo(first, { dir, sessionStore: store })).toMatchObject({
      customTitle: 'Another name',
      tag: 'urgent',
    })
    await expectSameForks(first)
    for (const sessionStore of both) await sdk.deleteSession(first, { dir, sessionStore })
    await expectSame(first)
    expect(await store.load({ projectKey, sessionId: first })).toBeNull()

    async function replay(id: string): Promise<void> {
      const key = { projectKey, sessionId: id }
      const records = (await store.load(key)) ?? []
      await store.append(
        key,
        records.filter(({ uuid }) => uuid !== undefined),
      )
      expect(await store.load(key)).toEqual(records)
    }

    async function expectSame(id: string): Promise<void> {
      const key = { projectKey, sessionId: id }
      expect(comparable(await store.load(key))).toEqual(comparable(await theirs.load(key)))
      const subkeys = await store.listSubkeys(key)
      expect(subkeys).toEqual([...(await theirs.listSubkeys(key))].sort())
      for (const subpath of subkeys)
        expect(await store.load({ ...key, subpath })).toEqual(await theirs.load({ ...key, subpath }))
      const asked = await Promise.all(
        both.map(async (sessionStore) => {
          const options = { dir, sessionStore }
          const agents = [...(await sdk.listSubagents(id, options))].sort()
          return {
            messages: await sdk.getSessionMessages(id, { ...options, includeSystemMessages: true }),
            info: { ...(await sdk.getSessionInfo(id, options)), lastModified: 0, createdAt: 0 },
            agents,
            spoken: await Promise.all(agents.map((agent) => sdk.getSubagentMessages(id, agent, options))),
          }
        }),
      )
      expect(asked[0]).toEqual(asked[1])
    }

    async function expectSameSummaries(): Promise<void> {
      const [ours, others] = await Promise.all(
        both.map(async (sessionStore) =>
          (await sdk.listSessions({ dir, sessionStore }))
            .map((listed): Record<string, unknown> => ({ ...listed, lastModified: 0 }))
            .sort((one, other) => String(one['sessionId']).localeCompare(String(other['sessionId']))),
        ),
      )
      expect(ours).toEqual(others)
      for (const summary of await store.listSessionSummaries(projectKey)) {
        const key = { projectKey, sessionId: summary.sessionId }
        const records = (await store.load(key)) ?? []
        expect(summary).toEqual(sdk.foldSessionSummary(undefined, key, records, { mtime: summary.mtime }))
      }
    }

    async function expectSameForks(id: string): Promise<void> {
      // The SDK refuses to fork a session without messages.
      if ((await sdk.getSessionMessages(id, { dir, sessionStore: store })).length === 0) return
      const forks = await Promise.all(
        both.map(async (sessionStore) => {
          const { sessionId } = await sdk.forkSession(id, { dir, sessionStore })
          const messages = await sdk.getSessionMessages(sessionId, { dir, sessionStore })
          return messages.map(({ type, message }) => ({ type, message }))
        }),
      )
      expect(forks[0]).toEqual(forks[1])
    }
  })
})

/** Theirs keeps a uuid as often as it comes; the SDK gives its own records a new one every time. */
function comparable(records: readonly StoredRecord[] | null): readonly unknown[] | null {
  const seen = new Set<string>()
  if (records === null) return null
  return records
    .filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)))
    .map((record) => (['custom-title', 'tag'].includes(record.type) ? { ...record, uuid: '', timestamp: '' } : record))
}
