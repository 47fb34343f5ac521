// Graphs of a size that breaks recursion, spread arguments and anything quadratic: each step from bytes to a Reading
// must take less than ten seconds and leave every record in its place.

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
import type { Envelope } from '../../src/record/model.ts'
import { discover } from '../../src/source/discover.ts'
import { FILE_NAME, inFolder, projectOf } from './read-case.ts'
import { expectNodesPlaced } from './sound.ts'

const TIME_MS_MAX = 10_000
/** Above it a machine that has other things to do may need more, in proportion. */
const COUNT_IN_TIME = 300_000

/** What is quadratic shows in a quarter too; all of it takes minutes. */
const SHARE = process.env['CLEW_LONG'] === '1' ? 1 : 0.25

export function testHuge(group: string, cases: readonly HugeCase[]): void {
  describe(group, () => {
    for (const { name, count: most, lines, problems, full, branches = () => 1 } of cases) {
      const count = most * SHARE
      test(SHARE === 1 ? name : `a quarter of ${name}`, () =>
        inFolder((folder) => {
          const file = path.join(folder, FILE_NAME)
          const sizeBytes = writeLines(file, lines(count))
          const inTime = timed(TIME_MS_MAX * Math.max(1, count / COUNT_IN_TIME))
          const project = inTime('reading', () => loadProject(projectOf(discover(file).files), { readsAgents: true }))
          const woven = inTime('weaving', () => weaveSession(project, 0, 'resume'))
          const loaded = project.mains[0] as LoadedFile
          expect(loaded.account).toEqual({ sizeBytes, records: sizeBytes, problems: 0, tail: 0, blank: 0 })
          expectRecordsInRow(loaded.transcript.envelopes, count)
          expect(countsOf(conversationProblems(woven))).toEqual(problems(count))
          const reading = inTime('the full Reading', () => readFull(woven))
          expect(reading.chain.length).toBe(full(count))
          expectNodesPlaced(woven)
          const branchCount = woven.outline.branches.length
          expect(branchCount).toBe(branches(count))
          if (count > COUNT_IN_TIME) return
          inTime('counting', () => [reachOf(woven), summarise(woven, 0)])
          inTime('the context Reading', () => readContextTurns(woven))
          inTime('all Branches', () => branchesOfConversation(woven))
          if (branchCount > 1) inTime('the last Branch', () => readFull(woven, branchCount - 1))
        }),
      )
    }
  })
}

export interface HugeCase {
  readonly name: string
  readonly count: number
  /** The records, short and written by hand: a million of them is a hundred megabytes as it is. */
  readonly lines: (count: number) => Iterable<string>
  readonly problems: (count: number) => Readonly<Record<string, number>>
  /** How many messages the full Reading has. */
  readonly full: (count: number) => number
  readonly branches?: (count: number) => number
}

export const same = (count: number): number => count
export const none = (): Readonly<Record<string, number>> => ({})

export function user(uuid: number | string, parent: number | string | null, more = ''): string {
  return `{"type":"user","uuid":"${uuid}","parentUuid":${quoted(parent)},"message":{"content":"x"}${more}}`
}

export function reply(uuid: number | string, parent: number | string | null, blocks = '', id = `m${uuid}`): string {
  const message = `{"id":"${id}","content":[${blocks}]}`
  return `{"type":"assistant","uuid":"${uuid}","parentUuid":${quoted(parent)},"message":${message}}`
}

export function other(type: string, uuid: number | string, parent: number | string | null, more = ''): string {
  return `{"type":"${type}","uuid":"${uuid}","parentUuid":${quoted(parent)}${more}}`
}

function quoted(parent: number | string | null): string {
  return parent === null ? 'null' : `"${parent}"`
}

export function* each(count: number, line: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; index++) yield line(index)
}

export const inTurn = (index: number, parent: number | null): string => (index % 2 === 0 ? user : reply)(index, parent)
export const above = (index: number): number | null => (index === 0 ? null : index - 1)

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

/** Each begins where the one before it ends. */
function expectRecordsInRow(envelopes: readonly Envelope[], count: number): void {
  expect(envelopes.length).toBe(count)
  let at = 0
  for (const { offset, length, line } of envelopes) {
    if (offset !== at) expect.fail(`line ${line} begins at byte ${offset} instead of ${at}`)
    at += length
  }
}

function timed(timeMsMax: number): <Value>(what: string, run: () => Value) => Value {
  return (what, run) => {
    const startMs = performance.now()
    const value = run()
    expect(performance.now() - startMs, `ms for ${what}`).toBeLessThan(timeMsMax)
    return value
  }
}
