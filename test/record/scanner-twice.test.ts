// A key that comes twice, and a thing that is two things: the last one counts for JSON.parse, and the scanner, which goes by
// once, gives up. Each of these lines would be read wrongly without that; made at random they hardly ever are.

import { expect, it } from 'vitest'
import { byScanner, expectBothWays } from './both-ways.ts'

const reply = (message: string, more = ''): string => `{"type":"assistant","uuid":"u"${more},"message":{${message}}}`
const blocks = (...made: readonly string[]): string =>
  reply(`"id":"m","content":[${made.map((one) => `{${one}}`).join(',')}]`)
const results = (made: string): string => `{"type":"user","uuid":"u","message":{"role":"user","content":[{${made}}]}}`
const used = (usage: string): string => reply(`"id":"m","model":"x","content":[],"usage":{${usage}}`)

const TWICE: readonly string[] = [
  '{"type":"user","uuid":"u","type":"assistant","message":{"content":[]}}',
  '{"type":"mode","uuid":"u","uuid":null}',
  reply('"content":[],"content":[{"type":"text","text":"t"}]'),
  reply('"content":[{"type":"text","text":"t"}],"content":[]'),
  reply('"id":"m","id":null,"content":[]'),
  reply('"model":"x","model":null,"content":[]'),
  reply('"stop_reason":"end_turn","stop_reason":null,"content":[]'),
  reply('"usage":{"input_tokens":1},"usage":null,"content":[]'),
  used('"input_tokens":1,"input_tokens":null'),
  used('"output_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":5,"ephemeral_1h_input_tokens":null}'),
  used('"output_tokens":1,"speed":"fast","speed":"slow"'),
  blocks('"type":"text","text":"one","text":"two"'),
  blocks('"type":"text","text":"one","text":null'),
  blocks('"type":"text","type":"thinking","text":"one"'),
  blocks('"type":"tool_use","id":"a","id":"b","name":"Bash","input":{}'),
  blocks('"type":"tool_use","id":"a","name":"Bash","input":{"command":"a"},"input":{}'),
  results('"type":"tool_result","tool_use_id":"a","is_error":true,"is_error":false'),
  results('"type":"tool_result","tool_use_id":"a","content":"one","content":"two"'),
  results('"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one","text":"two"}]'),
  '{"type":"assistant","uuid":"u","forkedFrom":{"sessionId":"s","sessionId":null},"message":{"content":[]}}',
  '{"type":"progress","uuid":"u","data":{"type":"a","type":null}}',
  '{"type":"attachment","uuid":"u","attachment":{"type":"file","type":null}}',
  '{"type":"attachment","uuid":"u","attachment":{"type":"file"},"attachment":{"type":"date"}}',
  '{"type":"user","uuid":"u","origin":{"kind":"coordinator","kind":"human"},"message":{"content":"hi"}}',
]

const TWO_THINGS: readonly string[] = [
  blocks('"type":"text","text":"one","thinking":"two"'),
  blocks('"type":"text","text":"one","id":"a","name":"Bash","input":{"command":"ls"}'),
  blocks('"type":"tool_use","name":"Bash","input":{"command":"ls"}'),
  blocks('"type":"tool_use","id":"a","input":{"command":"ls"}'),
  blocks('"type":"tool_use","id":"a","name":"Bash"'),
  blocks('"type":"tool_use","tool_use_id":"a","name":"Bash","input":{}'),
  blocks('"type":"image","id":"a","name":"Bash","input":{"command":"ls"}'),
  blocks('"type":"thinking","id":"a","name":"Bash","input":{"command":"ls"}'),
  blocks('"type":"tool_use","tool_use_id":"a","id":"b","name":"Bash","input":{}'),
  blocks('"type":"text","text":"one","content":"two"'),
  blocks('"type":"text","content":"two"'),
  blocks('"type":"text","name":"Bash","text":"one"'),
  results('"type":"tool_result","tool_use_id":"a","content":"one","text":"two"'),
  results('"type":"tool_result","id":"a","content":"one"'),
  results('"type":"tool_result","id":"a","tool_use_id":"b","content":"one"'),
  results('"type":"tool_use","id":"a","name":"Bash","input":{"command":"ls"}'),
  reply('"id":"m","content":""'),
  '{"type":"assistant","uuid":"u","message":{"id":"m","content":[]},"messageId":"other"}',
  reply('"id":"m","content":[]', ',"attachment":{"content":"other"}'),
  reply('"id":"m","content":[]', ',"data":{"type":"x"}'),
  '{"type":"progress","uuid":"u","subtype":"b","data":{"type":"a"}}',
  '{"type":"progress","uuid":"u","data":{"type":"a"},"toolUseResult":{"agentId":"b"}}',
  '{"type":"system","uuid":"u","subtype":"informational","content":"a","error":{"message":"b"}}',
  '{"type":"system","uuid":"u","subtype":"compact\\u005fboundary","content":"a"}',
  used('"output_tokens":1,"speed":"\\u0066ast"'),
  used('"output_tokens":1000000000000'),
]

it.each([...TWICE, ...TWO_THINGS])('gives up on %s', (line) => {
  const bytes = Buffer.from(`${line}\n`)
  expectBothWays(bytes)
  expect(byScanner(bytes).sure).toBe(0)
})

it('gives up on a byte that is not UTF-8 wherever it stands in a text with escapes', () => {
  for (let at = 0; at < 100; at++) {
    const text = `${'a\\n'.repeat(40)}`.split('')
    if (text[at - 1] !== '\\') text.splice(at, 0, '\xff')
    const line = `{"type":"assistant","uuid":"u","slug":"${text.join('')}","message":{"content":[]}}\n`
    const bytes = Buffer.from(line, 'latin1')
    expectBothWays(bytes, line)
    expect(byScanner(bytes).sure, line).toBe(text.includes('\xff') ? 0 : 1)
  }
})
