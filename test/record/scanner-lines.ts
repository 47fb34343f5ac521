// Lines of the kinds the scanner reads, in all their shapes, and what can happen to them.

import { INJECTION_PATTERNS } from '../../src/record/authorship.ts'
import { KNOWN_TYPES } from '../../src/record/known.ts'
import type { Random } from '../random.ts'

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

const TEXTS = [
  'plain words',
  '',
  'tab\tand\nline',
  'quotes " and \\ backslash',
  'grüße, naïve café',
  '日本語のテキスト',
  '🚀 emoji',
  'half \ud83d pair',
  'nul \u0000 and \u001f',
  '\u2028\u2029\ufeff',
  'agentId: abcdef12',
  "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  'PreToolUse:größe hook error: no',
  '[Request interrupted by user for tool use]',
  'C:\\users\\ada',
  'long words, many of them. '.repeat(80),
  'ünlong '.repeat(400),
  'x'.repeat(5000),
  '<synthetic>',
  '<command-name>/größe</command-name>\n<command-args>a\\b</command-args>',
  '<local-command-stdout>Größe</local-command-stdout>',
]
const TIMES = ['2024-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z', 'yesterday']
const SUBTYPES = ['turn_duration', 'compact_boundary', 'informational', 'local_command', 'novel']
const STRANGE: readonly Value[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  3_000_000_000,
  '',
  'x',
  [],
  {},
  ['a'],
  { type: 'x' },
]

export function scannerRecord(random: Random): Value {
  return changed(record(random), random)
}

function record(random: Random): Record<string, Value> {
  const id = (): string => `0000000${random.below(9)}-0000-4000-8000-00000000000${random.below(9)}`
  const text = (): string => (random.below(3) > 0 ? 'plain words' : random.pick(TEXTS))
  const head: Record<string, Value> = {
    parentUuid: random.below(5) === 0 ? null : id(),
    isSidechain: random.below(4) === 0,
    userType: 'external',
    cwd: random.pick(['/home/ada/loom', 'C:\\work\\ada', '/home/ada/grüße']),
    sessionId: id(),
    version: random.pick(['2.1.42', '1.0.128', '2.1.325']),
    gitBranch: random.pick(['main', '', 'ada/größer']),
  }
  const tail = {
    uuid: id(),
    timestamp: random.below(8) > 0 ? '2026-11-15T18:16:07.087Z' : random.pick(TIMES),
  }
  if (random.below(6) === 0) head['agentId'] = `a${random.below(9)}`
  if (random.below(8) === 0) head['teamName'] = 'loom'
  if (random.below(8) === 0) head['forkedFrom'] = { sessionId: id(), messageUuid: id() }
  if (random.below(9) === 0) head['isMeta'] = true
  if (random.below(12) === 0) head['subtype'] = 'b'
  switch (random.below(8)) {
    case 7:
      return { ...head, type: 'attachment', attachment: attachment(random, text), ...tail }
    case 6:
      return metadata(random, id, text)
    case 5:
      return {
        ...head,
        type: 'user',
        message: { role: 'user', content: prompt(random, text) },
        ...tail,
        ...marks(random),
      }
    case 3:
      return { ...head, type: 'system', subtype: random.pick(SUBTYPES), content: text(), level: 'info', ...tail }
    case 4:
      return {
        type: 'file-history-snapshot',
        messageId: id(),
        snapshot: { messageId: id(), trackedFileBackups: {}, timestamp: text() },
        isSnapshotUpdate: false,
      }
    case 0:
      return { ...head, message: reply(random, id, text), requestId: 'req_1', type: 'assistant', ...tail }
    case 1:
      return {
        ...head,
        type: 'user',
        message: { role: 'user', content: results(random, text) },
        ...tail,
        ...beside(random, id),
      }
    default:
      return {
        ...head,
        type: 'progress',
        data: progress(random, text),
        toolUseID: 'x',
        parentToolUseID: 'toolu_1',
        ...tail,
      }
  }
}

