// What a fork of a compacted session takes from other files when the record that its Boundary names was moved behind it.

import { describe, expect, test } from 'vitest'
import type { FindTranscript } from '../../src/conversation/ancestors.ts'
import { earlierTranscripts } from '../../src/conversation/ancestors.ts'
import type { LoadedTranscript } from '../../src/conversation/build.ts'
import { bridgeProblems, fullLinks } from '../../src/graph/full-links.ts'
import type { Thread } from '../../src/graph/thread.ts'
import { buildThread } from '../../src/graph/thread.ts'
import { newLabels } from '../../src/record/labels.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import type { Written } from '../graph/transcript-of.ts'
import { a, compaction, keeps, talk, textOf, u } from '../graph/transcript-of.ts'

function fileOf(path: string, ...written: readonly Written[]): LoadedTranscript {
  const { envelopes, problems } = readTranscript(path, splitLines(Buffer.from(textOf(written))))
  return { path, sessionId: path, envelopes, problems, labels: newLabels() }
}

function compacted(name: string, last: string): readonly Written[] {
  const [boundary, recap] = compaction(`${name}1`, `${name}2`, keeps(`${name}2`, last))
  return [{ ...boundary, logicalParentUuid: last }, recap as Written]
}

interface Woven {
  readonly taken: readonly string[]
  /** From the root to the last record. */
  readonly way: readonly string[]
  readonly problems: readonly string[]
}

function read(main: LoadedTranscript, ...others: readonly LoadedTranscript[]): Woven {
  const find: FindTranscript = (uuid, except) =>
    others.find((one) => !except.has(one.path) && one.envelopes.some((envelope) => envelope.uuid === uuid)) ?? null
  const { transcripts, joins } = earlierTranscripts(main, threadOf([main]), find, () => null)
  const files = [...transcripts, main]
  const thread = threadOf(files)
  const links = fullLinks(thread, joins)
  const way: string[] = []
  for (let at = thread.nodes.length - 1; at >= 0; at = links.parents[at] ?? -1)
    way.unshift(thread.nodes[at]?.uuid ?? '')
  const paths = files.map(({ path }) => path)
  return {
    taken: transcripts.map(({ path }) => path),
    way,
    problems: bridgeProblems(thread, links, paths).map(({ code }) => code),
  }
}

function threadOf(files: readonly LoadedTranscript[]): Thread {
  return buildThread(files.map(({ envelopes }, transcript) => ({ transcript, envelopes })))
}

const ORIGIN = fileOf('origin', ...talk(null, '1u', '1a'), ...compacted('c', '1a'), u('2u', 'c2'), a('2a', '2u'))
const MOVED = [...compacted('c', '1a'), a('1a', 'c2')]

describe('a fork that moved the record its Boundary names', () => {
  const fork = fileOf('fork', ...MOVED, u('fu', '1a'))

  test('takes what came before from the file where it was not moved', () => {
    expect(read(fork, ORIGIN)).toEqual({ taken: ['origin'], way: ['1u', '1a', 'fu'], problems: [] })
  })

  test('takes nothing from other forks, which have moved it too', () => {
    const other = fileOf('other', ...MOVED, u('ou', '1a'))
    expect(read(fork, other, ORIGIN)).toEqual({ taken: ['origin'], way: ['1u', '1a', 'fu'], problems: [] })
    expect(read(fork, other).taken).toEqual([])
  })

  test('begins at the compaction when it is alone, without a Problem', () => {
    expect(read(fork)).toEqual({ taken: [], way: ['c1', 'c2', '1a', 'fu'], problems: [] })
  })

  test('takes what came before from a fork and what it was forked from', () => {
    const middle = fileOf('middle', ...MOVED, u('fu', '1a'), a('fa', 'fu'), ...compacted('d', 'fa'))
    const last = fileOf('last', ...compacted('d', 'fa'), a('fa', 'd2'), u('gu', 'fa'))
    const way = ['1u', '1a', 'fu', 'fa', 'gu']
    expect(read(last, middle, ORIGIN)).toEqual({ taken: ['origin', 'middle'], way, problems: [] })
  })
})

