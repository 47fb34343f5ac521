// One by one what may tie a file that grows to another conversation, each in the smallest archive in which it counts:
// brought up to date, the index is the one that is built at once. Nor is a project taken apart there (graph/kin.ts).

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { expectPartsAreEnough } from '../load/in-parts.ts'
import { dumpIndex } from './dump.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-ties-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ID = { one: session(1), two: session(2), three: session(3) }

function session(number: number): string {
  return `0000000${number}-0000-4000-8000-000000000000`
}

function uuid(number: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`
}

let seconds = 0

/** What somebody says in a session. */
function said(sessionId: string | null, id: string, parentUuid: string | null, more: object = {}): string {
  const message = { role: 'user', content: `tide ${id}` }
  const timestamp = new Date(1_790_000_000_000 + 1000 * seconds++).toISOString()
  const record = { type: 'user', uuid: id, parentUuid, timestamp, message, ...more }
  return `${JSON.stringify(sessionId === null ? record : { ...record, sessionId })}\n`
}

const unended = (line: string): string => line.slice(0, -1)
const title = (sessionId: string): string =>
  `${JSON.stringify({ type: 'custom-title', customTitle: 'moon', sessionId })}\n`
const resumes = (sessionId: string, parentSessionId: string): string =>
  `${JSON.stringify({ type: 'session_start', sessionId, parentSessionId })}\n`
const forked = (from: string): object => ({ forkedFrom: { sessionId: from, messageUuid: uuid(99) } })

interface Case {
  readonly what: string
  readonly before: Readonly<Record<string, string>>
  readonly added: Readonly<Record<string, string>>
}

const { one, two, three } = ID
const first = said(one, uuid(1), null)
const CASES: readonly Case[] = [
  {
    what: 'a parent in another file',
    before: { [one]: first, [two]: said(two, uuid(2), null) },
    added: { [two]: said(two, uuid(3), uuid(1)) },
  },
  {
    what: 'a record that another file has',
    before: { [one]: first + said(one, uuid(2), uuid(1)), [two]: said(two, uuid(3), null) },
    added: { [two]: first },
  },
  {
    what: 'a record that another file names',
    before: { [one]: first, [two]: said(two, uuid(3), uuid(2)) },
    added: { [one]: said(one, uuid(2), uuid(1)) },
  },
  {
    what: 'a record that another file names behind its last line end',
    before: { [one]: first, [two]: said(two, uuid(3), null) + unended(said(two, uuid(4), uuid(2))) },
    added: { [one]: said(one, uuid(2), uuid(1)) },
  },
  {
    what: 'a record with an id that is no UUID, and that another file names',
    before: { [one]: first, [two]: said(two, uuid(3), 'step "7"') },
    added: { [one]: said(one, 'step "7"', uuid(1)) },
  },
  {
    what: 'the first record of its own in a copy',
    before: { [one]: first + said(one, uuid(2), uuid(1)), [two]: first },
    added: { [two]: said(two, uuid(3), uuid(1)) },
  },
  {
    what: 'the first record of its own in what was copied',
    before: { [one]: first, [two]: first + said(one, uuid(2), uuid(1)) },
    added: { [one]: said(one, uuid(3), uuid(1)) },
  },
  {
    what: 'where it comes from, in a copy of another',
    before: { [one]: first, [two]: first + said(two, uuid(2), uuid(1)), [three]: said(three, uuid(3), null) },
    added: { [two]: said(two, uuid(4), uuid(2), forked(three)) },
  },
  {
    what: 'the first record of a session that another one resumes',
    before: { [one]: title(one), [two]: resumes(two, one) + said(two, uuid(2), null) },
    added: { [one]: first },
  },
  {
    what: 'the last record of a session that another one resumes',
    before: { [one]: first, [two]: resumes(two, one) + said(two, uuid(2), null) },
    added: { [one]: said(one, uuid(3), uuid(1)) },
  },
  {
    what: 'an unended line that was a record and is none',
    before: { [one]: first, [two]: said(two, uuid(2), null) + unended(said(two, uuid(3), uuid(1))) },
    added: { [two]: 'x\n' },
  },
  {
    what: 'whose agent it is',
    before: { [one]: first, 'agent-a1': said(null, uuid(2), null, { isSidechain: true, agentId: 'a1' }) },
    added: { 'agent-a1': said(one, uuid(3), uuid(2), { isSidechain: true, agentId: 'a1' }) },
  },
  {
    what: 'whose agent it has become, and whose it was',
    before: {
      [one]: first,
      [two]: said(two, uuid(5), null),
      'agent-a1': said(one, uuid(2), null, { isSidechain: true, agentId: 'a1' }),
    },
    added: { 'agent-a1': said(two, uuid(3), uuid(2), { isSidechain: true, agentId: 'a1' }) },
  },
  {
    what: 'a record of an agent',
    before: {
      [one]: first,
      [`${one}/subagents/agent-a1`]: said(one, uuid(2), null, { isSidechain: true, agentId: 'a1' }),
    },
    added: { [`${one}/subagents/agent-a1`]: said(one, uuid(3), uuid(2), { isSidechain: true, agentId: 'a1' }) },
  },
  {
    what: 'several files at once, one of which names what the other has',
    before: { [one]: first, [two]: said(two, uuid(2), null) },
    added: { [one]: said(one, uuid(3), uuid(1)), [two]: said(two, uuid(4), uuid(3)) },
  },
]

// A project that is small, and one that is too large to be woven as a whole.
const WAYS = [SIZES, { ...SIZES, wholeBytes: 0 }].flatMap((sizes) => CASES.map((one) => ({ ...one, sizes })))

it.each(WAYS)('$what, up to $sizes.wholeBytes bytes as a whole', async ({ what, before, added, sizes }) => {
  const root = join(folder, `${what.replaceAll(/\W/g, '-')}-${sizes.wholeBytes}`)
  const pathOf = (name: string): string => join(root, 'projects', '-home-ada-tidewatch', `${name}.jsonl`)
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(dirname(pathOf(name)), { recursive: true })
    writeFileSync(pathOf(name), text)
  }
  const [kept, fresh] = [openDatabase(null), openDatabase(null)]
  await ingest(kept, null, findTranscripts([root]), { nowMs: 1, sizes })
  for (const [name, text] of Object.entries(added)) appendFileSync(pathOf(name), text)
  await ingest(kept, null, findTranscripts([root]), { nowMs: 2, sizes })
  await ingest(fresh, null, findTranscripts([root]), { nowMs: 2 })
  expect(dumpIndex(kept)).toEqual(dumpIndex(fresh))
  expectPartsAreEnough(findTranscripts([root]))
  kept.close()
  fresh.close()
})
