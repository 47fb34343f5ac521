// A conversation that no client finds or understands, as one that it does: in its own records, where it looks for them.

import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, replaceFile } from '../disk/durable.ts'
import { dialectOf } from '../record/dialect.ts'
import type { Body, Envelope } from '../record/model.ts'
import { FORMAT_VERSION, titleBody } from './client-record.ts'
import { fromEventLog } from './event-log.ts'
import type { ForkFacts } from './fork.ts'
import { forkRecords } from './fork.ts'
import { lineOf } from './line.ts'
import { projectKeyOf } from './project-key.ts'
import { StoreError, writing } from './store-error.ts'
import type { StoredTranscript } from './stored-transcript.ts'
import { readStored } from './stored-transcript.ts'

export interface ClientCopyOptions {
  /** The Claude directory it is written into. */
  readonly root: string
  /** The session it is a copy of. */
  readonly from: string
  readonly cwd: string
  /** The last record of the copy; null for the end. */
  readonly at: string | null
  readonly title: string
  readonly newId?: () => string
}

export interface ClientCopy {
  readonly sessionId: string
  readonly path: string
}

/** Whole or not at all. */
export async function writeClientCopy(disk: Disk, original: string, options: ClientCopyOptions): Promise<ClientCopy> {
  const { root, from, cwd, at, title, newId = randomUUID } = options
  const stored = readStored(disk, original)
  const sessionId = newId()
  const facts = { from, to: sessionId, at }
  const records =
    dialectOf(stored.envelopes) === 'client'
      ? forkRecords(stored, facts)
      : translated(stored, facts, { ...options, newId })
  const tip = records.findLast(({ uuid }) => typeof uuid === 'string')
  if (tip === undefined) throw new StoreError('unknown-record', `${from}: there is nothing in it to fork`)
  const lines = [
    ...records,
    { type: 'last-prompt', leafUuid: tip['uuid'], sessionId },
    ...(title === '' ? [] : [titleBody(sessionId, title)]),
  ]
  const path = join(root, 'projects', projectKeyOf(cwd), `${sessionId}.jsonl`)
  await writing(path, () => makeFolders(disk, dirname(path)))
  await writing(path, () => replaceFile(disk, path, Buffer.from(lines.map(lineOf).join(''))))
  return { sessionId, path }
}

/** Only what is a part of the conversation: the client has no word for where a log begins and ends. */
function translated(
  stored: StoredTranscript,
  { from, to, at }: ForkFacts,
  { cwd, newId }: Required<Pick<ClientCopyOptions, 'cwd' | 'newId'>>,
): readonly Body[] {
  const bodies = upTo(stored.envelopes, at)
    .map(stored.bodyOf)
    .filter((body) => body !== null)
  return fromEventLog(bodies, { sessionId: to, cwd, version: FORMAT_VERSION, newId })
    .filter(({ uuid }) => typeof uuid === 'string')
    .map(({ clew: _, ...body }) => ({
      ...body,
      sessionId: to,
      forkedFrom: { sessionId: from, messageUuid: body['uuid'] },
    }))
}

function upTo(envelopes: readonly Envelope[], at: string | null): readonly Envelope[] {
  return at === null ? envelopes : envelopes.slice(0, envelopes.findLastIndex(({ uuid }) => uuid === at) + 1)
}
