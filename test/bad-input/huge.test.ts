// Graphs of a size that breaks recursion, spread arguments and anything quadratic: each step from bytes to a Reading must
// take less than ten seconds and leave every record in its place (reliability.md §1.3 “Graph”, CC#20992).

import * as fs from 'node:fs'
import * as path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/problem.ts'
import { conversationProblems } from '../../src/conversation/build.ts'
import { reachOf } from '../../src/conversation/reach.ts'
import { branchesOfConversation, readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { summarise } from '../../src/conversation/summary.ts'
import { loadProject, weaveSession } from '../../src/load/project.ts'
import type { LoadedFile } from '../../src/load/read.ts'
import { discover } from '../../src/source/discover.ts'
import { FILE_NAME, inFolder, projectOf } from './read-case.ts'
import { expectNodesPlaced } from './sound.ts'

const TIME_MS_MAX = 10_000

interface HugeCase {
  readonly name: string
  readonly count: number
  /** The records, short and written by hand: a million of them is a hundred megabytes as it is. */
  readonly lines: (count: number) => Iterable<string>
  readonly problems: (count: number) => Readonly<Record<string, number>>
  /** How many messages the full Reading has. */
  readonly full: (count: number) => number
  readonly branches?: (count: number) => number
}

const same = (count: number): number => count
const none = (): Readonly<Record<string, number>> => ({})

function user(uuid: number | string, parent: number | string | null, more = ''): string {
  return `{"type":"user","uuid":"${uuid}","parentUuid":${quoted(parent)},"message":{"content":"x"}${more}}`
}

function reply(uuid: number | string, parent: number | string | null, blocks = '', id = `m${uuid}`): string {
  const message = `{"id":"${id}","content":[${blocks}]}`
  return `{"type":"assistant","uuid":"${uuid}","parentUuid":${quoted(parent)},"message":${message}}`
}

function other(type: string, uuid: number | string, parent: number | string | null, more = ''): string {
  return `{"type":"${type}","uuid":"${uuid}","parentUuid":${quoted(parent)}${more}}`
}

function quoted(parent: number | string | null): string {
  return parent === null ? 'null' : `"${parent}"`
}

function* each(count: number, line: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; index++) yield line(index)
}

const inTurn = (index: number, parent: number | null): string => (index % 2 === 0 ? user : reply)(index, parent)
const above = (index: number): number | null => (index === 0 ? null : index - 1)