function reply(random: Random, id: () => string, text: () => string): Value {
  if (random.below(20) === 0) return { content: [{ type: 'server_tool_use', id: id(), name: 'search', input: {} }] }
  const blocks: (() => Value)[] = [
    () => ({ type: 'text', text: text() }),
    () => ({ type: 'thinking', thinking: text(), signature: 'c2ln' }),
    () => ({
      type: 'tool_use',
      id: `toolu_${random.below(5)}`,
      name: 'Bash',
      input: { command: text(), description: 'd' },
    }),
    () => ({ type: 'tool_use', id: id(), name: 'Task', input: { prompt: text(), subagent_type: 'x' } }),
    () => ({
      type: 'tool_use',
      id: id(),
      name: 'Edit',
      input: { file_path: '/home/ada/a.ts', old_string: text(), new_string: '' },
    }),
    () => ({ type: 'redacted_thinking', data: 'x' }),
  ]
  return {
    id: `msg_${random.below(9)}`,
    model: random.pick(['claude-opus-4-5', '<synthetic>']),
    role: 'assistant',
    type: 'message',
    content: Array.from({ length: random.below(4) }, () => random.pick(blocks)()),
    stop_reason: random.pick([null, 'end_turn']),
    usage: {
      input_tokens: random.below(9999),
      output_tokens: random.below(9999),
      cache_read_input_tokens: random.below(9_999_999),
      cache_creation_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: random.below(20) },
      service_tier: random.pick(['standard', 'batch', 'priority', null]),
      speed: random.pick(['standard', 'fast']),
      inference_geo: random.pick(['us', 'eu', '']),
    },
  }
}

/** Those that are repeated, those with a text of their own, and the one that may be a prompt. */
function attachment(random: Random, text: () => string): Value {
  const type = random.pick(['skill_listing', 'hook_success', 'file', 'queued_command', 'queued_command', 'novel'])
  const commandMode = random.pick<Value>(['prompt', 'task-notification', null])
  const filename = random.pick<Value>([text(), 7])
  return { type, filename, prompt: text(), commandMode, content: { nested: [text(), 1] }, hookName: 'x', isMeta: true }
}

/** Of every type: of some of them a name, a text or a link is taken. */
function metadata(random: Random, id: () => string, text: () => string): Record<string, Value> {
  const all: Record<string, Value> = { type: random.pick([...KNOWN_TYPES]), sessionId: id() }
  if (random.below(2) === 0)
    all['message'] = { role: 'user', content: random.pick<Value>([text(), [{ type: 'novel' }]]) }
  for (const key of ['customTitle', 'aiTitle', 'lastPrompt', 'summary', 'tag', 'content', 'prUrl', 'agentName', 'mode'])
    if (random.below(4) === 0) all[key] = text()
  for (const key of ['leafUuid', 'uuid', 'parentUuid', 'messageId', 'snapshotMessageId', 'relocatedCwd', 'hash'])
    if (random.below(4) === 0) all[key] = id()
  if (random.below(4) === 0) all['timestamp'] = '2026-11-15T18:16:07.087Z'
  if (random.below(4) === 0) all['snapshot'] = { messageId: id() }
  if (random.below(8) === 0) all['data'] = { type: 'x', agentId: 'a1' }
  return all
}

