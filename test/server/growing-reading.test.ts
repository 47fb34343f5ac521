// A conversation that is followed while its file, or what is known of it, cannot be read: those who follow it are told,
// the server lives on, and as soon as it can be read again it grows as if nothing had been.

import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { Growing, ReadTo } from '../../src/server/growing-reading.ts'
import { GrowingReading } from '../../src/server/growing-reading.ts'
import { OpenConversations } from '../../src/server/open-conversations.ts'
import { RecordBytes } from '../../src/server/record-bytes.ts'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import type { OpenWorld } from './open-world.ts'
import { openWorld } from './open-world.ts'

const id = sessionId('a')

function tides(turns: number): string {
  const records = [...Array(turns).keys()].flatMap((turn) => [
    prompt(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, `Question ${turn}`),
    reply(`a${turn}`, `u${turn}`, `Answer ${turn}`),
  ])
  return jsonl(session(id, records))
}

describe('a session that is followed', () => {
  const root = newFolder('claude')
  const name = `projects/-r/${id}.jsonl`
  const path = join(root, name)
  const told: Growing[] = []
  const errors: unknown[] = []
  let open: OpenWorld
  let conversations: OpenConversations
  const kinds = (): readonly string[] => told.map(({ kind }) => kind)

  beforeAll(async () => {
    writeBelow(root, { [name]: tides(2) })
    open = await openWorld(root, [])
    conversations = new OpenConversations(open.world, (error) => errors.push(error))
    conversations.follow(id, (news) => told.push(news))
  })
  afterAll(() => {
    conversations.close()
    open.close()
  })

  test('a path that leads nowhere is told once, and to those who come later', async () => {
    renameSync(path, `${path}.away`)
    // A link to itself cannot even be asked for its size, whoever asks.
    symlinkSync(path, path)
    await expect.poll(kinds).toEqual(['stalled'])
    expect(told[0]).toEqual({ kind: 'stalled', error: expect.stringContaining('ELOOP') })
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(kinds()).toEqual(['stalled'])
    expect(errors).toHaveLength(1)
    const late: Growing[] = []
    conversations.follow(id, (news) => late.push(news)).stop()
    expect(late).toEqual([told[0]])
  })

  test('it goes on where it can be read again', async () => {
    told.length = 0
    rmSync(path)
    writeBelow(root, { [name]: tides(3) })
    await expect.poll(kinds).toEqual(['grew', 'stalled'])
    expect(told[0]).toMatchObject({ rows: 6, turns: 3, changedFrom: 0 })
    expect(told[1]).toEqual({ kind: 'stalled', error: null })
    writeBelow(root, { [name]: tides(4) })
    await expect.poll(() => told[2]).toMatchObject({ kind: 'grew', rows: 8, turns: 4 })
    expect(errors).toHaveLength(1)
  })
})

test('a file that is back before anybody has found it again is waited for', async () => {
  const root = writeBelow(newFolder('claude'), { [`projects/-r/${id}.jsonl`]: tides(2) })
  let archive = findTranscripts([root])
  const open = await openWorld(root, [], { archive: () => archive })
  const errors: unknown[] = []
  const told: Growing[] = []
  const conversations = new OpenConversations(open.world, (error) => errors.push(error))
  conversations.follow(id, (news) => told.push(news))
  rmSync(join(root, 'projects', '-r', `${id}.jsonl`))
  archive = findTranscripts([root])
  writeBelow(root, { [`projects/-r/${id}.jsonl`]: tides(1) })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([told, errors]).toEqual([[], []])
  archive = findTranscripts([root])
  await expect.poll(() => told).toMatchObject([{ kind: 'grew', rows: 2, turns: 1 }])
  conversations.close()
  open.close()
})

test.each(['start', 'again'] as const)('what is thrown by “%s” is told, and tried again', async (what) => {
  const path = join(writeBelow(newFolder('claude'), { 'one.jsonl': tides(1) }), 'one.jsonl')
  let isBroken = true
  const tried: string[] = []
  const make = (step: string) => (): ReadTo | null => {
    tried.push(step)
    if (isBroken && (step === what || step === 'again')) throw new Error('the index is broken')
    return null
  }
  const errors: unknown[] = []
  const growing = new GrowingReading({
    path,
    bytes: new RecordBytes(),
    start: make('start'),
    stored: () => null,
    again: make('again'),
    onError: (error) => errors.push(error),
  })
  const told: Growing[] = []
  const leave = growing.listen((news) => told.push(news))
  await expect.poll(() => told).toEqual([{ kind: 'stalled', error: 'the index is broken' }])
  expect(growing.reading).toBeNull()
  isBroken = false
  await expect.poll(() => told.at(-1)).toEqual({ kind: 'stalled', error: null })
  expect(tried.slice(0, 2)).toEqual(['start', 'again'])
  expect(errors).toHaveLength(1)
  expect(leave()).toBe(0)
  growing.close()
})
