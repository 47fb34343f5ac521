// Very many of one thing: siblings, roots, copies, compactions, queued prompts. What is quadratic in one of them fails here.

import type { HugeCase } from './huge-case.ts'
import { above, each, inTurn, none, other, reply, same, testHuge, user } from './huge-case.ts'

const WIDE: readonly HugeCase[] = [
  {
    name: 'a hundred thousand prompts below one reply',
    count: 100_000,
    lines: (count) => each(count, (index) => (index === 0 ? reply(0, null) : user(index, 0))),
    problems: none,
    full: () => 2,
    branches: (count) => count - 1,
  },
  {
    name: 'two hundred thousand results of one reply',
    count: 200_000,
    lines: (count) =>
      each(count, (index) => {
        if (index === 0) return reply(0, null, '{"type":"tool_use","id":"t","name":"Bash","input":{}}')
        const content = `[{"type":"tool_result","tool_use_id":"t${index}"}]`
        return `{"type":"user","uuid":"${index}","parentUuid":"0","message":{"content":${content}}}`
      }),
    problems: none,
    full: same,
  },
  {
    name: 'a hundred thousand notes below one result, each below the one written after it',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        if (index === 0) return reply(0, null, '{"type":"tool_use","id":"t","name":"Bash","input":{}}')
        if (index > 1) return other('attachment', index, index === count - 1 ? 1 : index + 1)
        return user(1, 0).replace('"x"', '[{"type":"tool_result","tool_use_id":"t"}]')
      }),
    problems: none,
    full: () => 2,
  },
  {
    name: 'a hundred thousand pieces of one reply',
    count: 100_000,
    lines: (count) => each(count, (index) => reply(index, null, '{"type":"text","text":"x"}', 'm')),
    problems: none,
    full: () => 1,
    branches: same,
  },
  {
    name: 'a hundred thousand roots',
    count: 100_000,
    lines: (count) => each(count, (index) => user(index, null)),
    problems: none,
    full: () => 1,
    branches: same,
  },
  {
    name: 'a hundred thousand parents that were never written',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, -1 - index)),
    problems: (count) => ({ 'missing-parent': count }),
    full: same,
  },
  {
    name: 'a hundred thousand copies of one record',
    count: 100_000,
    lines: (count) => each(count, (index) => user('one', null, `,"cwd":"/${index % 2}"`)),
    problems: (count) => ({ 'copy-differs': count / 2 }),
    full: () => 1,
  },
  {
    name: 'fifty thousand compactions that keep the last of fifty thousand records and name the first',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        if (index < count / 2) return inTurn(index, index === 0 ? null : index - 1)
        const kept = `{"trigger":"manual","preservedMessages":{"anchorUuid":"x","uuids":["${count / 2 - 1}"]}}`
        return `{"type":"system","subtype":"compact_boundary","uuid":"${index}","parentUuid":null,"logicalParentUuid":"0","compactMetadata":${kept}}`
      }),
    problems: none,
    full: (count) => count / 2,
    branches: () => 1,
  },
  {
    name: 'branches nested fifty thousand deep',
    count: 100_000,
    // Each prompt has the next one below it and a reply that comes later than everything below that.
    lines: (count) =>
      each(count, (index) => (index < count / 2 ? user(index, above(index)) : reply(index, count - 1 - index))),
    problems: none,
    full: () => 2,
    branches: (count) => count / 2,
  },
  {
    name: 'a run of a hundred thousand progress records',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => (index < count - 1 ? other('progress', index, above(index)) : user(index, index - 1))),
    problems: none,
    full: () => 1,
  },
  {
    name: 'fifty thousand main records below a sidechain of fifty thousand',
    count: 100_000,
    lines: (count) =>
      each(count, (index) =>
        index < count / 2
          ? user(index, above(index), ',"isSidechain":true')
          : inTurn(index, index % 2 === 0 ? count / 2 - 1 : index - 1),
      ),
    problems: () => ({ 'unlinked-subagent': 1 }),
    full: () => 2,
    branches: (count) => count / 4,
  },
  {
    name: 'fifty thousand compactions',
    count: 100_000,
    lines: (count) =>
      each(count, (index) =>
        index % 2 === 0 ? user(index, above(index)) : other('system', index, null, ',"subtype":"compact_boundary"'),
      ),
    problems: none,
    full: (count) => count / 2,
  },
  {
    name: 'a hundred thousand queued prompts that nobody answered',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        const attachment = `,"attachment":{"type":"queued_command","prompt":"p${index}"}`
        return index === 0 ? user(0, null) : other('attachment', index, index - 1, attachment)
      }),
    problems: none,
    full: same,
  },
  {
    name: 'fifty thousand prompts left in the queue, between fifty thousand messages',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        if (index % 2 === 0) return user(index, index === 0 ? null : index - 2)
        return `{"type":"queue-operation","operation":"enqueue","content":"p${index}"}`
      }),
    problems: none,
    full: (count) => count / 2,
  },
  {
    name: 'fifty thousand prompts queued and all of them taken',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        const operation = index < count / 2 ? 'enqueue' : 'dequeue'
        return `{"type":"queue-operation","operation":"${operation}","content":"p${index}"}`
      }),
    problems: none,
    full: () => 0,
    branches: () => 0,
  },
]

testHuge('wide', WIDE)
