// How a person names a conversation, and what is said when the name fits none or several.

import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonl, prompt, session, sessionId, talk, withInlineAgent, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

interface Shown {
  readonly conversation: { readonly sessionId: string; readonly agentId: string | null; readonly transcripts: string[] }
  readonly turns: readonly unknown[]
}

const TIDES = join(sample, 'projects', '-home-ada-tidewatch')
const LOCAL_DAYS = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'
const AGENT = 'a3c070c45ad21bfd7'

function found(reference: string, root = sample, cwd?: string): string {
  const [shown] = clewJson<Shown>(['show', reference, '--root', root], cwd === undefined ? {} : { cwd })
  const { sessionId: id, agentId } = shown?.conversation ?? { sessionId: '', agentId: null }
  return agentId === null ? id : `${id}/${agentId}`
}

describe('a conversation is found by', () => {
  test.each([
    ['its id', LOCAL_DAYS],
    ['the beginning of its id', '2ab6'],
    ['the beginning of its id in capitals', '2AB65B76-D18A'],
    ['its id with the slash a shell leaves behind', `${LOCAL_DAYS}/`],
    ['its title', 'Local days instead of 24 hours'],
    ['a part of its title, in any case', 'instead of 24 HOURS'],
    ['its path', join(TIDES, `${LOCAL_DAYS}.jsonl`)],
  ])('%s', (_, reference) => {
    expect(found(reference)).toBe(LOCAL_DAYS)
  })

  test('its path from where one stands, whatever the roots are', () => {
    expect(found(`./${LOCAL_DAYS}.jsonl`, newFolder(), TIDES)).toBe(LOCAL_DAYS)
  })

  test('several words without quotes', () => {
    const { out } = clew(['show', 'Local', 'days', 'instead', '--root', sample])
    expect(out).toMatch(/^Local days instead of 24 hours {2}2ab65b76/)
  })
})

describe('a subagent is found by', () => {
  test.each([
    ['id and agent id', `${LOCAL_DAYS}/${AGENT}`],
    ['prefixes of both', '2ab6/a3c0'],
    ['the name of its file', `2ab6/agent-${AGENT}`],
    ['title and agent id', `Local days instead of 24 hours/${AGENT}`],
    ['path and agent id', `${join(TIDES, `${LOCAL_DAYS}.jsonl`)}/${AGENT}`],
    ['its own path', join(TIDES, LOCAL_DAYS, 'subagents', `agent-${AGENT}.jsonl`)],
  ])('%s', (_, reference) => {
    expect(found(reference)).toBe(`${LOCAL_DAYS}/${AGENT}`)
  })

  test('its own path beside the session, as 2.0.x laid it out', () => {
    const path = join(sample, 'projects', '-home-ada-dotfiles', 'agent-a27b924.jsonl')
    expect(found(path)).toBe('408eda1d-a363-4f87-ac95-605cd1110818/a27b924')
  })

  test('latest and agent id', () => {
    const id = sessionId('a')
    const root = writeBelow(newFolder(), {
      [`projects/-p/${id}.jsonl`]: talk(id, 'hello'),
      [`projects/-p/${id}/subagents/agent-beef.jsonl`]: talk(id, 'look', { isSidechain: true, agentId: 'beef' }),
    })
    expect(found('latest/beef', root)).toBe(`${id}/beef`)
  })
})

