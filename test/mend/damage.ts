// What is done to a transcript in good health, in small functions that the shapes of damage are put together from.

import type { Made } from './healthy.ts'
import { bytesOf, call, link, reply, result, talk, text, timed, user } from './healthy.ts'

export const GONE = '00000000-dead-4000-8000-000000000000'

export function byUuid(records: readonly Made[], uuid: string): Made {
  return records.find((record) => record['uuid'] === uuid) ?? {}
}

export function without(records: readonly Made[], uuid: string): Made[] {
  return records.filter((record) => record['uuid'] !== uuid)
}

export function changedAll(records: readonly Made[], changes: Readonly<Record<string, Made>>): Made[] {
  return records.map((record) => ({ ...record, ...changes[String(record['uuid'])] }))
}

export function changed(records: readonly Made[], uuid: string, change: Made): Buffer {
  return bytesOf(changedAll(records, { [uuid]: change }))
}

export function kept(records: readonly Made[], preserved: Made): Buffer {
  return changed(records, 'cb', { compactMetadata: { trigger: 'auto', preTokens: 9, ...preserved } })
}

export function cut(bytes: Buffer, count: number): Buffer {
  return bytes.subarray(0, bytes.length - count)
}

export function linesOf(records: readonly Made[]): Buffer[] {
  return records.map((record) => Buffer.from(JSON.stringify(record)))
}

export function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
}

/** A line of its own before the record of that number. */
export function inserted(records: readonly Made[], at: number, line: string | Buffer): Buffer {
  const lines = linesOf(records)
  lines.splice(at, 0, Buffer.from(line))
  return joined(lines)
}

/** A stub on the line of the record of that number. */
export function glued(records: readonly Made[], at: number, stub: string): Buffer {
  const lines = linesOf(records)
  lines[at] = Buffer.concat([Buffer.from(stub), lines[at] ?? Buffer.alloc(0)])
  return joined(lines)
}

export function replacedBytes(bytes: Buffer, from: string, to: Buffer): Buffer {
  const at = bytes.indexOf(from)
  return Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + Buffer.byteLength(from))])
}

export function longTalk(turns: number): Made[] {
  const records: Made[] = []
  for (let turn = 0; turn < turns; turn++) {
    records.push(user(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, `Question ${turn}`))
    records.push(reply(`a${turn}`, `u${turn}`, `m${turn}`, text(`Answer ${turn}`)))
  }
  return timed(records)
}

export function hook(uuid: string, parentUuid: string): Made {
  const attachment = { type: 'hook_additional_context', content: ['low tide'], hookName: 'SessionStart' }
  return { ...link(uuid, parentUuid, 'attachment'), attachment }
}

export const HOLLOW = { thinking: '', signature: 'c2ln'.repeat(200) }
export const MODIFIED =
  'API Error: 400 messages.1.content.5: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'
export const INVALID = 'API Error: 400 messages.1.content.0: Invalid `signature` in `thinking` block'

/** The talk with other thinking in its place. */
export function thinking(block: Made): Buffer {
  return bytesOf(timed(talk().map((one) => (one['uuid'] === 'a1' ? thinkingReply(block) : one))))
}

function thinkingReply(block: Made): Made {
  return reply('a1', 't1', 'm1', { type: 'thinking', ...block })
}

/** The talk, and at its end what the client wrote down when the API refused it. */
export function refusedTalk(block: Made, said: string): Buffer {
  const refusal = { ...reply('e9', 'c1', 'synthetic', text(said)), isApiErrorMessage: true }
  const records = talk().map((one) => (one['uuid'] === 'a1' ? thinkingReply(block) : one))
  return bytesOf(timed([...records, refusal]))
}

/** Three tools at once, of which only some have answered. */
export function three(answered: readonly string[]): Made[] {
  const results = ['R1', 'R2', 'R3'].flatMap((uuid, index) =>
    answered.includes(uuid) ? [result(uuid, `a${index + 1}`, `T${index + 1}`, uuid)] : [],
  )
  return timed([
    user('u1', null, 'All three.'),
    reply('a1', 'u1', 'm1', call('T1')),
    reply('a2', 'a1', 'm1', call('T2')),
    reply('a3', 'a2', 'm1', call('T3')),
    ...results,
    reply('a4', answered.at(-1) ?? 'a3', 'm2', text('Done.')),
  ])
}

interface Drawn {
  readonly width?: number
  readonly kilobytes?: number
}

/** Its first bytes are those of a PNG; nobody looks at the rest. */
export function picture({ width = 10, kilobytes = 1 }: Drawn): Made {
  const bytes = Buffer.alloc(kilobytes * 768)
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(10, 20)
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } }
}

export function pictures(all: readonly Drawn[]): Buffer {
  const shown = all.map((one, index) =>
    user(`p${index}`, index === 0 ? 'u1' : `p${index - 1}`, [text(`Look at ${index}`), picture(one)]),
  )
  return bytesOf(timed([user('u1', null, 'Pictures.'), ...shown]))
}
