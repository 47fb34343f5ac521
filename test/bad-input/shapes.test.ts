// Records that are JSON but not what any client is known to write. None throws, none is dropped, the quick reading
// equals the exact one, and what cannot be understood reads as missing.

import { describe, expect, test } from 'vitest'
import type { Envelope } from '../../src/record/model.ts'
import type { Written } from '../graph/transcript-of.ts'
import { a, attachment, boundary, progress, system, textOf, toolResult, toolUse, u } from '../graph/transcript-of.ts'
import { codesOf, readCase } from './read-case.ts'

interface ShapeCase {
  readonly name: string
  readonly record: Written
  /** What must be so in its Envelope. */
  readonly facts: Partial<Envelope>
}

const reply = (message: unknown): Written => a('X', 'A', { message })
const blocks = (...content: readonly unknown[]): Written => reply({ id: 'm', content })
const said = (message: unknown): Written => u('X', 'A', { message })

const REPLIES: readonly ShapeCase[] = [
  { name: 'an assistant without a message', record: reply(undefined), facts: { kind: 'reply', messageId: null } },
  { name: 'a message that is null', record: reply(null), facts: { kind: 'reply', blocks: [] } },
  { name: 'a message that is a text', record: reply('hello'), facts: { kind: 'reply', blocks: [] } },
  { name: 'a message that is a list', record: reply([{ type: 'text', text: 'x' }]), facts: { blocks: [] } },
  { name: 'content that is missing', record: reply({ id: 'm' }), facts: { messageId: 'm', blocks: [] } },
  { name: 'content that is null', record: reply({ id: 'm', content: null }), facts: { blocks: [] } },
  { name: 'content that is a text', record: reply({ id: 'm', content: 'x' }), facts: { blocks: ['text'] } },
  { name: 'content that is a number', record: reply({ id: 'm', content: 7 }), facts: { blocks: [] } },
  { name: 'content that is an object', record: reply({ id: 'm', content: { type: 'text' } }), facts: { blocks: [] } },
  { name: 'content that is empty', record: blocks(), facts: { blocks: [] } },
  {
    name: 'blocks that are no objects',
    record: blocks(null, 1, 'x', [], true),
    facts: { blocks: ['unknown', 'unknown', 'text', 'unknown', 'unknown'] },
  },
  { name: 'a block without a type', record: blocks({ text: 'x' }), facts: { blocks: ['unknown'] } },
  { name: 'a block whose type is a number', record: blocks({ type: 7 }), facts: { blocks: ['unknown'] } },
  { name: 'a block of an unknown kind', record: blocks({ type: 'hologram' }), facts: { blocks: ['hologram'] } },
  { name: 'a block of an unknown kind in Greek', record: blocks({ type: 'ὄψις' }), facts: { blocks: ['ὄψις'] } },
  { name: 'a text block without text', record: blocks({ type: 'text' }), facts: { blocks: ['text'] } },
  {
    name: 'hollow thinking (CC#63147)',
    record: blocks({ type: 'thinking', thinking: '', signature: 'x'.repeat(600) }),
    facts: { blocks: ['thinking'] },
  },
  {
    name: 'thinking that is null',
    record: blocks({ type: 'thinking', thinking: null }),
    facts: { blocks: ['thinking'] },
  },
  {
    name: 'a call without id, name and input',
    record: blocks({ type: 'tool_use' }),
    facts: { toolUses: [{ id: '', name: '' }] },
  },
  {
    name: 'a call whose id and name are numbers',
    record: blocks({ type: 'tool_use', id: 1, name: 2, input: 3 }),
    facts: { toolUses: [{ id: '', name: '' }] },
  },
  {
    name: 'two calls with one id',
    record: toolUse('X', 'A', ['t', 't']),
    facts: { blocks: ['tool_use', 'tool_use'] },
  },
  {
    name: 'a call whose input is a hundred thousand deep',
    record: `${textOf([blocks({ type: 'tool_use', id: 't', name: 'Odd', input: 0 })])
      .trimEnd()
      .replace('"input":0', `"input":${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`)}\n`,
    facts: { toolUses: [{ id: 't', name: 'Odd' }] },
  },
  {
    name: 'known tools with inputs of the wrong kind',
    record: blocks(
      ...['Bash', 'Read', 'Edit', 'Grep', 'Task', 'WebFetch', 'TodoWrite', 'Skill', 'AskUserQuestion'].map(
        (name, at) => ({
          type: 'tool_use',
          id: `t${at}`,
          name,
          input: {
            command: 1,
            file_path: [],
            pattern: {},
            prompt: null,
            url: 0,
            todos: 'x',
            skill: true,
            questions: {},
          },
        }),
      ),
    ),
    facts: { messageId: 'm' },
  },
  { name: 'a model that is a number', record: reply({ id: 7, model: 7, content: [] }), facts: { model: null } },
  {
    name: 'ids of another provider',
    record: a('X', 'A', { requestId: '', message: { id: 'msg_bdrk_1', model: 'deepseek-chat', content: [] } }),
    facts: { messageId: 'msg_bdrk_1', model: 'deepseek-chat', requestId: null },
  },
  {
    name: 'usage of the wrong kinds',
    record: reply({ content: [], usage: { input_tokens: '9', output_tokens: null, cache_creation: 7 } }),
    facts: {
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 },
    },
  },
  { name: 'usage that is a list', record: reply({ content: [], usage: [1] }), facts: { usage: null } },
]

