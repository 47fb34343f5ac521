// Made-up transcripts in good health, to be damaged. Every record has the fields a client of today writes around it.

export type Made = Record<string, unknown>

export const SESSION = '5e551011-0000-4000-8000-000000000001'
const SIGNATURE = 'c2lnbmVk'.repeat(40)

/** Two Turns with thinking, a tool, two tools at once, and a third Turn; titles and pointers between. 20 lines. */
export function talk(): Made[] {
  const records = [
    user('u1', null, 'When is high water at the pier?'),
    { ...link('t1', 'u1', 'attachment'), attachment: { type: 'date', date: '2026-11-01' } },
    reply('a1', 't1', 'm1', { type: 'thinking', thinking: 'Look it up first.', signature: SIGNATURE }),
    reply('a2', 'a1', 'm1', text('I will look it up.')),
    reply('a3', 'a2', 'm1', call('T1')),
    result('r1', 'a3', 'T1', 'high water 06:12'),
    reply('a4', 'r1', 'm2', text('At 06:12.')),
    pointer('a4', 'When is high water at the pier?'),
    user('u2', 'a4', 'And at the lock, and in the harbour?'),
    reply('b1', 'u2', 'm3', call('T2')),
    reply('b2', 'b1', 'm3', call('T3')),
    result('s1', 'b1', 'T2', 'lock 06:40'),
    result('s2', 'b2', 'T3', 'harbour 06:55'),
    reply('b3', 's2', 'm4', text('06:40 and 06:55.')),
    system('d1', 'b3', 'turn_duration', { durationMs: 4000 }),
    { type: 'permission-mode', permissionMode: 'default', sessionId: SESSION },
    { type: 'ai-title', aiTitle: 'High water', sessionId: SESSION },
    user('u3', 'd1', 'Thank you.'),
    reply('c1', 'u3', 'm5', text('Any time.')),
    pointer('c1', 'Thank you.'),
  ]
  return timed(records)
}

/** Two Turns, a compaction that kept the last answer, and a Turn behind it. 8 lines. */
export function compacted(): Made[] {
  return timed([
    user('u1', null, 'When is high water at the pier?'),
    reply('a1', 'u1', 'm1', text('At 06:12.')),
    user('u2', 'a1', 'And at the lock?'),
    reply('a2', 'u2', 'm2', text('At 06:40.')),
    boundary('cb', 'a2', { preservedMessages: { anchorUuid: 'sum', uuids: ['a2'] } }),
    recap('sum', 'cb'),
    user('u3', 'sum', 'And in the harbour?'),
    reply('a3', 'u3', 'm3', text('At 06:55.')),
  ])
}

export function link(uuid: string, parentUuid: string | null, type: string): Made {
  return { parentUuid, isSidechain: false, type, uuid, ...AROUND }
}

const AROUND = {
  userType: 'external',
  entrypoint: 'cli',
  cwd: '/home/ada/tidewatch',
  sessionId: SESSION,
  version: '2.1.325',
  gitBranch: 'main',
}

export function user(uuid: string, parentUuid: string | null, content: unknown): Made {
  return { ...link(uuid, parentUuid, 'user'), message: { role: 'user', content }, origin: { kind: 'human' } }
}

export function reply(uuid: string, parentUuid: string | null, id: string, ...content: readonly Made[]): Made {
  const message = { id, type: 'message', role: 'assistant', model: 'claude-opus-5', content, stop_reason: null }
  return { ...link(uuid, parentUuid, 'assistant'), message, requestId: `req_${id}` }
}

export function text(value: string): Made {
  return { type: 'text', text: value }
}

export function call(id: string): Made {
  return { type: 'tool_use', id, name: 'Bash', input: { command: 'tide' } }
}

export function result(uuid: string, parentUuid: string | null, id: string, content: unknown): Made {
  return {
    ...link(uuid, parentUuid, 'user'),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    toolUseResult: { stdout: content },
    sourceToolAssistantUUID: parentUuid,
  }
}

export function system(uuid: string, parentUuid: string | null, subtype: string, more: Made = {}): Made {
  return { ...link(uuid, parentUuid, 'system'), subtype, isMeta: false, ...more }
}

export function boundary(uuid: string, logicalParentUuid: string | null, kept: Made = {}): Made {
  const compactMetadata = { trigger: 'manual', preTokens: 90000, ...kept }
  const content = 'Conversation compacted'
  return { ...link(uuid, null, 'system'), subtype: 'compact_boundary', logicalParentUuid, content, compactMetadata }
}

export function recap(uuid: string, parentUuid: string | null): Made {
  const content = 'This session is being continued from a previous conversation. Tides were asked for.'
  return {
    ...link(uuid, parentUuid, 'user'),
    message: { role: 'user', content },
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  }
}

export function pointer(leafUuid: string, lastPrompt: string): Made {
  return { type: 'last-prompt', lastPrompt, leafUuid, sessionId: SESSION }
}

/** One second from record to record. */
export function timed(records: readonly Made[]): Made[] {
  return records.map((record, index) =>
    'uuid' in record ? { ...record, timestamp: new Date(1_790_000_000_000 + index * 1000).toISOString() } : record,
  )
}

export function bytesOf(records: readonly Made[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}
