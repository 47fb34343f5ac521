// Made-up transcripts as clients write them, with several compactions and with calls that nobody answered, in any place.

import type { Random } from '../random.ts'
import type { Made } from './healthy.ts'
import { boundary, call, pointer, recap, reply, result, text, timed, user } from './healthy.ts'

interface Talk {
  readonly random: Random
  readonly records: Made[]
  /** The uuids of messages, as they were written. */
  readonly messages: string[]
  last: string | null
  count: number
}

export function compactedTalk(random: Random): Made[] {
  const talk: Talk = { random, records: [], messages: [], last: null, count: 0 }
  for (let turns = 2 + random.below(6); turns > 0; turns--) {
    add(talk, user(newId(talk, 'u'), talk.last, `Question ${talk.count}`))
    for (let calls = random.below(3); calls > 0; calls--) callTools(talk)
    if (random.chance(0.8))
      add(talk, reply(newId(talk, 'a'), talk.last, `m${talk.count}`, text(`Answer ${talk.count}`)))
    if (random.chance(0.3)) talk.records.push(pointer(talk.last ?? '', `Question ${talk.count}`))
    if (random.chance(0.45)) compact(talk)
    // Somebody went back.
    if (random.chance(0.1)) talk.last = random.pick(talk.messages)
  }
  return timed(talk.records)
}

function newId(talk: Talk, kind: string): string {
  return `${kind}${++talk.count}`
}

function add(talk: Talk, record: Made): string {
  const uuid = String(record['uuid'])
  talk.records.push(record)
  talk.messages.push(uuid)
  talk.last = uuid
  return uuid
}

/** Up to three at once, each in a record of its own or all in one; all, some or none of them are answered. */
function callTools(talk: Talk): void {
  const { random } = talk
  const messageId = newId(talk, 'm')
  const ids = Array.from({ length: 1 + random.below(3) }, () => newId(talk, 'T'))
  const blocks = random.chance(0.7) ? ids.map((id) => [call(id)]) : [ids.map(call)]
  const calling = blocks.map((content) => add(talk, reply(newId(talk, 'a'), talk.last, messageId, ...content)))
  if (random.chance(0.15)) compact(talk)
  const share = random.pick([1, 1, 0.5, 0])
  for (const [at, id] of ids.entries())
    if (random.chance(share)) add(talk, result(newId(talk, 'r'), calling[at] ?? calling[0] ?? null, id, `of ${id}`))
  if (random.chance(0.15)) compact(talk)
}

/** It keeps nothing, or some messages by a list or by their ends; some were killed before their Recap. */
function compact(talk: Talk): void {
  const { random, records, messages, last } = talk
  const uuid = newId(talk, 'b')
  const from = Math.max(0, messages.length - 1 - random.below(4))
  const kept = messages.slice(from, random.chance(0.7) ? undefined : from + 1 + random.below(messages.length - from))
  const anchorUuid = random.chance(0.7) ? `${uuid}-recap` : uuid
  const keeps = random.pick<Made>([
    {},
    { preservedMessages: { anchorUuid, uuids: kept } },
    { preservedSegment: { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) } },
  ])
  records.push(boundary(uuid, last, keeps))
  talk.last = uuid
  if (random.chance(0.9)) add(talk, recap(`${uuid}-recap`, uuid))
}
