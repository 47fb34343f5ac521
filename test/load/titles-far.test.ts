// Titles in files larger than the 64 KiB at either end that the official SDK looks at.

import { describe, expect, it } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { ListedConversation } from '../../src/load/list.ts'
import { listProject } from '../../src/load/list.ts'
import type { Raw } from '../cli/records.ts'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'

const ID = sessionId('a')
const FAR = 1 << 16
const LAST = { type: 'last-prompt', lastPrompt: 'On.', leafUuid: 'a2' }

describe('the last prompt', () => {
  it.each([
    ['stands in the last 64 KiB', 0, 'On.'],
    ['begins a byte before them', 1, 'Spin.'],
  ])('%s', (_, before, title) => {
    const rest = FAR + before - jsonl([LAST]).length
    const records = [...talk('Spin.'), filler('a3', FAR), LAST, filler('a4', rest)]
    expect(listed(records).title).toBe(title)
  })
})

describe('a summary far from the end', () => {
  it.each([
    ['of another session is no title', 'elsewhere', 'Spin.'],
    ['of this one is', 'a2', 'Spinning thread'],
  ])('%s', (_, leafUuid, title) => {
    const summary = { type: 'summary', summary: 'Spinning thread', leafUuid }
    expect(listed([summary, ...talk('Spin.'), filler('a3', FAR)]).title).toBe(title)
  })
})

describe('a text behind the first 64 KiB', () => {
  it.each([
    ['does not take the place of a command in them', '<command-name>/spin</command-name>', '/spin'],
    ['is found where nothing stands in them', '<bash-stdout>wool</bash-stdout>', 'On.'],
  ])('%s', (_, first, title) => {
    const records = [...talk(first), filler('a3', FAR), prompt('a4', 'a3', 'On.')]
    expect(listed(records)).toMatchObject({ title, firstPrompt: title })
  })

  it('is one when its line end is', () => {
    const first = talk('<command-name>/spin</command-name>')
    const next = { ...prompt('a4', 'a3', 'On.'), sessionId: ID }
    const room = FAR - jsonl([...first, next]).length
    expect(listed([...first, filler('a3', room), next]).title).toBe('On.')
    expect(listed([...first, filler('a3', room + 1), next]).title).toBe('/spin')
  })
})

function listed(records: readonly Raw[]): ListedConversation {
  const root = writeBelow(newFolder('far'), { [`projects/-home-ada/${ID}.jsonl`]: records })
  const rows = findTranscripts([root]).projects.flatMap((project) => listProject(project))
  expect(rows).toHaveLength(1)
  return rows[0] as ListedConversation
}

function talk(first: string): readonly Raw[] {
  return session(ID, [prompt('a1', null, first), reply('a2', 'a1', 'Done.')])
}

/** A reply whose line is so many bytes long. */
function filler(uuid: string, bytes: number): Raw {
  const empty = jsonl([reply(uuid, 'a2', '')]).length
  return reply(uuid, 'a2', 'z'.repeat(bytes - empty))
}
