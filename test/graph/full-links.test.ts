// Where the full Reading goes on from across a compaction that kept messages.

import { describe, expect, test } from 'vitest'
import { fullLinks } from '../../src/graph/full-links.ts'
import type { Written } from './transcript-of.ts'
import { a, attachment, compaction, keeps, talk, threadOf, u } from './transcript-of.ts'

const BEFORE = talk(null, '1u', '1a', '2u', '2a')

function compacted(logicalParentUuid: string, kept: Parameters<typeof compaction>[2]): readonly Written[] {
  const [boundary, recap] = compaction('c1', 'c2', kept)
  return [{ ...boundary, logicalParentUuid }, recap as Written]
}

function parentOf(uuid: string, written: readonly Written[]): string | null {
  const thread = threadOf(written)
  const { parents } = fullLinks(thread)
  return thread.nodes[parents[thread.byUuid.get(uuid) ?? -1] ?? -1]?.uuid ?? null
}

describe('a compaction that kept messages', () => {
  test('goes on from the last one kept below the record it names', () => {
    const written = [...BEFORE, ...compacted('1a', keeps('c2', '2u', '2a')), u('3u', 'c2')]
    expect(parentOf('c1', written)).toBe('2a')
  })

  test('also where they are named by their ends, and records stand between', () => {
    const before = [...talk(null, '1u', '1a'), attachment('x', '1a'), u('2u', 'x'), attachment('y', '2u'), a('2a', 'y')]
    const kept = { preservedSegment: { headUuid: '2u', anchorUuid: 'c2', tailUuid: '2a' } }
    expect(parentOf('c1', [...before, ...compacted('1a', kept), u('3u', 'c2')])).toBe('2a')
  })

  test('goes on from the record it names when that is the last one kept, or comes later', () => {
    expect(parentOf('c1', [...BEFORE, ...compacted('2a', keeps('c2', '2u', '2a'))])).toBe('2a')
    expect(parentOf('c1', [...BEFORE, ...compacted('2a', keeps('c1', '1u', '1a'))])).toBe('2a')
    expect(parentOf('c1', [...BEFORE, attachment('x', '2a'), ...compacted('x', keeps('c2', '2a'))])).toBe('x')
  })

  test('goes on from what was summarised where the messages kept came before it', () => {
    expect(parentOf('c1', [...BEFORE, ...compacted('1a', keeps('c1', '1u', '1a'))])).toBe('2a')
    expect(parentOf('c1', [...BEFORE, ...talk('1u', 'b1'), ...compacted('1a', keeps('c1', '1u', '1a'))])).toBe('2a')
  })

  test('goes on from the record it names when another branch was kept, or not all is there', () => {
    const branch = [...BEFORE, ...talk('1u', 'b1', 'b2')]
    expect(parentOf('c1', [...branch, ...compacted('1a', keeps('c2', 'b1', 'b2'))])).toBe('1a')
    expect(parentOf('c1', [...BEFORE, ...compacted('1a', keeps('c2', '2u', 'gone'))])).toBe('1a')
  })

  test('goes on from the record it names when what was kept is written behind it', () => {
    const copies = [u('2u', 'c2'), a('2a', '2u'), u('3u', '2a')]
    expect(parentOf('c1', [...BEFORE, ...compacted('1a', keeps('c2', '2u', '2a')), ...copies])).toBe('1a')
    const moved = [...BEFORE.slice(0, 2), ...compacted('1a', keeps('c2', '2u', '2a')), ...copies]
    expect(parentOf('c1', moved)).toBe('1a')
  })
})
