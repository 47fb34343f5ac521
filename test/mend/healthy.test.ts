// What is in good health is left alone, byte for byte; and so is what only looks like damage, because it is never sent.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cut, HOLLOW, picture, thinking } from './damage.ts'
import {
  boundary,
  bytesOf,
  call,
  compacted,
  pointer,
  reply,
  result,
  system,
  talk,
  text,
  timed,
  user,
} from './healthy.ts'
import { repair } from './repair.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const rewind = { type: 'last-prompt', leafUuid: NIL, explicit: true }

const HEALTHY: Readonly<Record<string, () => Buffer>> = {
  'a talk': () => bytesOf(talk()),
  'a compacted talk': () => bytesOf(compacted()),
  'nothing at all': () => Buffer.alloc(0),
  'titles and nothing else': () => bytesOf(talk().filter((record) => !('uuid' in record))),
  'lines that end in CR LF': () => Buffer.from(bytesOf(talk()).toString().replaceAll('\n', '\r\n')),
  'hollow thinking with its signature, as clients write it today': () => thinking(HOLLOW),
  'a rewind': () =>
    bytesOf(timed([...talk(), rewind, user('v1', 'a4', 'Differently.'), reply('v2', 'v1', 'm7', text('So?'))])),
  'a rewind to the first prompt': () =>
    bytesOf(timed([...talk(), rewind, user('v1', null, 'Anew.'), reply('v2', 'v1', 'm7', text('So?'))])),
  'a rewind with a command behind it': () =>
    bytesOf(timed([...talk(), rewind, system('v1', 'a4', 'local_command', { content: '<command-name>/cost' })])),
  'a pointer to an older branch that was written last': () =>
    bytesOf(
      timed([...talk(), user('v1', 'a4', 'Aside.'), reply('v2', 'v1', 'm7', text('So?')), pointer('c1', 'Thank you.')]),
    ),
  'a pointer from before a compaction': () => {
    const records = compacted().filter(({ uuid }) => uuid !== 'a2')
    records.splice(2, 0, pointer('a1', 'When is high water at the pier?'))
    return bytesOf(timed(records.map((one) => (one['uuid'] === 'cb' ? boundary('cb', 'u2') : one))))
  },
  'a pointer to one of two results': () => {
    const records = talk().slice(0, -1)
    records.splice(12, 0, pointer('s1', 'And at the lock, and in the harbour?'))
    return bytesOf(timed(records))
  },
  'a compaction at the end that was never finished': () =>
    bytesOf(timed([...compacted().slice(0, 4), boundary('cb', 'a2')])),
  'the first record goes on from another file': () =>
    bytesOf(talk().map((record) => (record['uuid'] === 'u1' ? { ...record, parentUuid: 'elsewhere' } : record))),
  'a talk that leads a team from its first result on': () =>
    bytesOf(
      talk().map((record, index) => (index >= 5 && 'uuid' in record ? { ...record, teamName: 'pilots' } : record)),
    ),
  'an unanswered call in a branch that was left (CC#8484)': () => {
    const records = talk()
    records.splice(8, 0, reply('x1', 'a4', 'm7', call('T7')))
    return bytesOf(timed(records))
  },
  'a result without its call before a compaction (CC#8484)': () => {
    const records = compacted()
    records.splice(2, 0, result('r9', 'a1', 'T9', 'nine'))
    return bytesOf(timed(records.map((one) => (one['uuid'] === 'u2' ? { ...one, parentUuid: 'r9' } : one))))
  },
  'half a character and a large picture before a compaction': () => {
    const records = compacted()
    records[0] = user('u1', null, [text('\ud83c'), picture({ width: 9000 })])
    return bytesOf(timed(records))
  },
}

test.each(Object.keys(HEALTHY))('%s', (name) => {
  const source = (HEALTHY[name] as () => Buffer)()
  const { plan, result: bytes, broken } = repair(source)
  expect(plan.steps).toEqual([])
  expect(bytes.equals(source)).toBe(true)
  expect(broken).toEqual([])
})

test('what is never sent is told as harmless', () => {
  const source = (HEALTHY['half a character and a large picture before a compaction'] as () => Buffer)()
  const { before } = repair(source).plan
  expect(before.troubles).toEqual([])
  expect(before.harmless.map(({ code }) => code)).toEqual(['image-too-wide', 'lone-surrogate'])
})

test('one byte less is noticed', () => {
  expect(repair(cut(bytesOf(talk()), 1)).plan.steps).toHaveLength(1)
})

const CORPUS = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus', 'client')

describe.runIf(existsSync(CORPUS))('genuine transcripts', () => {
  test('are left alone, but for torn lines and calls that a kill left unanswered', { timeout: 600_000 }, () => {
    const files = transcriptsIn(CORPUS)
    const changed: Record<string, readonly string[]> = {}
    for (const path of files) {
      const source = readFileSync(path)
      const isSubagent = path.includes('/subagents/') || path.includes('/agent-')
      const { plan, result: bytes, broken } = repair(source, { isSubagent })
      expect([path, broken]).toEqual([path, []])
      if (plan.steps.length === 0) expect([path, bytes.equals(source)]).toEqual([path, true])
      else changed[path.slice(CORPUS.length + 1)] = plan.steps.map(({ code }) => code)
    }
    expect(files.length).toBeGreaterThan(300)
    const unexpected = Object.entries(changed).filter(([path, codes]) => {
      const isTorn =
        /\/(?:torn|enospc)\//.test(path) && codes.every((code) => code.startsWith('torn') || isUnanswered(code))
      return !isTorn && !(/\/(?:kill9|agent_background)\//.test(path) && codes.every(isUnanswered))
    })
    expect(unexpected).toEqual([])
  })
})

function isUnanswered(code: string): boolean {
  return code === 'call-without-result'
}

function transcriptsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('journal.jsonl') && statSync(path).isFile())
}
