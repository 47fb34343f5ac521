// Slash commands and shell lines are found and shown as they were typed, without the tags of the client.

import { expect, test } from 'vitest'
import { envelopeOf, newReadState } from '../../src/record/envelope.ts'
import type { Body } from '../../src/record/model.ts'
import { textsOf } from '../../src/search/texts.ts'

test.each([
  [
    '<command-message>compact</command-message>\n<command-name>/compact</command-name>\n<command-args>keep names</command-args>',
    { prompt: '/compact keep names', output: '' },
  ],
  [
    '<command-name>/review</command-name>\n<command-message>review is running…</command-message> and the tests',
    { prompt: '/review\nand the tests', output: '' },
  ],
  [
    '<command-name>/review</command-name>\n<command-message>the harbour</command-message>',
    { prompt: '/review\nthe harbour', output: '' },
  ],
  ['<bash-input>ls</bash-input> in the attic', { prompt: '! ls\nin the attic', output: '' }],
  ['<bash-input>ls -la</bash-input>', { prompt: '! ls -la', output: '' }],
  ['<bash-stdout>plan.txt</bash-stdout><bash-stderr></bash-stderr>', { prompt: '', output: 'plan.txt' }],
  ['<local-command-stdout>Total: $1</local-command-stdout>', { prompt: '', output: 'Total: $1' }],
  ['What is <command-name>?', { prompt: 'What is <command-name>?', output: '' }],
])('%s', (content, expected) => {
  expect(indexed({ type: 'user', message: { role: 'user', content } })).toMatchObject(expected)
})

test.each([
  ['<command-name>/rename</command-name>\n<command-args>Tides</command-args>', { prompt: '/rename Tides', output: '' }],
  ['<local-command-stdout>Renamed</local-command-stdout>', { prompt: '', output: 'Renamed' }],
])('%s in a record of the client', (content, expected) => {
  expect(indexed({ type: 'system', subtype: 'local_command', content })).toMatchObject(expected)
})

test('a plan that was accepted is what the model wrote', () => {
  const content = 'Implement the following plan:\n\n# Tides'
  const plan = { type: 'user', message: { role: 'user', content }, planContent: '# Tides' }
  expect(indexed(plan)).toMatchObject({ prompt: '', reply: content, output: '' })
})

function indexed(record: Body): object | null {
  const body = { uuid: 'a', ...record }
  const envelope = envelopeOf(body, { line: 1, offset: 0, length: 1 }, newReadState(false))
  return textsOf(envelope, body, () => undefined)
}
