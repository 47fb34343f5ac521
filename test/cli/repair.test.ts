// `clew repair` as a person goes it: what it would do, doing it, and the way back; and what check says before.

import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check } from '../../src/cli/check.ts'
import { repair } from '../../src/cli/repair.ts'
import { bytesOf, SESSION, talk } from '../mend/healthy.ts'
import { SHAPES } from '../mend/shapes.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import { jsonl, prompt, reply, session, writeBelow } from './records.ts'
import { newFolder } from './run.ts'

const NOW_MS = Date.parse('2026-12-01T00:00:00.000Z')
const OLD_S = NOW_MS / 1000 - 86_400

function broken(bytes = shapeNamed('parent')): { readonly root: string; readonly path: string } {
  const root = writeBelow(newFolder(), { [`projects/-home-ada/${SESSION}.jsonl`]: '' })
  const path = join(root, 'projects', '-home-ada', `${SESSION}.jsonl`)
  writeFileSync(path, bytes)
  utimesSync(path, OLD_S, OLD_S)
  return { root, path }
}

function shapeNamed(part: string): Buffer {
  const found = SHAPES.find(({ steps }) => steps.some((step) => step.startsWith(`missing-${part}`)))
  if (found === undefined) throw new Error(`no shape with a missing ${part}`)
  return found.bytes()
}

const mend = (words: readonly string[], root: string, home: string): Promise<RanHere> =>
  runHere(repair, [...words, '--root', root, '--no-index'], NOW_MS, { XDG_DATA_HOME: home })

