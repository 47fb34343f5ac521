// Seeded randomness and the transcripts made from it: the same seed gives the same bytes, so a failure can be replayed.

export interface Random {
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <Value>(values: readonly Value[]) => Value
}

export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
  }
}

type Made = Record<string, unknown>

/** A transcript with everything in it that has ever been seen, in odd combinations. */
export function randomRecords(random: Random, sessionId: string, most = 24): readonly Made[] {
  const count = 2 + random.below(most)
  const records: Made[] = []
  const uuids: string[] = []
  const calls: string[] = []
  let clock = 1_790_000_000_000
  for (let index = 0; index < count; index++) {
    clock += random.chance(0.9) ? 1000 : -5000
    const uuid = random.chance(0.04) && uuids.length > 0 ? random.pick(uuids) : `${sessionId}-${index}`
    const base: Made = {
      parentUuid: parentFor(random, uuids, index),
      isSidechain: random.chance(0.06),
      uuid,
      timestamp: new Date(clock).toISOString(),
      sessionId,
      cwd: '/home/ada/tidewatch',
      version: '2.1.325',
    }
    const made = random.pick(MAKERS)(base, random, calls, uuids)
    if (typeof made['uuid'] === 'string') uuids.push(made['uuid'])
    records.push(made)
  }
  return records
}

function parentFor(random: Random, uuids: readonly string[], index: number): string | null {
  if (index === 0 || random.chance(0.06)) return null
  if (random.chance(0.7)) return uuids.at(-1) ?? null
  if (random.chance(0.8) && uuids.length > 0) return random.pick(uuids)
  return random.chance(0.5) ? 'never-written' : `later-${random.below(5)}`
}

type Maker = (base: Made, random: Random, calls: string[], uuids: readonly string[]) => Made

const MAKERS: readonly Maker[] = [
  (base, random) => ({
    ...base,
    type: 'user',
    message: { role: 'user', content: random.pick(TEXTS) },
    ...(random.chance(0.1) ? { isMeta: true } : {}),
  }),
  (base, random) => ({ ...base, type: 'user', message: { role: 'user', content: random.pick(TEXTS) } }),
  (base, random) => ({
    ...base,
    type: 'assistant',
    message: {
      id: `msg_${random.below(6)}`,
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: random.pick(TEXTS) }],
      usage: { input_tokens: random.below(9) },
    },
  }),
  (base, random, calls) => {
    const id = `toolu_${calls.length}`
    calls.push(id)
    return {
      ...base,
      type: 'assistant',
      message: {
        id: `msg_${random.below(6)}`,
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id,
            name: random.pick(['Bash', 'Agent', 'Read']),
            input: { command: 'ls', prompt: random.pick(TEXTS) },
          },
        ],
      },
    }
  },
  (base, random, calls) => ({
    ...base,
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: calls.length > 0 ? random.pick(calls) : 'toolu_none',
          content: random.pick(TEXTS),
          is_error: random.chance(0.2),
        },
      ],
    },
    toolUseResult: { agentId: 'a1b2c3d4e5f60718' },
  }),
  (base) => ({ ...base, type: 'attachment', attachment: { type: 'date', date: '2026-11-15' } }),
  (base, random) => ({
    ...base,
    type: 'attachment',
    attachment: {
      type: 'queued_command',
      prompt: random.pick(TEXTS),
      commandMode: 'prompt',
      source_uuid: `queued-${random.below(4)}`,
    },
  }),
  (base) => ({ ...base, type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' }),
  (base) => ({ ...base, type: 'system', subtype: 'turn_duration', durationMs: 5 }),
  (base, random, _, uuids) => {
    const kept = uuids.length > 2 ? uuids.slice(-1 - random.below(2)) : []
    const anchorUuid = random.chance(0.5) ? `${String(base['uuid'])}-recap` : String(base['uuid'])
    return {
      ...base,
      parentUuid: random.chance(0.9) ? null : base['parentUuid'],
      logicalParentUuid: uuids.at(-1) ?? 'gone',
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: {
        trigger: 'auto',
        preTokens: 9,
        ...(kept.length > 0 ? { preservedMessages: { anchorUuid, uuids: kept } } : {}),
      },
    }
  },
  (base) => ({
    ...base,
    type: 'user',
    isCompactSummary: true,
    message: { role: 'user', content: 'This session is being continued…' },
  }),
  (base) => ({ ...base, type: 'brand-new-type', whatever: { deep: [1, { a: null }] } }),
  (base, random, _, uuids) => ({
    type: 'last-prompt',
    lastPrompt: 'x',
    leafUuid: uuids.length > 0 ? random.pick(uuids) : 'gone',
    sessionId: base['sessionId'],
  }),
  (base, random) => ({
    type: 'queue-operation',
    operation: random.pick(['enqueue', 'dequeue', 'remove', 'popAll']),
    content: random.pick(TEXTS),
    timestamp: base['timestamp'],
    sessionId: base['sessionId'],
  }),
  (base) => ({ type: 'custom-title', customTitle: 'A title', sessionId: base['sessionId'] }),
  (base) => ({ type: 'file-history-snapshot', messageId: base['uuid'], snapshot: { trackedFileBackups: {} } }),
]

const TEXTS = [
  'hello',
  'zwei\u2028Zeilen',
  'emoji 🌊 および CJK',
  '<command-name>/x</command-name>',
  '{"type":"user","uuid":"fake"}',
  '',
  'a"b\\c\n',
  '[Request interrupted by user]',
  '\ud83c lone',
]

export function bytesOf(records: readonly Made[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'utf8')
}

/** One to six damages, the kinds that disks, kills and careless tools leave behind. */
export function damage(bytes: Buffer, random: Random): Buffer {
  let damaged = bytes
  for (let times = 1 + random.below(6); times > 0; times--) damaged = random.pick(DAMAGES)(damaged, random)
  return damaged
}

const DAMAGES: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), random.below(40), Buffer.alloc(0)),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), 0, Buffer.alloc(1 + random.below(200))),
  (bytes, random) => splice(bytes, random.below(bytes.length + 1), 1, Buffer.from([random.below(256)])),
  (bytes, random) => {
    const newline = bytes.indexOf(10, random.below(bytes.length + 1))
    return newline < 0 ? bytes : splice(bytes, newline, 1, Buffer.alloc(0))
  },
  (bytes, random) => {
    const start = random.below(bytes.length + 1)
    return splice(bytes, random.below(bytes.length + 1), 0, bytes.subarray(start, start + random.below(300)))
  },
  (bytes, random) =>
    splice(
      bytes,
      random.below(bytes.length + 1),
      0,
      Buffer.from(
        random.pick(['\r\n', '\n\n', '{', '}', '"', '\\', '[1,2]\n', 'null\n', '\ufeff', '{}', '{"type":"x"}']),
      ),
    ),
  (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
]

function splice(bytes: Buffer, at: number, removed: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(Math.min(bytes.length, at + removed))])
}
