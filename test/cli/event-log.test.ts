// Logs of events, as docs/format/event-log.md describes them, through the commands that show conversations.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionId, writeBelow } from './records.ts'
import { clew, clewJson, newFolder } from './run.ts'

const ONE = sessionId('a')

type Event = Readonly<Record<string, unknown>>

function log(id: string, from: string, events: readonly Event[]): readonly Event[] {
  const startMs = Date.parse(from)
  return events.map((event, at) => ({
    sessionId: id,
    timestamp: new Date(startMs + at * 1000).toISOString(),
    ...event,
  }))
}

function compacted(facts: Event): string {
  const events = [
    { type: 'session_start', projectPath: '/home/ada/loom' },
    { type: 'message', role: 'user', content: 'Spin.' },
    { type: 'compaction', summary: 'It was spun.', ...facts },
    { type: 'message', role: 'user', content: 'Spin on.' },
  ]
  return writeBelow(newFolder('claude'), {
    [`projects/-loom/sessions/${ONE}.jsonl`]: log(ONE, '2026-03-20T10:00:00Z', events),
  })
}

test('blame names the conversation, and offers no command that resume refuses', () => {
  const file = join(newFolder('loom'), 'yarn.txt')
  writeFileSync(file, 'red\n')
  const events = [
    { type: 'session_start', projectPath: '/home/ada/loom' },
    { type: 'message', role: 'user', content: 'Dye it.' },
    { type: 'tool_use', toolUseId: 't1', toolName: 'Write', toolInput: { file_path: file, content: 'red\n' } },
    { type: 'tool_result', toolUseId: 't1', content: 'ok' },
  ]
  const root = writeBelow(newFolder('claude'), {
    [`projects/-loom/sessions/${ONE}.jsonl`]: log(ONE, '2026-03-20T10:00:00Z', events),
  })
  const [line] = clewJson<Event>(['blame', file, '--root', root])
  expect(line).toMatchObject({ sessionId: ONE, prompt: 'Dye it.', command: null })
  expect(clew(['blame', `${file}:1`, '--root', root]).out).not.toContain('claude --resume')
})

describe('what a compaction saved', () => {
  test.each([
    [{ tokensSaved: 45_000 }, '45,000 tokens saved', [null, null, 45_000]],
    [{ tokensSaved: 45_000, preTokens: 60_000 }, '60,000 → 15,000 tokens', [60_000, 15_000, 45_000]],
    [{ tokensSaved: 45_000, postTokens: 15_000 }, '60,000 → 15,000 tokens', [60_000, 15_000, 45_000]],
    [{ tokensSaved: 45_000, preTokens: 9_000 }, '9,000 tokens before', [9_000, null, 45_000]],
    [{ postTokens: 15_000 }, '15,000 tokens after', [null, 15_000, null]],
  ])('%j', (facts, words, numbers) => {
    const root = ['--root', compacted(facts)]
    for (const command of ['show', 'tree']) expect(clew([command, 'aaaa', ...root]).out).toContain(words)
    expect(clew(['export', 'aaaa', '-o', '-', ...root]).out).toContain(words)
    const [shown] = clewJson<{ turns: readonly { parts: readonly Event[] }[] }>(['show', 'aaaa', '--json', ...root])
    const part = shown?.turns.flatMap(({ parts }) => parts).find(({ kind }) => kind === 'boundary')
    expect([part?.['preTokens'], part?.['postTokens'], part?.['tokensSaved']]).toEqual(numbers)
    const [tree] = clewJson<{ branches: readonly { segments: readonly Event[] }[] }>(['tree', 'aaaa', ...root])
    const segment = tree?.branches[0]?.segments[1]
    expect([segment?.['preTokens'], segment?.['postTokens'], segment?.['tokensSaved']]).toEqual(numbers)
  })
})
