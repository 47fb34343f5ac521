// The write side of a Claude directory: sessions that are made, gone on with, forked, named and marked. The real client
// can resume whatever is written here.

import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { titleOf } from '../conversation/title.ts'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, replaceFile } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { Dialect } from '../record/dialect.ts'
import { dialectOf } from '../record/dialect.ts'
import type { Body } from '../record/model.ts'
import { readCustomTitle } from '../source/sidecar.ts'
import type { SyncRule } from './appender.ts'
import { Appender } from './appender.ts'
import type { Surroundings } from './client-record.ts'
import { FORMAT_VERSION, startBody, titleBody } from './client-record.ts'
import { encoderOf, resumedChain } from './dialect.ts'
import { doubtCount } from './doubt.ts'
import type { FitOptions } from './fit.ts'
import { compactToFit } from './fit.ts'
import { forkRecords } from './fork.ts'
import { lineOf } from './line.ts'
import { liveSessions } from './live.ts'
import { projectKeyOf } from './project-key.ts'
import { retireNamed } from './retire-named.ts'
import type { SessionLock } from './session-lock.ts'
import { fileLock } from './session-lock.ts'
import { reading, StoreError, writing } from './store-error.ts'
import type { StoredRow } from './stored-rows.ts'
import { findRow, isSessionId, storedRows } from './stored-rows.ts'
import { StoredSession } from './stored-session.ts'
import type { StoredTranscript } from './stored-transcript.ts'
import { readStored, tipOf } from './stored-transcript.ts'

export interface StoreOptions {
  /** The Claude directory, which has `projects/` in it. */
  readonly root: string
  readonly fsync?: SyncRule
  readonly disk?: Disk
  readonly lock?: (path: string) => SessionLock
  readonly nowMs?: () => number
  readonly newId?: () => string
}

export interface CreateOptions {
  readonly cwd: string
  /** The session this one goes on from. */
  readonly parent?: string
  readonly title?: string
  readonly sessionId?: string
  readonly gitBranch?: string
  /** The client's own records, or those of the event-log dialect. */
  readonly dialect?: Dialect
}

export interface ResumeOptions {
  /** In a session of its own that says which one it goes on from; the old one stays as it is. */
  readonly asChild?: boolean
  readonly fit?: FitOptions
}

export interface ForkOptions {
  /** The last record of the copy; the tip without it. */
  readonly at?: string
  readonly title?: string
}

export interface LoadedSession {
  readonly row: StoredRow
  readonly title: string | null
  readonly tag: string | null
  /** Every record that can be read, in the order of the file. */
  readonly records: readonly Body[]
}

export function openStore(options: StoreOptions): Store {
  return new Store(options)
}

export class Store {
  readonly root: string
  readonly disk: Disk
  readonly #syncRule: SyncRule
  readonly #lock: (path: string) => SessionLock
  readonly #nowMs: () => number
  readonly #newId: () => string

  constructor({ root, fsync = 'group', disk = REAL_DISK, lock, nowMs = Date.now, newId = randomUUID }: StoreOptions) {
    this.root = root
    this.disk = disk
    this.#syncRule = fsync
    this.#lock = lock ?? ((path) => fileLock(disk, path))
    this.#nowMs = nowMs
    this.#newId = newId
  }

