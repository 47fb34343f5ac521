// An editor puts what is open into a prompt, in Blocks of its own. Nobody typed that.

import { expect, it } from 'vitest'
import type { Part } from '../../src/conversation/parts.ts'
import { partsOf } from '../../src/conversation/parts.ts'
import { readFull } from '../../src/conversation/reading.ts'
import { wovenOf } from '../woven.ts'

function shown(content: unknown, more: object = {}): readonly (readonly [Part['kind'], string])[] {
  const record = { type: 'user', uuid: 'a1', parentUuid: null, message: { role: 'user', content }, ...more }
  const { woven } = wovenOf(Buffer.from(`${JSON.stringify(record)}\n`))
  const parts = readFull(woven).turns.flatMap((turn) => partsOf(turn, () => record))
  return parts.map((part) => [part.kind, 'text' in part ? part.text : ''])
}

const OPENED = { type: 'text', text: '<ide_opened_file>knot.ts</ide_opened_file>' }

it('shows what was typed as the Prompt, and the rest in front of it as the harness’s', () => {
  expect(shown([OPENED, { type: 'text', text: 'What is this?' }])).toEqual([
    ['injection', OPENED.text],
    ['prompt', 'What is this?'],
  ])
  expect(shown([OPENED, { type: 'image', source: {} }])).toEqual([
    ['injection', OPENED.text],
    ['prompt', ''],
  ])
})

it('leaves a Prompt whole where the client says that all of it was typed', () => {
  expect(shown([OPENED, OPENED], { promptSource: 'typed' })).toEqual([['prompt', `${OPENED.text}\n${OPENED.text}`]])
  expect(shown('What is <ide_opened_file>?')).toEqual([['prompt', 'What is <ide_opened_file>?']])
})
