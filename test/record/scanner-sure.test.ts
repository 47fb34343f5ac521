// What clients write most is never parsed: the scanner is sure of it. And it is not sure of what needs a rule over a text.

import { expect, it } from 'vitest'
import { byScanner, expectBothWays } from './both-ways.ts'

const HEAD = { parentUuid: 'u0', isSidechain: false, uuid: 'u1', timestamp: '2026-11-15T18:16:07.087Z', sessionId: 's' }
const attached = (attachment: object): object => ({ ...HEAD, type: 'attachment', attachment, rendered: 'x' })
const prompt = (marks: object, content = 'Mend the tide table.'): object => ({
  ...HEAD,
  type: 'user',
  message: { role: 'user', content },
  ...marks,
})

const SURE: readonly (readonly [string, object])[] = [
  ['a listing', attached({ type: 'skill_listing', content: 'many' })],
  ['what a hook said', attached({ type: 'hook_success', hookName: 'x', content: 'said', stdout: 'said' })],
  ['an attachment of a type that nobody knows', attached({ type: 'novel', words: ['a', { b: 'c' }] })],
  ['an attachment in a fork', { ...attached({ type: 'file' }), forkedFrom: { sessionId: 'o', messageUuid: 'm' } }],
  ['a request', { type: 'api-request', sessionId: 's', id: 'r', params: { model: 'x' }, keep: 1, tail: ['h'] }],
  [
    'a part of a request',
    { type: 'api-request-blob', hash: 'h', message: { role: 'user', content: [{ type: 'odd' }] } },
  ],
  ['costs', { type: 'cost-state', sessionId: 's', totalCostUSD: 0.1, modelUsage: { x: { inputTokens: 1 } } }],
  ['a mode', { type: 'mode', mode: 'normal', sessionId: 's' }],
  ['a change of a file', { type: 'file-history-delta', messageId: 'm', trackingPath: 'a', backup: { version: 1 } }],
  ['a prompt that was typed', prompt({ origin: { kind: 'human' }, promptSource: 'typed', turnOrigin: 'human' })],
  ['a prompt typed in a sidechain', prompt({ isSidechain: true, promptSource: 'typed' })],
  ['a prompt of a program', prompt({ promptSource: 'sdk', turnOrigin: 'sdk' })],
]

const NOT_SURE: readonly (readonly [string, object])[] = [
  [
    'a prompt that waited in the queue',
    attached({ type: 'queued_command', prompt: 'And the moon?', source_uuid: 'q' }),
  ],
  ['an attachment that is a text', { ...attached({}), attachment: 'x' }],
  ['an attachment with a subtype of its own', { ...attached({ type: 'file' }), subtype: 'b' }],
  ['an attachment beside a message', { ...prompt({}), attachment: { type: 'file', prompt: 'x' } }],
  ['a title', { type: 'custom-title', customTitle: 'Tides', sessionId: 's' }],
  [
    'a notice',
    prompt({ origin: { kind: 'task-notification' }, promptSource: 'system', turnOrigin: 'task_notification' }),
  ],
  ['what the client wrote', prompt({ promptSource: 'system' })],
  ['what a background task wrote', prompt({ turnOrigin: 'task_notification' })],
  ['what somebody else wrote', prompt({ origin: { kind: 'novel' } })],
  ['a command', prompt({ promptSource: 'typed' }, '<command-name>/clear</command-name>')],
]

it.each(SURE)('is sure of %s', (_, record) => {
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`)
  expectBothWays(bytes)
  expect(byScanner(bytes).sure).toBe(1)
})

it.each(NOT_SURE)('is not sure of %s', (_, record) => {
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`)
  expectBothWays(bytes)
  expect(byScanner(bytes).sure).toBe(0)
})

it('is not sure of a word with a meaning that is written with escapes', () => {
  for (const [record, word, written] of [
    [attached({ type: 'queued_command', prompt: 'x' }), 'queued', '\\u0071ueued'],
    [prompt({ promptSource: 'system' }), '"system"', '"\\u0073ystem"'],
    [prompt({ turnOrigin: 'task_notification' }), 'task_', '\\u0074ask_'],
    [prompt({ origin: { kind: 'human' } }), '"human"', '"\\u0068uman"'],
    [prompt({ origin: { kind: 'coordinator' } }), '"kind"', '"\\u006bind"'],
    [{ type: 'mode', mode: 'normal' }, '"mode",', '"\\u006dode",'],
  ] as const) {
    const bytes = Buffer.from(`${JSON.stringify(record).replace(word, written)}\n`)
    expectBothWays(bytes, written)
    expect(byScanner(bytes).sure, written).toBe(0)
  }
})

it('reports bytes that are not UTF-8 in a name however often it comes', () => {
  for (const key of ['sessionId', 'agentId', 'cwd', 'gitBranch', 'version', 'attributionAgent', 'toolDenialKind']) {
    const line = JSON.stringify({ ...HEAD, [key]: 'NAME', type: 'assistant', message: { content: [] } })
    const bytes = Buffer.from(`${line}\n`.repeat(3).replaceAll('NAME', '\xff\xfe'), 'latin1')
    expectBothWays(bytes, key)
    expect(byScanner(bytes).sure, key).toBe(0)
  }
})
