// A prompt may be sent while a call runs: the result that comes behind it is shown once, with its call.

import { expect, it } from 'vitest'
import { layoutOf } from '../../src/conversation/layout.ts'
import { partsOf } from '../../src/conversation/parts.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { turnPlaces } from '../../src/conversation/turn-places.ts'
import type { Body } from '../../src/record/model.ts'
import { wovenOf } from '../woven.ts'

const user = (uuid: string, parentUuid: string | null, content: unknown): Body => ({
  ...{ type: 'user', uuid, parentUuid, message: { role: 'user', content } },
})
const RECORDS: readonly Body[] = [
  user('a1', null, 'Spin.'),
  {
    ...{ type: 'assistant', uuid: 'a2', parentUuid: 'a1' },
    message: { id: 'm1', role: 'assistant', content: [{ type: 'tool_use', id: 'T1', name: 'Bash', input: {} }] },
  },
  user('a3', 'a2', 'And the blue one.'),
  user('a4', 'a3', [{ type: 'tool_result', tool_use_id: 'T1', content: 'spun' }]),
  {
    ...{ type: 'assistant', uuid: 'a5', parentUuid: 'a4' },
    message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'Both.' }] },
  },
]
const bytes = Buffer.from(RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''))

it('shows a result behind another prompt once', () => {
  const { woven } = wovenOf(bytes)
  for (const { turns } of [readFull(woven), readContextTurns(woven)]) {
    const bodyOf = ({ envelope }: { envelope: { line: number } }): Body => RECORDS[envelope.line - 1] as Body
    const shown = turns.map((turn) => partsOf(turn, bodyOf).map(({ kind }) => kind))
    expect(shown).toEqual([
      ['prompt', 'reply'],
      ['prompt', 'reply'],
    ])
    expect(layoutOf(turns).rows.map(({ kind }) => kind)).toEqual(['prompt', 'reply', 'prompt', 'reply'])
  }
})

it('finds it in the Turn of its call', () => {
  expect([...turnPlaces(wovenOf(bytes).woven).turns]).toEqual([1, 1, 2, 1, 2])
})