describe('a broken conversation', () => {
  test('without --apply nothing changes, and everything is said', async () => {
    const { root, path } = broken()
    const before = readFileSync(path)
    const home = newFolder('home')
    const { status, out } = await mend([SESSION.slice(0, 8)], root, home)
    expect(status).toBe(0)
    expect(out).toMatch(/On resume /)
    expect(out).toMatch(/1\. chain: missing-parent × \d/)
    expect(out).toMatch(/Nothing was changed\. Into a new session: clew repair 5e551011 --apply/)
    const told = JSON.parse((await mend([SESSION, '--json'], root, home)).out)
    expect([told.applied, told.receipt, told.refusals]).toEqual([false, null, []])
    expect(told.steps[0]).toMatchObject({ fix: 'chain', code: 'missing-parent' })
    expect(readFileSync(path)).toEqual(before)
    expect(readdirSync(home)).toEqual([])
  })

  test('in place and back again, byte for byte', async () => {
    const { root, path } = broken()
    const before = readFileSync(path)
    const home = newFolder('home')
    const done = JSON.parse((await mend([SESSION, '--out', 'in-place', '--apply', '--json'], root, home)).out)
    expect(done.receipt).toMatchObject({ kind: 'in-place', sessionId: SESSION, newSessionId: SESSION })
    expect(readFileSync(path)).not.toEqual(before)
    expect((await mend([SESSION], root, home)).out).toMatch('Nothing needs to be repaired.')
    expect((await mend(['--receipts'], root, home)).out).toContain(done.receipt.id)
    expect((await mend(['--undo'], root, home)).out).toMatch('byte for byte')
    expect(readFileSync(path)).toEqual(before)
    expect(statSync(path).mtimeMs).toBe(OLD_S * 1000)
  })

  test('as a new session, with the command that goes on with it', async () => {
    const { root, path } = broken()
    const before = readFileSync(path)
    const home = newFolder('home')
    const { out } = await mend([SESSION, '--apply'], root, home)
    const [, id = ''] = /claude --resume ([0-9a-f-]{36})/.exec(out) ?? []
    expect(readdirSync(join(path, '..')).sort()).toEqual([`${SESSION}.jsonl`, `${id}.jsonl`].sort())
    expect(readFileSync(path)).toEqual(before)
    await mend(['--undo'], root, home)
    expect(readdirSync(join(path, '..'))).toEqual([`${SESSION}.jsonl`])
  })

  test('one undo after the other takes back one repair after the other', async () => {
    const home = newFolder('home')
    const [older, newer] = [broken(), broken()]
    const before = readFileSync(older.path)
    const at = (nowMs: number, root: string, ...words: readonly string[]): Promise<RanHere> =>
      runHere(repair, [...words, '--root', root, '--no-index'], nowMs, { XDG_DATA_HOME: home })
    await at(NOW_MS, older.root, SESSION, '--out', 'in-place', '--apply')
    await at(NOW_MS + 1000, newer.root, SESSION, '--out', 'in-place', '--apply')
    expect((await mend(['--undo'], newer.root, home)).out).toContain(newer.path)
    expect(readFileSync(newer.path)).toEqual(before)
    // That somebody goes on with it must not keep the older one from being taken back.
    appendFileSync(newer.path, '{"type":"more"}\n')
    expect((await mend(['--undo'], newer.root, home)).out).toContain(older.path)
    expect(readFileSync(older.path)).toEqual(before)
    expect(await mend(['--undo'], newer.root, home)).toMatchObject({
      status: 0,
      out: expect.stringContaining('nothing to take back'),
    })
    expect((await mend(['--receipts'], newer.root, home)).out.match(/taken back/g)).toHaveLength(2)
  })

  test('check says what Claude Code will do, and what would mend it', async () => {
    const { root } = broken()
    const words = ['--root', root, '--no-index']
    const { out } = await runHere(check, words, NOW_MS)
    expect(out).toMatch(/On resume .*: \d+ of \d+ records reachable/)
    expect(out).toMatch(/clew repair 5e551011 would mend it \(chain/)
    const told = JSON.parse((await runHere(check, [...words, '--json'], NOW_MS)).out)
    expect(told.resume.fixes).toContain('chain')
  })

  test('check does not call it mended where no more becomes reachable, nor a part all of it', async () => {
    const records = session(SESSION, [
      prompt('u1', null, 'one'),
      reply('a1', 'u1', 'first'),
      prompt('u2', 'u1', 'one, said otherwise'),
      reply('a2', 'u2', 'second'),
    ])
    const torn = '{"type":"user","uuid":"u3","parentUuid":"a2","mess'
    const content = `${jsonl(records.slice(0, 2))}${torn}\n${jsonl(records.slice(2))}`
    const root = writeBelow(newFolder(), { [`projects/-p/${SESSION}.jsonl`]: content })
    const { out } = await runHere(check, ['--root', root, '--no-index'], NOW_MS)
    expect(out).toMatch(/On resume Claude Code comes to as much as a repair could give it: 3 of 4 records reachable/)
    expect(out).toMatch(/clew repair 5e551011 would only tidy it up \(lines\)\n/)
  })
})

describe('refused in one line', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['no such fix', [SESSION, '--fix', 'everything'], '--fix takes lines or chain'],
    ['no such target', [SESSION, '--out', 'elsewhere'], '--out takes new or in-place'],
    ['both ways', [SESSION, '--apply', '--dry-run'], 'exclude each other'],
    ['nothing named', [], 'which conversation?'],
    ['nothing of that name', ['nowhere'], 'no conversation has'],
    ['nothing to take back', ['--undo'], 'no repair was done yet'],
    ['no such receipt', ['--undo', '../../etc'], 'there is no receipt'],
  ]
  test.each(cases)('%s', async (_, words, said) => {
    const { root } = broken()
    const { status, err } = await mend(words, root, newFolder('home'))
    expect([status, err.trim().split('\n').length]).toEqual([1, 1])
    expect(err).toContain(said)
  })

  test('a session that a client has open', async () => {
    const { root, path } = broken()
    writeBelow(root, { 'sessions/1.json': JSON.stringify({ pid: process.pid, sessionId: SESSION }) })
    const before = readFileSync(path)
    const { status, err } = await mend([SESSION, '--out', 'in-place', '--apply'], root, newFolder('home'))
    expect([status, err]).toEqual([1, expect.stringContaining(`process ${process.pid} has this session open`)])
    expect(readFileSync(path)).toEqual(before)
  })

  test('a healthy one has nothing to repair, and --apply changes nothing', async () => {
    const { root, path } = broken(bytesOf(talk()))
    const { status, out } = await mend([SESSION, '--apply'], root, newFolder('home'))
    expect([status, out]).toEqual([0, expect.stringContaining('Nothing needs to be repaired.')])
    expect(readdirSync(join(path, '..'))).toEqual([`${SESSION}.jsonl`])
  })
})