const CASES: readonly HugeCase[] = [
  {
    name: 'a chain, a million deep',
    count: 1_000_000,
    lines: (count) => each(count, (index) => inTurn(index, above(index))),
    problems: none,
    full: same,
  },
  {
    name: 'a chain of a hundred thousand, written backwards',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(count - 1 - index, above(count - 1 - index))),
    problems: none,
    full: same,
  },
  {
    name: 'a cycle of a hundred thousand',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index === 0 ? count - 1 : index - 1)),
    problems: () => ({ 'parent-cycle': 1 }),
    full: same,
  },
  {
    name: 'a hundred thousand records that are their own parents',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index)),
    problems: (count) => ({ 'parent-cycle': count }),
    full: same,
  },
  {
    name: 'fifty thousand cycles of two',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index ^ 1)),
    problems: (count) => ({ 'parent-cycle': count / 2 }),
    full: same,
  },
  {
    name: 'a hundred thousand prompts below one reply',
    count: 100_000,
    lines: (count) => each(count, (index) => (index === 0 ? reply(0, null) : user(index, 0))),
    problems: none,
    full: () => 2,
    branches: (count) => count - 1,
  },
  {
    name: 'two hundred thousand results of one reply',
    count: 200_000,
    lines: (count) =>
      each(count, (index) => {
        if (index === 0) return reply(0, null, '{"type":"tool_use","id":"t","name":"Bash","input":{}}')
        const content = `[{"type":"tool_result","tool_use_id":"t${index}"}]`
        return `{"type":"user","uuid":"${index}","parentUuid":"0","message":{"content":${content}}}`
      }),
    problems: none,
    full: same,
  },
  {
    name: 'a hundred thousand pieces of one reply',
    count: 100_000,
    lines: (count) => each(count, (index) => reply(index, null, '{"type":"text","text":"x"}', 'm')),
    problems: none,
    full: () => 1,
    branches: same,
  },
  {
    name: 'a hundred thousand roots',
    count: 100_000,
    lines: (count) => each(count, (index) => user(index, null)),
    problems: none,
    full: () => 1,
    branches: same,
  },
  {
    name: 'a hundred thousand parents that were never written',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, -1 - index)),
    problems: (count) => ({ 'missing-parent': count }),
    full: same,
  },
  {
    name: 'a hundred thousand copies of one record',
    count: 100_000,
    lines: (count) => each(count, (index) => user('one', null, `,"cwd":"/${index % 2}"`)),
    problems: (count) => ({ 'copy-differs': count / 2 }),
    full: () => 1,
  },
  {
    name: 'branches nested fifty thousand deep',
    count: 100_000,
    // Each prompt has the next one below it and a reply that comes later than everything below that.
    lines: (count) =>
      each(count, (index) => (index < count / 2 ? user(index, above(index)) : reply(index, count - 1 - index))),
    problems: none,
    full: () => 2,
    branches: (count) => count / 2,
  },
  {
    name: 'a run of a hundred thousand progress records',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => (index < count - 1 ? other('progress', index, above(index)) : user(index, index - 1))),
    problems: none,
    full: () => 1,
  },
  {
    name: 'fifty thousand main records below a sidechain of fifty thousand',
    count: 100_000,
    lines: (count) =>
      each(count, (index) =>
        index < count / 2
          ? user(index, above(index), ',"isSidechain":true')
          : inTurn(index, index % 2 === 0 ? count / 2 - 1 : index - 1),
      ),
    problems: () => ({ 'unlinked-subagent': 1 }),
    full: () => 2,
    branches: (count) => count / 4,
  },
  {
    name: 'fifty thousand compactions',
    count: 100_000,
    lines: (count) =>
      each(count, (index) =>
        index % 2 === 0 ? user(index, above(index)) : other('system', index, null, ',"subtype":"compact_boundary"'),
      ),
    problems: none,
    full: (count) => count / 2,
  },
  {
    name: 'a hundred thousand queued prompts that nobody answered',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        const attachment = `,"attachment":{"type":"queued_command","prompt":"p${index}"}`
        return index === 0 ? user(0, null) : other('attachment', index, index - 1, attachment)
      }),
    problems: none,
    full: same,
  },
  {
    name: 'fifty thousand prompts left in the queue, between fifty thousand messages',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        if (index % 2 === 0) return user(index, index === 0 ? null : index - 2)
        return `{"type":"queue-operation","operation":"enqueue","content":"p${index}"}`
      }),
    problems: none,
    full: (count) => count / 2,
  },
]

function writeLines(file: string, lines: Iterable<string>): number {
  const fd = fs.openSync(file, 'w')
  let waiting: string[] = []
  for (const line of lines) {
    waiting.push(line)
    if (waiting.length < 20_000) continue
    fs.writeSync(fd, `${waiting.join('\n')}\n`)
    waiting = []
  }
  if (waiting.length > 0) fs.writeSync(fd, `${waiting.join('\n')}\n`)
  const { size } = fs.fstatSync(fd)
  fs.closeSync(fd)
  return size
}

function countsOf(problems: readonly Problem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { code } of problems) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

describe('huge', () => {
  for (const { name, count, lines, problems, full, branches = () => 1 } of CASES)
    test(name, () =>
      inFolder((folder) => {
        const file = path.join(folder, FILE_NAME)
        const sizeBytes = writeLines(file, lines(count))
        const project = inTime('reading', () => loadProject(projectOf(discover(file).files), { readsAgents: true }))
        const woven = inTime('weaving', () => weaveSession(project, 0, 'resume'))
        const loaded = project.mains[0] as LoadedFile
        expect(loaded.account).toEqual({ sizeBytes, records: sizeBytes, problems: 0, tail: 0, blank: 0 })
        expect(loaded.transcript.envelopes.length).toBe(count)
        expect(countsOf(conversationProblems(woven))).toEqual(problems(count))
        const reading = inTime('the full Reading', () => readFull(woven))
        expect(reading.chain.length).toBe(full(count))
        expectNodesPlaced(woven)
        const branchCount = woven.outline.branches.length
        expect(branchCount).toBe(branches(count))
        inTime('counting', () => [reachOf(woven), summarise(woven, 0)])
        if (count > 100_000) return
        inTime('the context Reading', () => readContextTurns(woven))
        inTime('all Branches', () => branchesOfConversation(woven))
        if (branchCount > 1) inTime('the last Branch', () => readFull(woven, branchCount - 1))
      }),
    )
})

function inTime<Value>(what: string, run: () => Value): Value {
  const startMs = performance.now()
  const value = run()
  expect(performance.now() - startMs, `ms for ${what}`).toBeLessThan(TIME_MS_MAX)
  return value
}