const USERS: readonly ShapeCase[] = [
  { name: 'a user without a message', record: said(undefined), facts: { kind: 'injection', injection: 'empty' } },
  { name: 'a user whose content is null', record: said({ content: null }), facts: { injection: 'empty' } },
  { name: 'a user whose content is blank', record: said({ content: ' \n' }), facts: { injection: 'empty' } },
  { name: 'a user whose message is a text', record: said('hello'), facts: { kind: 'prompt', blocks: ['text'] } },
  { name: 'a user with an image', record: said({ content: [{ type: 'image' }] }), facts: { kind: 'prompt' } },
  {
    name: 'a result without an id',
    record: said({ content: [{ type: 'tool_result', content: null }] }),
    facts: { kind: 'tool-result', toolResults: [{ id: '', isError: false }] },
  },
  {
    name: 'a result with content of every kind',
    record: said({ content: [{ type: 'tool_result', tool_use_id: 't', content: [null, 1, 'x', { type: 'y' }, []] }] }),
    facts: { toolResults: [{ id: 't', isError: false }] },
  },
  {
    name: 'a result behind other blocks',
    record: said({ content: ['x', { type: 'tool_result', tool_use_id: 't' }] }),
    facts: { kind: 'tool-result' },
  },
  {
    name: 'a result that names its agent before three hundred accents',
    record: {
      ...(toolResult('X', 'A', 't') as object),
      message: {
        content: [{ type: 'tool_result', tool_use_id: 't', content: `agentId: abc123 ${'é'.repeat(300)}` }],
      },
    },
    facts: { links: { sourceToolAssistantUuid: 'A', spawnedAgentId: 'abc123' } },
  },
  {
    name: 'toolUseResult that is a text',
    record: { ...(toolResult('X', 'A', 't') as object), toolUseResult: 'Error: x' },
    facts: { kind: 'tool-result' },
  },
  {
    name: 'marks that are texts',
    record: u('X', 'A', { isMeta: 'true', isSidechain: 'true' }),
    facts: { isMeta: false },
  },
  { name: 'a summary without isMeta', record: u('X', 'A', { isCompactSummary: true }), facts: { kind: 'recap' } },
  {
    name: 'an interruption',
    record: said({ content: '[Request interrupted by user]' }),
    facts: { injection: 'interrupt' },
  },
  { name: 'a reminder', record: said({ content: '<system-reminder>x' }), facts: { injection: 'reminder' } },
  { name: 'a command', record: said({ content: '<command-name>/x' }), facts: { injection: 'command' } },
  { name: 'forkedFrom that is a text', record: u('X', 'A', { forkedFrom: 'x' }), facts: { kind: 'prompt' } },
  {
    name: 'fields of the wrong kinds',
    record: u('X', 'A', { sessionId: 7, cwd: [], version: {}, gitBranch: null, agentId: true, requestId: 7 }),
    facts: { sessionId: null, cwd: null, version: null, gitBranch: null, agentId: null, requestId: null },
  },
]