describe('a fork whose Boundary does not say what came last before it', () => {
  test('takes what came before from the file that the Boundary was copied from', () => {
    const [boundary, recap] = compaction('c1', 'c2')
    const fork = fileOf('fork', { ...boundary, logicalParentUuid: null }, recap as Written, u('fu', 'c2'))
    const way = ['1u', '1a', 'c1', 'c2', 'fu']
    expect(read(fork, ORIGIN)).toEqual({ taken: ['origin'], way, problems: [] })
    expect(read(fork)).toEqual({ taken: [], way: ['c1', 'c2', 'fu'], problems: [] })
  })

  test('takes it also where the Boundary names a record that is in no file', () => {
    const [plain, recap] = compaction('c1', 'c2')
    const boundary = { ...plain, logicalParentUuid: 'erased' }
    const origin = fileOf('origin', ...talk(null, '1u', '1a'), boundary, recap as Written, u('2u', 'c2'), a('2a', '2u'))
    const [again, more] = compaction('d1', 'd2')
    const next = { ...again, logicalParentUuid: 'erased too' }
    const copied = [boundary, recap as Written, u('2u', 'c2'), a('2a', '2u')]
    const middle = fileOf('middle', ...copied, u('3u', '2a'), a('3a', '3u'), next, more as Written, u('4u', 'd2'))
    const last = fileOf('last', next, more as Written, u('4u', 'd2'), u('5u', '4u'))
    const sibling = fileOf('sibling', ...copied, u('6u', '2a'))
    const before = ['1u', '1a', 'c1', 'c2', '2u', '2a']
    expect(read(middle, sibling, origin)).toMatchObject({
      taken: ['origin'],
      way: [...before, '3u', '3a', 'd1', 'd2', '4u'],
    })
    const way = [...before, '3u', '3a', 'd1', 'd2', '4u', '5u']
    expect(read(last, origin, sibling, middle)).toMatchObject({ taken: ['origin', 'middle'], way })
  })

  test('takes nothing from a fork into the file that was copied', () => {
    const [plain, recap] = compaction('c1', 'c2')
    const [next, more] = compaction('d1', 'd2')
    const copied = [
      ...[{ ...plain, logicalParentUuid: 'erased' }, recap as Written, u('2u', 'c2'), a('2a', '2u')],
      ...[{ ...next, logicalParentUuid: 'erased too' }, more as Written, u('3u', 'd2')],
    ]
    const origin = fileOf('origin', ...talk(null, '1u', '1a'), ...copied)
    const way = ['1u', '1a', 'c1', 'c2', '2u', '2a', 'd1', 'd2', '3u']
    expect(read(origin, fileOf('fork', ...copied))).toMatchObject({ taken: [], way })
    expect(read(fileOf('fork', ...copied, u('4u', '3u')), origin)).toMatchObject({ way: [...way, '4u'] })
  })

  test('takes also what was summarised from a message on', () => {
    const [plain, recap] = compaction('c1', 'c2', keeps('c1', '1u', '1a'))
    const boundary = { ...plain, logicalParentUuid: '1a' }
    const before = talk(null, '1u', '1a', '2u', '2a')
    const origin = fileOf('origin', ...before, boundary, recap as Written, u('3u', 'c2'))
    const moved = [u('1u', 'c1'), a('1a', '1u'), { ...(recap as object), parentUuid: '1a' }]
    const fork = fileOf('fork', boundary, ...moved, u('fu', 'c2'))
    const { taken, way, problems } = read(fork, origin)
    expect([taken, problems]).toEqual([['origin'], []])
    expect(way.filter((uuid) => !uuid.startsWith('c'))).toEqual(['1u', '1a', '2u', '2a', 'fu'])
  })
})

test('a cycle of parents that no fork writes is still one', () => {
  const [boundary, recap] = compaction('c1', 'c2')
  const file = fileOf('broken', { ...boundary, logicalParentUuid: '1a' }, recap as Written, a('1a', 'c2'))
  expect(read(file).problems).toEqual(['parent-cycle'])
})
