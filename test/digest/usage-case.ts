// Usage records and transcripts as short as a test can say them.

import type { UsageSource } from '../../src/digest/usage-fold.ts'
import type { Usage } from '../../src/record/model.ts'
import type { UsageRecord } from '../../src/record/usage-record.ts'

export function usage(input = 0, output = 0, read = 0, write = 0, write1h = 0): Usage {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    cacheWrite1hTokens: write1h,
  }
}

export function record(key: string | null, more: Partial<UsageRecord> = {}): UsageRecord {
  return {
    line: 1,
    records: 1,
    isRaised: false,
    key,
    model: 'claude-opus-5',
    timestampMs: Date.UTC(2026, 10, 14, 12),
    sessionId: 'one',
    agentId: null,
    agentType: null,
    cwd: '/home/ada/tidewatch',
    isSidechain: false,
    isFork: false,
    isFinal: true,
    rate: null,
    usage: usage(3, 10),
    ...more,
  }
}

export function source(
  sessionId: string,
  records: readonly UsageRecord[],
  more: Partial<UsageSource> = {},
): UsageSource {
  return {
    path: `/p/${sessionId}.jsonl`,
    role: 'main',
    sessionId,
    agentId: null,
    projectKey: 'p',
    isGone: false,
    records,
    ...more,
  }
}