test('a record of a subagent that stands in the main file, as search tells it, is shown in that subagent', () => {
  const id = sessionId('c')
  const root = writeBelow(newFolder(), {
    [`projects/-p/${id}.jsonl`]: withInlineAgent(id),
  })
  const hit = clew(['search', 'quicksilver', '--root', root]).out.split(/\s/)[0] ?? ''
  expect(hit).toMatch(/#51de0002/)
  const { status, out } = clew(['show', hit, '--root', root])
  expect(status).toBe(0)
  expect(out).toContain('The moon is quicksilver.')
  expect(out).not.toContain('From the moon.')
})

describe('latest', () => {
  const time = (day: number): { timestamp: string } => ({ timestamp: `2026-05-0${day}T00:00:00.000Z` })

  test('is the first one of the list', () => {
    const [first] = clewJson<{ sessionId: string }>(['list', '--root', sample])
    expect(found('latest')).toBe(first?.sessionId)
  })

  test('goes by the time of the records, not by that of the files', () => {
    const root = writeBelow(newFolder(), {
      'projects/-p/new.jsonl': talk('new', 'x', time(5)),
      'projects/-p/old.jsonl': talk('old', 'x', time(4)),
    })
    utimesSync(join(root, 'projects/-p/new.jsonl'), 0, 0)
    expect(found('latest', root)).toBe('new')
  })

  test('passes over what the list leaves out, and sees behind a last line of any length', () => {
    const root = writeBelow(newFolder(), {
      'projects/-p/queue.jsonl': [{ type: 'queue-operation', operation: 'enqueue', content: 'x', ...time(9) }],
      'projects/-p/long.jsonl': session('long', [{ ...time(8), ...prompt('u', null, 'x'.repeat(200_000)) }]),
      'projects/-p/short.jsonl': talk('short', 'x', time(7)),
    })
    expect(found('latest', root)).toBe('long')
  })
})

test('latest passes over a file with nothing but a title in it, as the table of a list does, with an index and without', () => {
  const root = writeBelow(newFolder(), {
    'projects/-p/said.jsonl': talk('said', 'x', { timestamp: '2026-05-05T00:00:00.000Z' }),
    // Written later, and without a time of its own.
    'projects/-p/titled.jsonl': [{ type: 'custom-title', sessionId: 'titled', customTitle: 'Only a title' }],
  })
  expect(found('latest', root)).toBe('said')
  for (let round = 0; round < 3; round++) {
    const { out } = clew(['list', '--root', root])
    expect(out).toMatch(/\bsaid\b/)
    expect(out).not.toContain('Only a title')
    expect(clew(['show', 'latest', '--root', root]).out).toMatch(/^x {2}said/)
  }
})

describe('a name that fits', () => {
  const [one, other] = ['abc00000-1111-4111-8111-111111111111', 'abc00000-2222-4222-8222-222222222222']
  const root = writeBelow(newFolder(), {
    [`projects/-p/${one}.jsonl`]: talk(one, 'the same title'),
    [`projects/-p/${other}.jsonl`]: talk(other, 'The same title'),
  })

  test.each(['show', 'tree', 'check'])('several conversations: %s lists them', (name) => {
    for (const reference of ['abc0', 'same title']) {
      const { status, out, err } = clew([name, reference, '--root', root])
      expect([status, out]).toEqual([name === 'check' ? 2 : 1, ''])
      expect(err).toMatch(new RegExp(`^clew: “${reference}” fits 2 conversations: .*\n$`))
      expect(err).toContain(`${one} (the same title)`)
      expect(err).toContain(`${other} (The same title)`)
    }
  })

  test('several conversations without a title', () => {
    const root = writeBelow(newFolder(), {
      [`projects/-p/${one}.jsonl`]: [{ type: 'assistant', uuid: 'a', sessionId: one, message: { content: 'x' } }],
      [`projects/-p/${other}.jsonl`]: '',
    })
    const { err } = clew(['show', 'abc0', '--root', root])
    expect(err).toContain(`${one} (no title)`)
    expect(err).toContain(`${other} (no title)`)
  })

  test.each(['show', 'tree', 'check'])('none: %s says so in one line', (name) => {
    const { status, out, err } = clew([name, 'ffffffff', '--root', root])
    expect([status, out]).toEqual([name === 'check' ? 2 : 1, ''])
    expect(err).toMatch(/^clew: no conversation.*“ffffffff”\. Try: clew list\n$/)
  })

  test('no subagent, or several: both say which there are', () => {
    expect(clew(['show', '2ab6/zzz', '--root', sample])).toMatchObject({ status: 1, out: '' })
    expect(clew(['show', '2ab6/zzz', '--root', sample]).err).toMatch(/no subagent “zzz”. It has: a3c070c45ad21bfd7, /)
    expect(clew(['show', '2ab6/a', '--root', sample]).err).toMatch(/^clew: “a” fits 3 subagents: .*\n$/)
    expect(clew(['show', 'f03e/a', '--root', sample]).err).toMatch(/no subagent “a”. It has none.\n$/)
  })

  test('nothing at all: one line that says what is missing', () => {
    for (const name of ['show', 'tree']) {
      const { status, out, err } = clew([name, '--root', root])
      expect([status, out]).toEqual([1, ''])
      expect(err).toMatch(/^clew: which conversation\? .*\n$/)
    }
  })

  test('one session that is stored twice: the newer file is taken, and a line says where the other is', () => {
    const id = sessionId('c')
    const twice = writeBelow(newFolder(), {
      [`projects/-p/${id}.jsonl`]: talk(id, 'older copy'),
      [`projects/-q/${id}.jsonl`]: talk(id, 'newer copy'),
    })
    const [older, newer] = ['-p', '-q'].map((project) => join(twice, 'projects', project, `${id}.jsonl`)) as [
      string,
      string,
    ]
    utimesSync(older, 1, 1)
    for (const name of ['show', 'tree', 'export', 'check']) {
      const { out, err } = clew([name, id, '--root', twice])
      expect(`${out}${err}`, name).toContain(name === 'check' ? newer : 'newer copy')
      expect(err, name).toBe(`clew: ${newer} is taken; an older file of this session is ${older}\n`)
    }
    expect(clew(['show', older, '--root', twice])).toMatchObject({ err: '', out: expect.stringMatching(/^older copy/) })
    expect(clew(['show', 'latest', '--root', twice]).err).toBe('')
  })
})

describe('a record behind a #', () => {
  const id = sessionId('e')
  const records = session(id, [
    prompt('abc1', null, 'one'),
    prompt('abc2', 'abc1', 'two'),
    prompt('abc21', 'abc2', 'three'),
    { type: 'custom-title', customTitle: 'Places' },
  ])
  const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: records })
  const turnAt = (record: string): number | undefined =>
    clewJson<{ at: { turn: number } }>(['show', `${id}#${record}`, '--root', root])[0]?.at.turn
  const offsets = [0, 1, 2, 3].map((count) => Buffer.byteLength(jsonl(records.slice(0, count))))

  test('is named by its uuid, though another begins with it, or by the byte it begins at', () => {
    expect(['abc1', 'abc2', 'abc21'].map(turnAt)).toEqual([1, 2, 3])
    // A title stands in no turn: it is shown with what was said before it.
    expect(offsets.map((offset) => turnAt(`@${offset}`))).toEqual([1, 2, 3, 3])
  })

  test.each([
    ['@29', 'no record begins at byte 29 of the conversation'],
    ['@99999999', 'no record begins at byte 99999999 of the conversation'],
    ['abc', '“abc” fits 3 records of the conversation; more of the uuid tells them apart'],
    ['abcd', 'the conversation has no record “abcd”'],
  ])('%s is one line and exit code 1', (record, message) => {
    for (const name of ['show', 'brief', 'export']) {
      const { status, out, err } = clew([name, `${id}#${record}`, '--root', root])
      expect([status, out, err]).toEqual([1, '', `clew: ${message}\n`])
    }
  })
})

test('a path outside of any archive brings its relatives, but nothing from further below', () => {
  const folder = newFolder()
  const [old, next] = [sessionId('1'), sessionId('2')]
  writeBelow(folder, {
    [`${old}.jsonl`]: session(old, [prompt('u1', null, 'before')]),
    [`${next}.jsonl`]: session(next, [prompt('u2', 'u1', 'after')]),
    'deep/down/x.jsonl': readFileSync(join(TIDES, `${LOCAL_DAYS}.jsonl`)),
  })
  const [shown] = clewJson<Shown>(['show', join(folder, `${next}.jsonl`)])
  expect(shown?.conversation.transcripts).toEqual([join(folder, `${next}.jsonl`), join(folder, `${old}.jsonl`)])
  expect(shown?.turns).toHaveLength(2)
})
