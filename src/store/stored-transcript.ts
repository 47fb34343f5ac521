// A transcript as the store finds it: its Envelopes, the Bodies by their place, and the chain a client would resume.

import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'
import type { ContextReading } from '../graph/context.ts'
import { readContext } from '../graph/context.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread } from '../graph/thread.ts'
import { parseBody } from '../load/bodies.ts'
import type { LabelGathering } from '../record/labels.ts'
import { gatherLabels, newLabels } from '../record/labels.ts'
import type { Body, Envelope } from '../record/model.ts'
import { addLine, openReader } from '../record/transcript.ts'

export interface ChainedRecord {
  readonly uuid: string
  readonly body: Body
}

export interface StoredTranscript {
  readonly path: string
  readonly envelopes: readonly Envelope[]
  readonly labels: Readonly<LabelGathering>
  readonly thread: Thread
  /** Null for a record whose bytes cannot be read alone. */
  readonly bodyOf: (envelope: Envelope) => Body | null
  /** It has a line of its own. */
  readonly isWhole: (envelope: Envelope) => boolean
  readonly context: () => ContextReading
}

export function readStored(disk: Disk, path: string, isSubagent = false): StoredTranscript {
  const bytes = readWhole(disk, path)
  const labels = newLabels()
  const reader = openReader(path, { isSubagent, visit: (envelope, body) => gatherLabels(labels, envelope, body) })
  let number = 1
  for (let offset = 0; offset < bytes.length; number++) {
    const at = bytes.indexOf(0x0a, offset)
    const end = at < 0 ? bytes.length : at
    const length = (at < 0 ? end : end + 1) - offset
    addLine(reader, { number, offset, length, bytes: bytes.subarray(offset, end), ended: at >= 0 })
    offset += length
  }
  const { envelopes } = reader
  const thread = buildThread([{ transcript: 0, envelopes }])
  let context: ContextReading | null = null
  return {
    path,
    envelopes,
    labels,
    thread,
    bodyOf: ({ offset, length }) => parseBody(bytes.subarray(offset, offset + length)),
    isWhole: ({ offset }) => offset === 0 || bytes[offset - 1] === 0x0a || offset === 3,
    context: () => {
      context ??= readContext(thread, 'resume')
      return context
    },
  }
}

/** The records of the chain in order: what a client that resumes the session works with. */
function chainOf(stored: StoredTranscript): readonly Envelope[] {
  return stored.context().nodes.map((node) => lastCopy(stored.thread.nodes[node] as ThreadNode))
}

/** The same with their Bodies. */
export function chainedRecords(stored: StoredTranscript): readonly ChainedRecord[] {
  return chainOf(stored).flatMap((envelope) => {
    const body = stored.bodyOf(envelope)
    return body === null || envelope.uuid === null ? [] : [{ uuid: envelope.uuid, body }]
  })
}

/** A record that is written again counts as it was written last. */
export function lastCopy({ first, copies }: ThreadNode): Envelope {
  return copies.at(-1) ?? first
}

/**
 * What the next record hangs below. The client hangs it below the last record of the chain, and that may be an attachment
 * behind the last message.
 */
export function tipOf(stored: StoredTranscript): string | null {
  const { tip, nodes } = stored.context()
  const last = nodes.at(-1) ?? tip
  if (last === null || last === undefined) return null
  const { thread } = stored
  const { uuid } = thread.nodes[last] as ThreadNode
  return wholeAbove(stored, lastBelow(stored, uuid))
}

/** A record that was recovered from a damaged line is no parent: a client passes over such lines. */
function wholeAbove({ thread, isWhole }: StoredTranscript, from: string): string | null {
  for (let at: string | null = from, left = thread.nodes.length; at !== null && left > 0; left--) {
    const index = thread.byUuid.get(at)
    if (index === undefined) return null
    const { first, copies } = thread.nodes[index] as ThreadNode
    if ([first, ...copies].some(isWhole)) return at
    at = first.parentUuid
  }
  return null
}

/** Follows records that are no messages, as long as there is just one. */
function lastBelow({ thread }: StoredTranscript, from: string): string {
  const below = new Map<string, ThreadNode[]>()
  for (const node of thread.nodes) {
    const { parentUuid } = lastCopy(node)
    if (parentUuid === null) continue
    const known = below.get(parentUuid)
    if (known === undefined) below.set(parentUuid, [node])
    else known.push(node)
  }
  let at = from
  for (const seen = new Set([at]); ; ) {
    const children = below.get(at) ?? []
    const [only] = children
    if (children.length !== 1 || only === undefined || seen.has(only.uuid)) return at
    const { type } = lastCopy(only)
    if (type !== 'attachment' && type !== 'system') return at
    at = only.uuid
    seen.add(at)
  }
}
