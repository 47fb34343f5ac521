// Some clients write what a compaction keeps once more, with another word about themselves. Nothing is wrong with that.

import { expect, test } from 'vitest'
import { prompt, reply, session, writeBelow } from './records.ts'
import { clew, newFolder } from './run.ts'

const boundary = {
  ...{ type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null, logicalParentUuid: 'u2' },
  compactMetadata: { trigger: 'auto', preTokens: 9, preservedMessages: { anchorUuid: 'c2', uuids: ['u2'] } },
}
const recap = { ...prompt('c2', 'c1', 'What was said.'), isCompactSummary: true }

const time = { timestamp: '2026-05-05T00:00:00.000Z' }

function rootWith(again: object): string {
  return writeBelow(newFolder(), {
    'projects/-p/kept.jsonl': session('kept', [
      ...[prompt('u1', null, 'one'), reply('a1', 'u1', 'Yes.'), { ...prompt('u2', 'a1', 'two'), ...time }],
      ...[{ ...prompt('u2', 'a1', 'two'), ...time, ...again }, boundary, recap, reply('a2', 'u2', 'Yes.')],
    ]),
  })
}

test('what a compaction kept and was written again is no Problem', () => {
  const root = rootWith({ slug: 'calm-tide' })
  const { out, status } = clew(['check', '--root', root])
  expect(out).toContain('No problems.')
  expect(out).not.toContain('copy-differs')
  expect(status).toBe(0)
})

test('one that leads elsewhere is', () => {
  const root = rootWith({ slug: 'calm-tide', parentUuid: 'u1' })
  expect(clew(['check', '--root', root]).out).toContain('copy-differs')
})
