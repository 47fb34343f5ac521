// The damage one user counted over 10,949 transcripts (claude-code issue 81843): 21 truncated splices, 3 missing line
// ends, 6 runs of NUL bytes. Every complete record must come out, and nothing else.

import { describe, expect, it } from 'vitest'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'

const RECORDS = 2000
const SEEDS = 100

describe('damage as it is in the field', () => {
  it(`recovers every complete record in ${SEEDS} files of ${RECORDS}`, () => {
    let recovered = 0
    let skipped = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { bytes, whole } = damagedFile(randomOf(seed))
      const { envelopes, account } = readTranscript('mix', splitLines(bytes))
      expect(account.records + account.problems + account.tail + account.blank).toBe(bytes.length)
      const found = envelopes.map((envelope) => envelope.uuid)
      expect(found, `seed ${seed}`).toEqual(whole)
      recovered += found.length
      skipped += whole.length - bytes.toString('utf8').split('\n').filter(isJson).length
    }
    // The control: a reader that skips bad lines loses every record that shares a line with damage.
    expect(skipped).toBeGreaterThan(25 * SEEDS)
    expect(recovered).toBeGreaterThan(SEEDS * (RECORDS - 30))
  })
})

function damagedFile(random: Random): { readonly bytes: Buffer; readonly whole: readonly string[] } {
  const damageAt = new Map<number, 'splice' | 'glue' | 'nul'>()
  const place = (kind: 'splice' | 'glue' | 'nul', times: number): void => {
    while (times > 0) {
      const at = 1 + random.below(RECORDS - 2)
      if ([at - 1, at, at + 1].some((near) => damageAt.has(near))) continue
      damageAt.set(at, kind)
      times--
    }
  }
  place('splice', 21)
  place('glue', 3)
  place('nul', 6)
  const pieces: Buffer[] = []
  const whole: string[] = []
  for (let index = 0; index < RECORDS; index++) {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const text = Buffer.from(JSON.stringify(record(uuid, index, random)), 'utf8')
    const damage = damageAt.get(index)
    if (damage === 'splice') {
      // Cut anywhere, without a line end: the next record follows on the same line.
      pieces.push(text.subarray(0, 1 + random.below(text.length - 1)))
      continue
    }
    if (damage === 'nul') pieces.push(Buffer.alloc(200 + random.below(500)))
    pieces.push(text)
    if (damage !== 'glue') pieces.push(Buffer.from('\n'))
    whole.push(uuid)
  }
  return { bytes: Buffer.concat(pieces), whole }
}

function record(uuid: string, index: number, random: Random): unknown {
  const base = {
    parentUuid: index === 0 ? null : 'x',
    isSidechain: false,
    sessionId: 's',
    uuid,
    timestamp: '2026-11-15T10:00:00.000Z',
  }
  switch (random.below(4)) {
    case 0:
      return {
        ...base,
        type: 'user',
        message: { role: 'user', content: 'Größe "quoted" \\ 潮汐 {"type":"user","uuid":"no"}' },
      }
    case 1:
      return {
        ...base,
        type: 'assistant',
        message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { a: [1, { b: true }] } }] },
      }
    case 2:
      // A message nested in progress looks like a record from the inside.
      return {
        ...base,
        type: 'progress',
        data: {
          type: 'agent_progress',
          message: { type: 'user', uuid: 'nested', timestamp: 't', message: { content: 'x' } },
        },
      }
    default:
      return { type: 'attachment', attachment: { type: 'queued_command', prompt: 'x' }, ...base }
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return line !== ''
  } catch {
    return false
  }
}