  async create({
    cwd,
    parent,
    title,
    dialect = 'client',
    gitBranch = '',
    ...given
  }: CreateOptions): Promise<StoredSession> {
    const { sessionId = this.#newId() } = given
    if (!isSessionId(sessionId)) throw new StoreError('not-a-record', `a session id is a uuid, not ${sessionId}`)
    if (this.#rows().some((row) => row.sessionId === sessionId))
      throw new StoreError('session-exists', `there is a session ${sessionId} already`)
    const from = parent === undefined ? null : this.find(parent).sessionId
    const around = { sessionId, cwd, gitBranch, version: FORMAT_VERSION, agentId: null }
    const path = join(this.root, 'projects', projectKeyOf(cwd), `${sessionId}.jsonl`)
    const session = await this.#open(path, around, null, dialect)
    const first: Body[] = []
    if (from !== null || dialect === 'event-log') first.push(startBody(around, from, this.#now()))
    if (title !== undefined) first.push(titleBody(sessionId, title))
    await session.append(first)
    return session
  }

  /** A subagent's own transcript, in the folder of the session it works for. */
  async createAgent(session: StoredSession, meta: Body & { readonly agentType: string }): Promise<StoredSession> {
    const agentId = `a${this.#newId().replaceAll('-', '').slice(0, 16)}`
    const folder = join(session.path.slice(0, -'.jsonl'.length), 'subagents')
    await writing(folder, () => makeFolders(this.disk, folder))
    const path = join(folder, `agent-${agentId}.jsonl`)
    const around = { ...session.surroundings, agentId }
    const sidecar = path.replace(/jsonl$/, 'meta.json')
    await writing(sidecar, () => replaceFile(this.disk, sidecar, Buffer.from(JSON.stringify(meta))))
    return this.#open(path, around, null)
  }

  /** Goes on with a session where a client would, or in a child of it; compacted first if it is larger than told. */
  async resume(id: string, { asChild = false, fit }: ResumeOptions = {}): Promise<StoredSession> {
    const row = this.find(id)
    const session = asChild ? await this.#child(row) : await this.#resumed(row)
    if (fit !== undefined) await compactToFit(session, fit)
    return session
  }

  async #child({ sessionId }: StoredRow): Promise<StoredSession> {
    const child = await this.fork(sessionId, { title: '' })
    await child.append(startBody(child.surroundings, sessionId, this.#now()))
    return child
  }

  async #resumed(row: StoredRow): Promise<StoredSession> {
    this.#refuseLive(row.sessionId)
    const stored = this.#read(row)
    const last = stored.envelopes.findLast(({ cwd }) => cwd !== null)
    const around: Surroundings = {
      sessionId: row.sessionId,
      cwd: last?.cwd ?? '',
      gitBranch: last?.gitBranch ?? '',
      version: last?.version ?? FORMAT_VERSION,
      agentId: null,
    }
    return this.#open(row.path, around, stored)
  }

  /** A copy of the conversation up to a record, under a new id. It is there whole or not at all. */
  async fork(id: string, { at, title }: ForkOptions = {}): Promise<StoredSession> {
    const row = this.find(id)
    const stored = this.#read(row)
    const sessionId = this.#newId()
    const records = forkRecords(stored, { from: row.sessionId, to: sessionId, at: at ?? null })
    const path = join(dirname(row.path), `${sessionId}.jsonl`)
    const own = titleOf(stored.labels, readCustomTitle(row.path.slice(0, -'.jsonl'.length)).value).text
    const named = title ?? `${own} (fork)`.trim()
    const tip = records.findLast(({ uuid }) => typeof uuid === 'string')
    const lines = [
      ...records,
      ...(tip === undefined ? [] : [{ type: 'last-prompt', leafUuid: tip['uuid'], sessionId }]),
      ...(named === '' ? [] : [titleBody(sessionId, named)]),
    ]
    await writing(path, () => replaceFile(this.disk, path, Buffer.from(lines.map(lineOf).join(''))))
    return this.resume(sessionId)
  }

  async rename(id: string, title: string): Promise<void> {
    const { sessionId, path } = this.find(id)
    await this.#addMark(path, titleBody(sessionId, title))
    const sidecar = join(path.slice(0, -'.jsonl'.length), 'custom-title.json')
    await writing(sidecar, async () => {
      // Written by the client's own rename; a newer name in the transcript alone would be ignored.
      if (this.disk.stat(sidecar) !== null)
        await replaceFile(this.disk, sidecar, Buffer.from(JSON.stringify({ customTitle: title })))
    })
  }

  async tag(id: string, tag: string | null): Promise<void> {
    const { sessionId, path } = this.find(id)
    await this.#addMark(path, { type: 'tag', tag: tag ?? '', sessionId })
  }

  archive(id: string): Promise<void> {
    return this.#markArchived(id, true)
  }

  unarchive(id: string): Promise<void> {
    return this.#markArchived(id, false)
  }

  /** Into the trash, from which `undoRetirement` takes it back. The id of the receipt. */
  async remove(id: string): Promise<string> {
    const row = this.find(id)
    this.#refuseLive(row.sessionId)
    // Whoever wrote to it last in this process gives up the lock in a moment.
    await new Promise(setImmediate)
    const options = { nowMs: this.#nowMs(), random: this.#newId().slice(0, 8) }
    return writing(row.path, () => retireNamed(this.disk, this.root, row, options))
  }

  /** Newest first; only those that were begun in a folder, if one is named. */
  list({ cwd }: { readonly cwd?: string } = {}): readonly StoredRow[] {
    const key = cwd === undefined ? null : projectKeyOf(cwd)
    return this.#rows()
      .filter(({ projectKey }) => key === null || projectKey === key)
      .sort((one, other) => other.modifiedMs - one.modifiedMs)
  }

  load(id: string): LoadedSession {
    const row = this.find(id)
    const stored = this.#read(row)
    const { customTitle, aiTitle, tag } = stored.labels
    const records = stored.envelopes.map(stored.bodyOf).filter((body) => body !== null)
    return { row, title: customTitle || aiTitle, tag, records }
  }

  /** By its id or the beginning of one. */
  find(id: string): StoredRow {
    return findRow(this.#rows(), id, this.root)
  }

  #read({ path }: StoredRow): StoredTranscript {
    return reading(path, () => readStored(this.disk, path))
  }

  #rows(): readonly StoredRow[] {
    return reading(this.root, () => storedRows(this.disk, this.root))
  }

  #now(): string {
    return new Date(this.#nowMs()).toISOString()
  }

  async #open(
    path: string,
    around: Surroundings,
    stored: StoredTranscript | null,
    dialect: Dialect = stored === null ? 'client' : dialectOf(stored.envelopes),
  ): Promise<StoredSession> {
    await writing(path, () => makeFolders(this.disk, dirname(path)))
    const appender = new Appender(path, { disk: this.disk, lock: this.#lock(path), syncRule: this.#syncRule })
    const isLog = dialect === 'event-log'
    const chain = stored === null ? [] : resumedChain(stored, { ...around, newId: this.#newId })
    return new StoredSession({
      path,
      around,
      appender,
      nowMs: this.#nowMs,
      newId: this.#newId,
      isSure: () => doubtCount(this.disk, path) === 0,
      encode: encoderOf(dialect, around.sessionId),
      chain,
      tip: stored === null || isLog ? (chain.at(-1)?.uuid ?? null) : tipOf(stored),
      uuids: new Set([...(stored?.thread.nodes ?? []), ...chain].map(({ uuid }) => uuid)),
    })
  }

  async #addMark(path: string, body: Body): Promise<void> {
    const appender = new Appender(path, { disk: this.disk, lock: this.#lock(path), syncRule: this.#syncRule })
    try {
      await appender.append(lineOf(body))
    } finally {
      await appender.close()
    }
  }

  async #markArchived(id: string, archived: boolean): Promise<void> {
    const { path } = this.find(id)
    const folder = path.slice(0, -'.jsonl'.length)
    const mark = { archived, at: this.#now(), by: 'clew' }
    await writing(folder, async () => {
      await makeFolders(this.disk, folder)
      await replaceFile(this.disk, join(folder, 'archived.json'), Buffer.from(JSON.stringify(mark)))
    })
  }

  #refuseLive(sessionId: string): void {
    const pid = reading(this.root, () => liveSessions(this.disk, this.root)).get(sessionId)
    if (pid !== undefined)
      throw new StoreError('live-session', `${sessionId} is open in Claude Code (process ${pid}); fork it instead`)
  }
}
