// More than one file at once: sidecars that are broken, files that name each other's records, folders that may not be
// read, and ten thousand transcripts in one folder.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { describe, expect, test } from 'vitest'
import { conversationProblems } from '../../src/conversation/build.ts'
import { readFull } from '../../src/conversation/reading.ts'
import { checkProject } from '../../src/load/check.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { listProject } from '../../src/load/list.ts'
import { loadProject, weaveSession } from '../../src/load/project.ts'
import { discover } from '../../src/source/discover.ts'
import { readAgentMeta, readCustomTitle } from '../../src/source/sidecar.ts'
import type { Written } from '../graph/transcript-of.ts'
import { a, boundary, summary, talk, textOf, u } from '../graph/transcript-of.ts'
import { codesOf, inFolder, projectOf, sorted } from './read-case.ts'

const ID = '5e551011-0000-4000-8000-000000000000'
const AGENT = textOf(talk(null, 'a1', 'a2').map((record) => ({ ...record, isSidechain: true, agentId: 'a' })))

interface SidecarCase {
  readonly name: string
  readonly write: (file: string) => void
  /** Null when there is nothing to complain about. */
  readonly problem: string | null
}

const SIDECARS: readonly SidecarCase[] = [
  { name: 'missing', write: () => undefined, problem: null },
  { name: 'empty', write: (file) => fs.writeFileSync(file, ''), problem: 'sidecar-unreadable' },
  { name: 'cut off', write: (file) => fs.writeFileSync(file, '{"agentType":"Exp'), problem: 'sidecar-unreadable' },
  { name: 'a list', write: (file) => fs.writeFileSync(file, '[1]'), problem: 'sidecar-unreadable' },
  { name: 'NULs', write: (file) => fs.writeFileSync(file, '\0'.repeat(512)), problem: 'sidecar-unreadable' },
  {
    name: 'with a byte order mark',
    write: (file) => fs.writeFileSync(file, '\ufeff{}'),
    problem: 'sidecar-unreadable',
  },
  {
    name: 'of the wrong kinds',
    write: (file) => fs.writeFileSync(file, '{"agentType":7,"toolUseId":[]}'),
    problem: null,
  },
  { name: 'a FIFO', write: (file) => execFileSync('mkfifo', [file]), problem: 'sidecar-unreadable' },
  { name: 'a folder', write: (file) => fs.mkdirSync(file), problem: 'sidecar-unreadable' },
  { name: 'a link to /dev/zero', write: (file) => fs.symlinkSync('/dev/zero', file), problem: 'sidecar-unreadable' },
  {
    name: 'two gigabytes',
    write: (file) => [fs.writeFileSync(file, '{"x":"'), fs.truncateSync(file, 2 ** 31)],
    problem: 'sidecar-unreadable',
  },
  {
    name: 'a million deep',
    write: (file) => fs.writeFileSync(file, `{"x":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
    problem: null,
  },
]

describe('a sidecar that is', () => {
  for (const { name, write, problem } of SIDECARS)
    test(name, () =>
      inFolder((folder) => {
        const session = path.join(folder, ID)
        fs.mkdirSync(path.join(session, 'subagents'), { recursive: true })
        fs.writeFileSync(path.join(folder, `${ID}.jsonl`), textOf(talk(null, '1', '2')))
        fs.writeFileSync(path.join(session, 'subagents/agent-a.jsonl'), AGENT)
        write(path.join(session, 'subagents/agent-a.meta.json'))
        write(path.join(session, 'custom-title.json'))
        const { files } = discover(folder)
        const agent = files.find((file) => file.role === 'subagent')
        if (agent === undefined) throw new Error('the agent was not found')
        expect(readAgentMeta(agent).problem?.code ?? null).toBe(problem)
        expect(readCustomTitle(session).problem?.code ?? null).toBe(problem)
        const checked = checkProject(projectOf(files))
        expect(checked.map((file) => file.recordCount)).toEqual([2, 2])
        expect(listProject(projectOf(files)).map((row) => row.turns)).toEqual([1])
      }),
    )
})

interface FilesCase {
  readonly name: string
  readonly files: Readonly<Record<string, readonly Written[]>>
  /** The messages of each file's full Reading and its Problems. */
  readonly told: Readonly<Record<string, readonly [full: string, problems: string]>>
}

const own = (name: string, records: readonly Written[]): readonly Written[] =>
  records.map((record) => ({ ...(record as object), sessionId: name }))

const RELATED: readonly FilesCase[] = [
  {
    name: 'a parent in another file',
    files: { one: own('one', talk(null, '1', '2')), two: own('two', talk('2', '3', '4')) },
    told: { one: ['1 2', ''], two: ['1 2 3 4', ''] },
  },
  {
    name: 'a logical parent in another file',
    files: {
      one: own('one', talk(null, '1', '2')),
      two: own('two', [{ ...boundary('b', null), logicalParentUuid: '2' }, summary('s', 'b'), ...talk('s', '3', '4')]),
    },
    told: { one: ['1 2', ''], two: ['1 2 3 4', ''] },
  },
  {
    name: 'a parent in a file whose own parent is in a third',
    files: {
      one: own('one', talk(null, '1', '2')),
      three: own('three', talk('4', '5', '6')),
      two: own('two', talk('2', '3', '4')),
    },
    told: { one: ['1 2', ''], three: ['1 2 3 4 5 6', ''], two: ['1 2 3 4', ''] },
  },
  {
    name: 'two files that continue each other',
    files: { one: own('one', talk('4', '1', '2')), two: own('two', talk('2', '3', '4')) },
    told: { one: ['3 4 1 2', ''], two: ['1 2 3 4', ''] },
  },
  {
    name: 'a copy of a whole session under a new name',
    files: { one: own('one', talk(null, '1', '2')), two: own('one', talk(null, '1', '2')) },
    told: { one: ['1 2', ''], two: ['1 2', ''] },
  },
  {
    name: 'one uuid in two files with other content',
    files: { one: own('one', talk(null, '1', '2')), two: own('two', [u('1', null, { cwd: '/q' }), a('3', '1')]) },
    told: { one: ['1 2', ''], two: ['1 3', ''] },
  },
  {
    name: 'a fork of itself',
    files: { one: own('one', [u('1', null, { forkedFrom: { sessionId: 'one', messageUuid: '1' } }), a('2', '1')]) },
    told: { one: ['1 2', ''] },
  },
]

describe('files that name each other', () => {
  for (const { name, files, told } of RELATED)
    test(name, () =>
      inFolder((folder) => {
        for (const [key, written] of Object.entries(files)) {
          fs.writeFileSync(path.join(folder, `${key}.jsonl`), textOf(written))
        }
        const project = projectOf(discover(folder).files)
        const loaded = loadProject(project, { readsAgents: true })
        const found: Record<string, readonly [string, string]> = {}
        for (const [index, { transcript }] of loaded.mains.entries()) {
          const woven = weaveSession(loaded, index, 'resume')
          const chain = readFull(woven).chain.join(' ')
          found[transcript.sessionId] = [chain, codesOf({ problems: conversationProblems(woven) })]
        }
        const expected = Object.entries(told).map(([key, [full, problems]]) => [key, [full, sorted(problems)]])
        expect(found).toEqual(Object.fromEntries(expected))
        expect(checkProject(project).length).toBe(Object.keys(files).length)
      }),
    )
})

/** Runs without the rights of root, if it has them; null where that cannot be done. */
function withoutRights<Value>(use: () => Value): Value | null {
  if (process.getuid?.() !== 0) return use()
  // A worker thread cannot become anybody else; a process of its own can.
  const { seteuid } = process
  if (seteuid === undefined) return null
  try {
    seteuid(65_534)
    return use()
  } finally {
    seteuid(0)
  }
}

describe('what may not be read', () => {
  const cases = [
    { name: 'a file of mode 000', target: 'bad.jsonl', problem: 'file-unreadable bad.jsonl', good: 2 },
    { name: 'a folder of mode 000', target: 'bad', problem: 'folder-unreadable bad', good: 1 },
  ]
  for (const { name, target, problem, good } of cases)
    test(name, ({ skip }) =>
      inFolder((folder) => {
        fs.chmodSync(folder, 0o755)
        fs.writeFileSync(path.join(folder, 'good.jsonl'), textOf(talk(null, '1', '2')))
        if (target === 'bad') fs.mkdirSync(path.join(folder, target))
        else fs.writeFileSync(path.join(folder, target), textOf(talk(null, '3', '4')))
        fs.chmodSync(path.join(folder, target), 0o000)
        const told = withoutRights(() => {
          const archive = findTranscripts([folder])
          const checked = archive.projects.flatMap((project) => checkProject(project))
          const problems = [...archive.problems, ...checked.flatMap((file) => file.problems)]
          return { problems, counts: checked.map((file) => file.recordCount) }
        })
        if (told === null) return skip('NOT TESTED: root reads everything and cannot become anybody else here')
        expect(
          told.problems.map(({ code, position }) => `${code} ${path.relative(folder, position?.path ?? '')}`),
        ).toEqual([problem])
        expect(told.counts.filter((count) => count === 2).length).toBe(1)
        expect(told.counts.length).toBe(good)
      }),
    )
})

const TIME_MS_MAX = 10_000

describe('very many', () => {
  test('ten thousand transcripts in one folder, with the folders of their sessions', () =>
    inFolder((folder) => {
      const text = (index: number): string => textOf([u(`${index}-1`, null), a(`${index}-2`, `${index}-1`)])
      for (let index = 0; index < 10_000; index++) {
        const name = path.join(folder, `session-${index}`)
        fs.writeFileSync(`${name}.jsonl`, text(index))
        if (index % 4 === 0) fs.mkdirSync(name)
      }
      const startMs = performance.now()
      const { files, problems } = discover(folder)
      expect(performance.now() - startMs, 'ms for finding').toBeLessThan(TIME_MS_MAX)
      expect([files.length, problems.length]).toEqual([10_000, 0])
      const rows = listProject(projectOf(files))
      expect(performance.now() - startMs, 'ms for finding and listing').toBeLessThan(2 * TIME_MS_MAX)
      expect(rows.length).toBe(10_000)
    }))

  test('three hundred sessions, each a continuation of the one before', () =>
    inFolder((folder) => {
      for (let index = 0; index < 300; index++) {
        const parent = index === 0 ? null : `${index - 1}-2`
        const written = own(`s${index}`, [u(`${index}-1`, parent), a(`${index}-2`, `${index}-1`)])
        fs.writeFileSync(path.join(folder, `s${index}.jsonl`), textOf(written))
      }
      const startMs = performance.now()
      const rows = listProject(projectOf(discover(folder).files))
      expect(performance.now() - startMs).toBeLessThan(TIME_MS_MAX)
      expect(rows.find((row) => row.sessionId === 's299')?.turns).toBe(300)
    }))

  test('three hundred copies of one session', () =>
    inFolder((folder) => {
      const text = textOf(own('s0', talk(null, ...Array.from({ length: 40 }, (_, index) => `${index}`))))
      for (let index = 0; index < 300; index++) fs.writeFileSync(path.join(folder, `s${index}.jsonl`), text)
      const startMs = performance.now()
      expect(listProject(projectOf(discover(folder).files)).length).toBe(300)
      expect(performance.now() - startMs).toBeLessThan(TIME_MS_MAX)
    }))
})
