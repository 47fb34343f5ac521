// A large project is woven in parts that tell nothing of each other: what is said of each of its files is what is said where
// all of them are read together. The ties of test/search/appended-ties.test.ts and the histories of the index hold it too.

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { kinOf } from '../../src/graph/kin.ts'
import type { RelatedFile } from '../../src/graph/owners.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { clientCases } from '../corpus/corpus.ts'
import type { Written } from '../graph/transcript-of.ts'
import { a, talk, textOf, u } from '../graph/transcript-of.ts'
import { expectPartsAreEnough } from './in-parts.ts'

describe('files that tell nothing of each other', () => {
  it('are apart', () => {
    expect(kin(talk(null, 'u1', 'a1'), talk(null, 'u2', 'a2'), [])).toEqual([[0], [1], [2]])
  })

  it('and those that do are together, however many lie between', () => {
    const far = [u('u4', 'a1'), a('a4', 'u4')]
    expect(kin(talk(null, 'u1', 'a1'), talk(null, 'u2', 'a2'), talk(null, 'u3', 'a2'), far)).toEqual([
      [0, 3],
      [1, 2],
    ])
    expect(kin(talk(null, 'u1'), talk(null, 'u2'), talk(null, 'u2', 'u1', 'u3'))).toEqual([[0, 1, 2]])
  })

  it.each<readonly [string, Written]>([
    ['a record', u('u1', null)],
    ['a parent', u('u9', 'u1')],
    [
      'what came before a compaction',
      { type: 'system', subtype: 'compact_boundary', uuid: 'b', logicalParentUuid: 'u1' },
    ],
    ['a session', { type: 'session_start', parentSessionId: 'session-0' }],
  ])('but for %s', (_, told) => {
    expect(kin(talk(null, 'u1', 'a1'), [u('u8', null), told])).toEqual([[0, 1]])
  })

  it('of clients that gave copies new uuids are known by the replies', () => {
    const old = { version: '1.0.90' }
    expect(kin([a('a1', null, old)], [{ ...a('a2', null, old), message: a('a1', null)['message'] }])).toEqual([[0, 1]])
  })
})

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))

it('says the same of each session of the sample', () => {
  expect(expectPartsAreEnough(findTranscripts([SAMPLE]))).toBeGreaterThan(2)
})

const cases = clientCases()

describe.runIf(cases.length > 0)('genuine sessions, as if somebody had worked in one folder only', () => {
  it.each([...new Set(cases.map(({ name }) => name.split('/')[0] as string))])('%s', (version) => {
    const folders = cases.filter(({ name }) => name.startsWith(`${version}/`)).map(({ folder }) => folder)
    const { projects } = findTranscripts(folders)
    const files = projects.flatMap((project) => project.files)
    const whole = { key: '-all', root: folders[0] as string, files, sizeBytes: 1 }
    expect(expectPartsAreEnough({ projects: [whole] })).toBeGreaterThan(0)
  })
})

function kin(...files: readonly (readonly Written[])[]): readonly (readonly number[])[] {
  return kinOf(files.map(relatedFile))
}

function relatedFile(written: readonly Written[], index: number): RelatedFile {
  const lines = splitLines(new TextEncoder().encode(textOf(written)))
  return { sessionId: `session-${index}`, envelopes: readTranscript(`/p/session-${index}.jsonl`, lines).envelopes }
}