const OTHERS: readonly ShapeCase[] = [
  { name: 'no type', record: { uuid: 'X', parentUuid: 'A' }, facts: { type: '', kind: 'unknown' } },
  { name: 'a type that is a number', record: { type: 7, uuid: 'X' }, facts: { type: '', kind: 'unknown' } },
  { name: 'a type that is null', record: { type: null, uuid: 'X' }, facts: { type: '', kind: 'unknown' } },
  { name: 'an unknown type with a uuid', record: { type: 'new', uuid: 'X' }, facts: { kind: 'unknown', uuid: 'X' } },
  { name: 'an unknown type without one', record: { type: 'new' }, facts: { kind: 'unknown', uuid: null } },
  {
    name: 'the type __proto__',
    record: { type: '__proto__', uuid: 'X' },
    facts: { type: '__proto__', kind: 'unknown' },
  },
  { name: 'the type constructor', record: { type: 'constructor' }, facts: { kind: 'unknown' } },
  { name: 'a system record without a subtype', record: system('X', 'A', undefined), facts: { kind: 'system' } },
  { name: 'a subtype that is a number', record: { ...system('X', 'A'), subtype: 7 }, facts: { subtype: null } },
  { name: 'away_summary', record: system('X', 'A', 'away_summary'), facts: { subtype: 'away_summary' } },
  {
    name: 'a boundary with numbers in texts',
    record: boundary('X', 'A', {
      preTokens: '9',
      trigger: 7,
      preservedMessages: { anchorUuid: 'A', uuids: [1, 'A', null] },
    }),
    facts: {
      boundary: {
        trigger: null,
        preTokens: null,
        postTokens: null,
        tokensSaved: null,
        preserved: { anchorUuid: 'A', uuids: ['A'], headUuid: null, tailUuid: null },
      },
    },
  },
  { name: 'compactMetadata that is a text', record: boundary('X', 'A', { ...['x'] }), facts: { kind: 'boundary' } },
  {
    name: 'an attachment without an attachment',
    record: attachment('X', 'A', undefined),
    facts: { kind: 'attachment' },
  },
  {
    name: 'an attachment that is null',
    record: { type: 'attachment', uuid: 'X', attachment: null },
    facts: { kind: 'attachment', subtype: null },
  },
  {
    name: 'a queued command without a prompt',
    record: attachment('X', 'A', { type: 'queued_command' }),
    facts: { kind: 'injection', subtype: 'queued_command' },
  },
  { name: 'an unknown attachment', record: attachment('X', 'A', { type: 'new' }), facts: { subtype: 'new' } },
  {
    name: 'progress without anything',
    record: { type: 'progress', uuid: 'X' },
    facts: { kind: 'progress', subtype: null },
  },
  { name: 'progress that is a text', record: { ...progress('X', 'A'), data: 'x' }, facts: { subtype: null } },
  {
    name: 'a summary without a leaf',
    record: { type: 'summary', summary: 7 },
    facts: { kind: 'metadata', links: null },
  },
  { name: 'a title that is a list', record: { type: 'custom-title', customTitle: [] }, facts: { kind: 'metadata' } },
  {
    name: 'a last prompt that is an object',
    record: { type: 'last-prompt', lastPrompt: {} },
    facts: { kind: 'metadata' },
  },
  {
    name: 'a queue operation without content',
    record: { type: 'queue-operation', operation: 7 },
    facts: { subtype: null },
  },
  { name: 'a snapshot without a snapshot', record: { type: 'file-history-snapshot' }, facts: { links: null } },
  { name: 'a request log without anything', record: { type: 'api-request' }, facts: { kind: 'metadata' } },
  { name: 'an event log message without a role', record: { type: 'message', content: 'x' }, facts: { kind: 'prompt' } },
  {
    name: 'an event log message without content',
    record: { type: 'message', role: 'user' },
    facts: { kind: 'injection' },
  },
  {
    name: 'an event log reply that is null',
    record: { type: 'message', role: 'assistant', content: null },
    facts: { kind: 'reply' },
  },
  {
    name: 'an event log call without anything',
    record: { type: 'tool_use' },
    facts: { toolUses: [{ id: '', name: '' }] },
  },
  { name: 'an event log compaction without anything', record: { type: 'compaction' }, facts: { kind: 'boundary' } },
]

const A = u('A', null)
const Z = a('Z', 'A')

describe.each([
  ['replies', REPLIES],
  ['users', USERS],
  ['others', OTHERS],
])('%s', (_, cases) => {
  for (const { name, record, facts } of cases)
    test(name, () => {
      const found = readCase(textOf([A, record, Z]))
      const [first, envelope, last, ...more] = found.loaded.transcript.envelopes
      expect(envelope).toMatchObject(facts)
      expect([first?.uuid, last?.uuid, more]).toEqual(['A', 'Z', []])
      expect(codesOf(found)).toBe('')
    })
})
