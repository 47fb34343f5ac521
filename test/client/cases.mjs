// What the client is asked to resume, and what it has to send before the new prompt.
//
// { name, make(root, cwd) → sessionId, prompt, expect(messages, result), exitCode?, args?, answers? }
// `root` is the folder that CLAUDE_CONFIG_DIR names. `messages` are those of plainMessages, the new prompt included;
// `result` is what inside.mjs tells. `expect` throws if it is not content.
import { deepStrictEqual, match } from 'node:assert/strict'
import { mendedCases } from './mended-cases.mjs'
import { storeCases } from './store-cases.mjs'
import { assistantRecord, systemRecord, userRecord, uuid, writeSession } from './transcript.mjs'

const PROMPT = 'What comes next, Ada?'

const KEPT = [
  userRecord(1, null, 'A question of long ago'),
  assistantRecord(2, 1, 'An answer of long ago'),
  systemRecord(3, null, 'compact_boundary', {
    content: 'Conversation compacted',
    level: 'info',
    logicalParentUuid: uuid(2),
    compactMetadata: {
      trigger: 'manual',
      preTokens: 1000,
      preservedMessages: { anchorUuid: uuid(4), uuids: [uuid(2)], allUuids: [uuid(2)] },
    },
  }),
  userRecord(4, 3, 'The summary of it all', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  userRecord(5, 4, 'A newer question'),
  assistantRecord(6, 5, 'A newer answer'),
]

export const cases = [
  {
    name: 'a prompt and its answer',
    prompt: PROMPT,
    make: (root, cwd) =>
      writeSession(root, cwd, [userRecord(1, null, 'How long is a thread?'), assistantRecord(2, 1, 'Long enough.')]),
    expect: (messages) =>
      deepStrictEqual(messages, [user('How long is a thread?'), assistant('Long enough.'), user(PROMPT)]),
  },
  {
    name: 'a tool and its result',
    prompt: PROMPT,
    make: (root, cwd) => {
      const input = { file_path: '/home/ada/thread.txt' }
      const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '1\tred thread' }
      return writeSession(root, cwd, [
        userRecord(1, null, 'Read the file.'),
        assistantRecord(2, 1, { type: 'tool_use', id: 'toolu_1', name: 'Read', input }),
        userRecord(3, 2, [result], { sourceToolAssistantUUID: uuid(2), toolUseResult: 'red thread' }),
        assistantRecord(4, 3, 'It says: red thread.'),
      ])
    },
    expect: (messages) =>
      deepStrictEqual(messages, [
        user('Read the file.'),
        {
          role: 'assistant',
          toolUses: [{ id: 'toolu_1', name: 'Read', input: { file_path: '/home/ada/thread.txt' } }],
        },
        { role: 'user', toolResults: [{ id: 'toolu_1', content: ['1\tred thread'] }] },
        assistant('It says: red thread.'),
        user(PROMPT),
      ]),
  },
  {
    name: 'results side by side as they were written, the last one again, and what a skill said below the first',
    prompt: PROMPT,
    make: (root, cwd) =>
      writeSession(root, cwd, [
        userRecord(1, null, 'Look twice.'),
        call(2, 1, 'toolu_a'),
        call(3, 2, 'toolu_b'),
        result(4, 3, 'toolu_b'),
        result(5, 2, 'toolu_a'),
        userRecord(6, 5, [{ type: 'text', text: 'Tie a knot.' }], { isMeta: true, sourceToolUseID: 'toolu_a' }),
        result(4, 3, 'toolu_b'),
        assistantRecord(7, 4, 'Twice.'),
      ]),
    expect: (messages) =>
      deepStrictEqual(messages, [
        user('Look twice.'),
        { role: 'assistant', toolUses: ['a', 'b'].map((id) => bash(`toolu_${id}`)) },
        { role: 'user', toolResults: ['b', 'a'].map((id) => printed(`toolu_${id}`)), texts: ['Tie a knot.'] },
        assistant('Twice.'),
        user(PROMPT),
      ]),
  },
  {
    name: 'a compaction, behind which only the summary and what follows is sent',
    prompt: PROMPT,
    make: (root, cwd) =>
      writeSession(root, cwd, [
        userRecord(1, null, 'A question of long ago'),
        assistantRecord(2, 1, 'An answer of long ago'),
        systemRecord(3, null, 'compact_boundary', {
          content: 'Conversation compacted',
          level: 'info',
          logicalParentUuid: uuid(2),
          compactMetadata: { trigger: 'manual', preTokens: 1000 },
        }),
        userRecord(4, 3, 'The summary of it all', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
        userRecord(5, 4, 'A newer question'),
        assistantRecord(6, 5, 'A newer answer'),
      ]),
    // The summary and the question are both of the user, so they are one message.
    expect: (messages) =>
      deepStrictEqual(messages, [
        user('The summary of it all', 'A newer question'),
        assistant('A newer answer'),
        user(PROMPT),
      ]),
  },
  {
    name: 'a prompt below a message that a compaction did not keep goes on from the last one it kept',
    prompt: PROMPT,
    make: (root, cwd) =>
      writeSession(root, cwd, [...KEPT, userRecord(7, 1, 'A step back'), assistantRecord(8, 7, 'Here.')]),
    expect: (messages) =>
      deepStrictEqual(messages, [
        user('The summary of it all'),
        assistant('An answer of long ago'),
        user('A step back'),
        assistant('Here.'),
        user(PROMPT),
      ]),
  },
  {
    name: 'a late note behind kept messages hides nothing',
    prompt: PROMPT,
    make: (root, cwd) => writeSession(root, cwd, [...KEPT, systemRecord(7, 2, 'informational', { content: 'A note' })]),
    expect: (messages) =>
      deepStrictEqual(messages, [
        user('The summary of it all'),
        assistant('An answer of long ago'),
        user('A newer question'),
        assistant('A newer answer'),
        user(PROMPT),
      ]),
  },
  {
    name: 'records without a time are no session to the client',
    prompt: PROMPT,
    exitCode: 1,
    make: (root, cwd) => {
      const records = [userRecord(1, null, 'When was that?'), assistantRecord(2, 1, 'Nobody knows.')]
      return writeSession(
        root,
        cwd,
        records.map(({ timestamp, ...record }) => record),
      )
    },
    expect: (messages, result) => {
      deepStrictEqual(messages, [])
      match(result.stdout + result.stderr, /No conversation found/)
    },
  },
  ...storeCases,
  ...mendedCases,
]

function call(number, parent, id) {
  const record = assistantRecord(number, parent, { type: 'tool_use', ...bash(id) })
  return { ...record, message: { ...record.message, id: 'msg_both' } }
}

function result(number, source, id) {
  const content = [{ type: 'tool_result', tool_use_id: id, content: id }]
  return userRecord(number, source, content, { sourceToolAssistantUUID: uuid(source) })
}

function bash(id) {
  return { id, name: 'Bash', input: { command: 'ls' } }
}

function printed(id) {
  return { id, content: [id] }
}

function user(...texts) {
  return { role: 'user', texts }
}

function assistant(...texts) {
  return { role: 'assistant', texts }
}
