// The message array: complete pairs, turns taken, and small enough.

import { describe, expect, test } from 'vitest'
import type { Body } from '../../src/record/model.ts'
import { extract, planFit, tokensOf } from '../../src/store/fit.ts'
import { messagesOf } from '../../src/store/messages.ts'

const user = (content: unknown, more: Body = {}): Body => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const assistant = (id: string, block: Body, more: Body = {}): Body => ({
  type: 'assistant',
  message: { role: 'assistant', id, content: [block] },
  ...more,
})
const call = (id: string): Body => ({ type: 'tool_use', id, name: 'Bash', input: {} })
const result = (id: string, content: string): Body => ({ type: 'tool_result', tool_use_id: id, content })
const text = (said: string): Body => ({ type: 'text', text: said })
const THINKING: Body = { type: 'thinking', thinking: 'hm', signature: 's' }

describe('messages', () => {
  test('gather the Blocks of a reply, also when a tool answered in between', () => {
    expect(
      messagesOf([
        user('go'),
        assistant('m1', text('sure')),
        assistant('m1', call('t1')),
        user([result('t1', 'one')]),
        assistant('m1', call('t2')),
        user([result('t2', 'two')]),
        assistant('m2', text('done')),
      ]),
    ).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [text('sure'), call('t1'), call('t2')] },
      { role: 'user', content: [result('t1', 'one'), result('t2', 'two')] },
      { role: 'assistant', content: 'done' },
    ])
  })

  test('have a result for every call and a call for every result', () => {
    const open = messagesOf([user('go'), assistant('m1', call('t1'))])
    expect(open.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true }],
    })
    const inside = messagesOf([
      user('go'),
      assistant('m1', call('t1')),
      user('never mind'),
      assistant('m2', text('ok')),
    ])
    expect(JSON.stringify(inside)).not.toContain('t1')
    expect(inside[0]).toEqual({ role: 'user', content: [text('go'), text('never mind')] })
    const orphan = messagesOf([user([result('nobody', 'x')]), user('hi')])
    expect(orphan).toEqual([{ role: 'user', content: 'hi' }])
    const twice = messagesOf([
      user('go'),
      assistant('m1', call('t1')),
      user([result('t1', 'a')]),
      user([result('t1', 'b')]),
    ])
    expect(twice.at(-1)).toEqual({ role: 'user', content: [result('t1', 'b')] })
  })

  test('have results in the order in which they came, and those that never came last', () => {
    const calls = ['t1', 't2', 't3'].map((id) => assistant('m1', call(id)))
    const last = messagesOf([user('go'), ...calls, user([result('t3', 'c')]), user([result('t1', 'a')])]).at(-1)
    expect(last?.content).toMatchObject([result('t3', 'c'), result('t1', 'a'), { tool_use_id: 't2', is_error: true }])
  })

  test.each<[string, readonly Body[], readonly Body[]]>([
    ['nothing but thinking', [THINKING], []],
    ['thinking that was hidden', [{ type: 'redacted_thinking', data: 's' }], []],
    ['thinking before a call that nobody answered', [THINKING, call('t1')], []],
    ['thinking and a blank text', [THINKING, text('\n\n')], []],
    ['thinking behind a text', [text('said'), THINKING], [text('said')]],
    ['thinking before a text', [THINKING, text('said')], [THINKING, text('said')]],
    ['a blank text behind another', [text('said'), text(' \n')], [text('said')]],
  ])('end no reply with thinking, and have no blank texts: %s', (_, blocks, left) => {
    const sent = messagesOf([user('go'), ...blocks.map((block) => assistant('m1', block)), user('on')])
    expect(sent.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))).toEqual(
      left.length === 0 ? [] : [left.length === 1 ? left[0]?.['text'] : left],
    )
  })

  test("have the client's own commands and what they printed, as the client sends them", () => {
    const local = (content: string, more: Body = {}): Body => ({
      ...{ type: 'system', subtype: 'local_command', content },
      ...more,
    })
    const printed = '<local-command-stdout>Nothing so far.</local-command-stdout>'
    const sent = messagesOf([
      local('<command-name>/cost</command-name>'),
      local(printed),
      local('<local-command-stdout>A picture</local-command-stdout>', { isDisplayOnly: true }),
      user('go'),
    ])
    expect(sent).toEqual([
      { role: 'user', content: [text('<command-name>/cost</command-name>'), text(printed), text('go')] },
    ])
  })

  test('leave out what the API refuses and what only the client said', () => {
    const kept = messagesOf([
      user(''),
      user('hi'),
      assistant('m1', { type: 'thinking', thinking: 'hm', signature: '' }),
      assistant('m1', { type: 'thinking', thinking: 'hm', signature: 's' }),
      assistant('m1', text('')),
      assistant('m1', text('yes')),
      assistant('m2', text('API Error'), { isApiErrorMessage: true }),
      { type: 'attachment', attachment: { type: 'queued_command', prompt: 'and this' } },
      { type: 'attachment', attachment: { type: 'date', date: 'today' } },
      { type: 'system', subtype: 'informational', content: 'x' },
    ])
    expect(kept).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, text('yes')] },
      { role: 'user', content: 'and this' },
    ])
  })
})

describe('a budget', () => {
  const chain = Array.from({ length: 60 }, (_, index) => {
    const body =
      index % 2 === 0 ? user(`question ${index} ${'w '.repeat(60)}`) : assistant(`m${index}`, text(`answer ${index}`))
    return { uuid: `u${index}`, body }
  })

  test('that is large enough changes nothing', async () => {
    expect(await planFit(chain, { budgetTokens: 1e6 })).toBe(null)
  })

  test('is kept: a summary and the last turns', async () => {
    for (const budgetTokens of [400, 800, 1200]) {
      const plan = await planFit(chain, { budgetTokens })
      const preserve = plan?.preserve ?? []
      const after = messagesOf([user(plan?.summary ?? ''), ...preserve.map(({ body }) => body)])
      expect(tokensOf(after)).toBeLessThanOrEqual(budgetTokens)
      expect(preserve.at(-1)?.uuid).toBe('u59')
      expect(plan?.summary).toContain('question 0')
    }
  })

  test('counts what tools printed', async () => {
    const turns = Array.from({ length: 10 }, (_, index) => [
      user(`question ${index}`),
      assistant(`m${index}`, call(`t${index}`)),
      user([result(`t${index}`, 'w '.repeat(2000))]),
      assistant(`n${index}`, text('done')),
    ])
    const tools = turns.flat().map((body, index) => ({ uuid: `u${index}`, body }))
    const plan = await planFit(tools, { budgetTokens: 5000 })
    const preserve = plan?.preserve.map(({ body }) => body) ?? []
    expect(preserve).toEqual(turns.slice(-2).flat())
    expect(tokensOf(messagesOf([user(plan?.summary ?? ''), ...preserve]))).toBeLessThanOrEqual(5000)
  })

  test('is told to whoever summarises, and an extract is the same each time', async () => {
    const plan = await planFit(chain, { budgetTokens: 500, summarise: (turns, room) => `${turns.length} ${room}` })
    expect(plan?.summary).toMatch(/^\d+ 250$/)
    const turns = [{ prompt: 'a', answer: 'b', tools: new Map([['Bash', 2]]) }]
    expect(extract(turns, 100)).toBe(extract(turns, 100))
    expect(extract(turns, 100)).toContain('Bash ×2')
  })
})