function prompt(random: Random, text: () => string): Value {
  const said = (): string => (random.below(3) > 0 ? text() : random.pick(LEADS) + text())
  const block = (): Value =>
    random.below(4) > 0
      ? { type: 'text', text: said() }
      : { type: random.pick(['image', 'document']), source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
  return random.below(2) === 0 ? said() : Array.from({ length: random.below(4) }, block)
}

/** How texts of a harness begin, and texts that only look so. */
const LEADS = [
  ...INJECTION_PATTERNS.map(([lead]) => lead),
  ...INJECTION_PATTERNS.map(([lead]) => `  ${lead}`),
  'Stop hooks are what I need',
  'Unknown slash command: spin',
  ' Unknown skill: spin ',
  'Unknown skill: spin. Why is that?',
  'This session was',
  'This',
  'Caveat',
  'T',
  '\u00a0',
  '\ufeff',
  '',
]

/** What the client says about who wrote a prompt. */
function marks(random: Random): Record<string, Value> {
  const all: Record<string, Value> = {}
  if (random.below(3) === 0) all['promptId'] = random.pick<Value>(['p1', 'p\u00e9', '', null])
  if (random.below(8) === 0) all['origin'] = random.pick<Value>([{ kind: 'human' }, { kind: 'coordinator' }, null])
  if (random.below(8) === 0) all['promptSource'] = random.pick(['typed', 'sdk', 'system'])
  if (random.below(8) === 0) all['turnOrigin'] = random.pick(['human', 'task_notification'])
  if (random.below(8) === 0) all['isVisibleInTranscriptOnly'] = random.below(2) === 0
  if (random.below(8) === 0) all['isCompactSummary'] = random.below(2) === 0
  if (random.below(12) === 0) all['content'] = 'beside'
  if (random.below(12) === 0) all['toolUseResult'] = 'said'
  if (random.below(12) === 0) all['logicalParentUuid'] = 'before'
  return all
}

function results(random: Random, text: () => string): Value {
  const parts = (): Value =>
    random.pick<Value>([
      [{ type: 'text', text: text() }],
      [
        { type: 'text', text: text() },
        { type: 'image', source: { type: 'base64', data: 'aGk=' } },
      ],
      [{ type: 'tool_reference', tool_name: 'x' }],
      [{ type: random.below(4) === 0 ? 'novelty' : 'document', x: 1 }],
      [],
    ])
  const result = (): Value => ({
    tool_use_id: `toolu_${random.below(5)}`,
    type: 'tool_result',
    content: random.below(2) === 0 ? text() : parts(),
    is_error: random.below(2) === 0,
  })
  const besides: readonly Value[] = [
    { type: 'text', text: text() },
    { type: 'thinking', thinking: text() },
    { type: 'tool_use', id: 'b', name: 'Bash', input: { command: text() } },
    { type: 'image', source: { data: 'aGk=' } },
  ]
  return Array.from({ length: 1 + random.below(2) }, () => (random.below(5) === 0 ? random.pick(besides) : result()))
}

function beside(random: Random, id: () => string): Record<string, Value> {
  const all: Record<string, Value> = {}
  if (random.below(2) === 0)
    all['toolUseResult'] = random.pick<Value>([
      'said',
      { stdout: 'x', nested: [[{}], 1.5e-3] },
      { agentId: 'abc' },
      [1],
    ])
  if (random.below(3) === 0) all['sourceToolAssistantUUID'] = id()
  if (random.below(6) === 0) all['toolDenialKind'] = 'user'
  if (random.below(6) === 0) all['toolUseResult'] = { persistedOutputPath: '/home/ada/out.txt' }
  if (random.below(9) === 0) all['isCompactSummary'] = random.below(2) === 0
  return all
}

function progress(random: Random, text: () => string): Value {
  const type = random.pick(['bash_progress', 'agent_progress', 'novel_progress'])
  return random.below(2) === 0
    ? { type, output: text() }
    : { type, agentId: 'a1', message: { content: [{ text: text() }] } }
}

/** Now and then a value, anywhere, is another one, or gone, or there is one more. */
function changed(value: Record<string, Value>, random: Random): Value {
  if (random.below(3) > 0) return value
  let at: Record<string, Value> = value
  while (true) {
    const keys = Object.keys(at)
    const key = keys[random.below(keys.length)]
    if (key === undefined) return value
    const inner = at[key]
    const isDeep = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    if (isDeep && random.below(3) > 0) {
      at = inner as Record<string, Value>
      continue
    }
    if (Array.isArray(inner) && inner.length > 0 && random.below(3) > 0) {
      const one: Value = inner[random.below(inner.length)] as Value
      if (typeof one === 'object' && one !== null) {
        at = one as Record<string, Value>
        continue
      }
    }
    if (random.below(5) === 0) delete at[key]
    else at[random.below(6) === 0 ? `${key}2` : key] = random.pick(STRANGE)
    return value
  }
}

const BYTES = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x20, 0x0d, 0x30, 0x2d, 0x75, 0x65, 0x00, 0x80, 0xc3, 0xff,
]
const PIECES = [
  '\\u00e9',
  '\\ud83d\\ude80',
  '\\ud83d',
  '\\u0041',
  '\\/',
  '\\x',
  ' ',
  '"uuid":"x",',
  '"type":"user",',
  '1e5',
  '-0',
  '{}',
  'é',
  '\u2028',
]

/** Bytes taken out, put in, doubled or exchanged. */
export function damaged(line: string, random: Random): Buffer {
  let bytes = Buffer.from(line, 'utf8')
  for (let times = random.below(3); times > 0; times--) {
    const at = random.below(bytes.length + 1)
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (random.below(5)) {
      case 0:
        bytes = Buffer.concat([head, tail.subarray(1 + random.below(3))])
        break
      case 1:
        bytes = Buffer.concat([head, Buffer.from([random.pick(BYTES)]), tail])
        break
      case 2:
        bytes = Buffer.concat([head, Buffer.from([random.pick(BYTES)]), tail.subarray(1)])
        break
      case 3:
        bytes = Buffer.concat([head, Buffer.from(random.pick(PIECES)), tail])
        break
      default:
        bytes = Buffer.concat([head, head.subarray(Math.max(0, at - random.below(60))), tail])
    }
  }
  return bytes
}
