// What a life consists of. Each step says beforehand what it asks for and afterwards what it was promised.

import type { Disk } from '../../src/disk/disk.ts'
import type { Store } from '../../src/store/open-store.ts'
import { readReceipt, receiptIds } from '../../src/store/receipt.ts'
import { retireSessions, undoRetirement } from '../../src/store/retire.ts'
import type { StoredSession } from '../../src/store/stored-session.ts'
import type { Random } from '../random.ts'
import type { CrashModel, LabelKind } from './crash-model.ts'
import { Violation } from './crash-model.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

export const ROOT = '/claude'

/** What the steps of one life work with. */
export interface Life {
  readonly disk: SimulatedDisk
  readonly front: Disk
  readonly store: Store
  readonly model: CrashModel
  readonly random: Random
  readonly newId: () => string
  readonly open: Map<string, StoredSession>
  /** Records with uuids of their own that were handed in and never promised: they are handed in again. */
  readonly unkept: Map<string, { readonly id: string; readonly text: string }>
  /** Null when it was refused, for a reason the store may have. */
  readonly ask: <Value>(work: () => Promise<Value>) => Promise<Value | null>
}

type Step = (life: Life) => Promise<void>

const SESSIONS_MAX = 4
const LENGTHS = [4, 4, 4, 40, 40, 40, 300, 300, 1200] as const

function newText({ model, random }: Life): string {
  return model.newText(random.pick(LENGTHS))
}

/** One that can be written to, opened when it is not; null when the disk did not let us. */
async function someSession(life: Life): Promise<StoredSession | null> {
  const { model, random, store, open } = life
  await restoreStrays(life)
  const known = [...model.sessions.values()].filter(({ places, promised }) => isHome(places) && promised.size > 0)
  if (known.length === 0 || (known.length < SESSIONS_MAX && random.chance(0.1))) return newSession(life)
  const { id } = random.pick(known)
  const opened = open.get(id) ?? (await life.ask(() => store.resume(id)))
  if (opened !== null) open.set(id, opened)
  return opened
}

async function newSession(life: Life): Promise<StoredSession | null> {
  const { store, random, open } = life
  const cwd = random.pick(['/home/ada/tide', '/home/ada/watch'])
  if (random.chance(0.3)) {
    const [title, sessionId] = [newText(life), life.newId()]
    const session = await asked(life, sessionId, 'title', title, () => store.create({ cwd, title, sessionId }))
    if (session !== null) open.set(sessionId, session)
    return session
  }
  const session = await life.ask(() => store.create({ cwd }))
  if (session !== null) open.set(session.id, session)
  return session
}

function isHome(places: readonly string[]): boolean {
  return places.length === 1 && places[0] === 'projects'
}

/** A write that failed may have closed the session for good: then it is opened again. */
async function writeTo(life: Life, session: StoredSession): Promise<void> {
  const { random, model } = life
  const { id } = session
  const promise = (uuid: string | null, text: string): void => {
    if (uuid === null) throw new Violation(`${id}: no uuid for what was promised`)
    model.promise(id, uuid, text)
  }
  const texts = [newText(life), newText(life)].slice(0, 1 + random.below(2))
  const [text = ''] = texts
  let isKept: boolean
  switch (random.below(5)) {
    case 0: {
      const uuid = await life.ask(() => session.prompt(text))
      isKept = uuid !== null
      if (uuid !== null) promise(uuid, text)
      break
    }
    case 1: {
      const uuids = await life.ask(() => session.reply(texts.map((one) => ({ type: 'text', text: one }))))
      isKept = uuids !== null
      for (const [index, uuid] of (uuids ?? []).entries()) promise(uuid, texts[index] ?? '')
      break
    }
    case 2: {
      const toolUseId = `toolu_${life.newId().slice(0, 8)}`
      const call = [{ type: 'tool_use', id: toolUseId, name: 'Read', input: { text } }]
      const uuids = await life.ask(() => session.reply(call))
      for (const uuid of uuids ?? []) promise(uuid, text)
      const words = newText(life)
      const results = uuids && (await life.ask(() => session.toolResult({ toolUseId, content: words })))
      isKept = results !== null
      for (const uuid of results ?? []) promise(uuid, words)
      break
    }
    case 3:
      isKept = await appendGiven(life, session, life.newId(), text)
      break
    default: {
      const records = texts.map((content) => ({ type: 'user', message: { role: 'user', content } }))
      const uuids = await life.ask(() => session.append(records))
      isKept = uuids !== null
      for (const [index, uuid] of (uuids ?? []).entries()) promise(uuid, texts[index] ?? '')
    }
  }
  if (!isKept) await reopenLater(life, session)
}

/** Handed in again as long as it was not promised: it must be there once, and last. */
async function appendGiven(life: Life, session: StoredSession, uuid: string, text: string): Promise<boolean> {
  life.unkept.set(uuid, { id: session.id, text })
  const timestamp = '2026-11-16T00:00:00.000Z'
  const record = { type: 'user', uuid, parentUuid: null, timestamp, message: { role: 'user', content: text } }
  const uuids = await life.ask(() => session.append([record]))
  if (uuids === null) return false
  if (uuids[0] !== uuid) throw new Violation(`${session.id}: ${uuid} became ${uuids[0]}`)
  life.model.promise(session.id, uuid, text)
  life.unkept.delete(uuid)
  return true
}

async function reopenLater({ open, ask }: Life, session: StoredSession): Promise<void> {
  if (open.get(session.id) === session) open.delete(session.id)
  await ask(() => session.close())
}

/** A fact of which the last one counts. */
async function asked<Value>(
  { model, ask }: Life,
  id: string,
  kind: LabelKind,
  value: string,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const label = model.label(id, kind)
  label.later.push(value)
  let isKept = false
  const result = await ask(async () => {
    const made = await work()
    isKept = true
    return made
  })
  if (isKept) {
    label.promised = value
    label.later = []
  }
  return result
}

export const single: Step = async (life) => {
  const session = await someSession(life)
  if (session !== null) await writeTo(life, session)
}

/** Producers that do not wait for each other, most of them at one session. */
export const group: Step = async (life) => {
  const session = await someSession(life)
  const other = life.random.chance(0.3) ? await someSession(life) : session
  if (session === null || other === null) return
  const count = 2 + life.random.below(7)
  await Promise.all(Array.from({ length: count }, (_, index) => writeTo(life, index % 3 === 2 ? other : session)))
}

export const again: Step = async (life) => {
  for (const [uuid, { id, text }] of [...life.unkept].slice(-3)) {
    const model = life.model.sessions.get(id)
    if (model === undefined || !isHome(model.places) || model.promised.size === 0) continue
    const session = life.open.get(id) ?? (await life.ask(() => life.store.resume(id)))
    if (session === null) return
    life.open.set(id, session)
    if (!(await appendGiven(life, session, uuid, text))) await reopenLater(life, session)
  }
}

const compact: Step = async (life) => {
  const session = await someSession(life)
  if (session === null) return
  const text = newText(life)
  const preserve = session.chain().map(({ uuid }) => uuid)
  const kept = preserve.slice(preserve.length - life.random.below(Math.min(3, preserve.length + 1)))
  const uuid = await life.ask(() => session.compact(text, kept.length < preserve.length ? { preserve: kept } : {}))
  if (uuid === null) await reopenLater(life, session)
  else life.model.promise(session.id, uuid, text)
}

const rewind: Step = async (life) => {
  const session = await someSession(life)
  const chain = session?.chain() ?? []
  if (session === null || chain.length === 0) return
  const { uuid } = life.random.pick(chain)
  await asked(life, session.id, 'rewind', uuid, () => session.rewind(uuid))
}

const label: Step = async (life) => {
  const session = await someSession(life)
  if (session === null || (life.model.sessions.get(session.id)?.promised.size ?? 0) === 0) return
  const { id } = session
  const value = newText(life)
  const kind = life.random.pick(['title', 'tag', 'cost'] as const)
  if (kind === 'title') await asked(life, id, kind, value, () => life.store.rename(id, value))
  if (kind === 'tag') await asked(life, id, kind, value, () => life.store.tag(id, value))
  const cost = Number.parseInt(life.newId().slice(0, 8), 16)
  if (kind === 'cost') await asked(life, id, kind, String(cost), () => session.end({ durationMs: 1, cost }))
}

const fork: Step = async (life) => {
  const session = await someSession(life)
  const { model, store, open } = life
  const before = session === null ? undefined : model.sessions.get(session.id)
  if (session === null || before === undefined || before.promised.size === 0 || model.sessions.size >= 8) return
  const title = newText(life)
  const forked = await life.ask(() => store.fork(session.id, { title }))
  if (forked === null) return
  open.set(forked.id, forked)
  model.label(forked.id, 'title').promised = title
  for (const { uuid } of forked.chain()) {
    const text = before.promised.get(uuid)
    if (text !== undefined) model.promise(forked.id, uuid, text)
  }
}

const reopen: Step = async (life) => {
  const session = await someSession(life)
  if (session !== null) await reopenLater(life, session)
}

/** Into the trash; it comes back when a session is looked for the next time, in this life or a later one. */
const retire: Step = async (life) => {
  const { model, random, store, open } = life
  const known = [...model.sessions.values()].filter(({ places, promised }) => isHome(places) && promised.size > 0)
  if (known.length < 2) return
  const { id } = random.pick(known)
  const session = open.get(id)
  if (session !== undefined) await reopenLater(life, session)
  model.session(id).places = ['projects', 'clew-trash']
  const receipt = await life.ask(() => (random.chance(0.5) ? store.remove(id) : retireByRule(life, id)))
  if (receipt !== null) model.session(id).places = ['clew-trash']
}

async function retireByRule({ front, store, newId }: Life, id: string): Promise<string | null> {
  const row = store.find(id)
  const choice = {
    row: { ...row, title: '', folder: null, isLive: false, isPinned: false, isArchived: true },
    reason: { kind: 'keep-last', place: 2 },
    heldBy: null,
  } as const
  const rule = { kind: 'keep-last', count: 1 } as const
  const options = { id: newId(), nowMs: 1_790_000_000_000, rule, isRunning: () => false }
  const { receiptId, failure } = await retireSessions(front, ROOT, [choice], options)
  if (failure !== null) throw failure
  return receiptId
}

async function restoreStrays(life: Life): Promise<void> {
  const { model, front, random } = life
  const strays = [...model.sessions.values()].filter(({ places }) => !isHome(places))
  if (strays.length === 0 || random.chance(0.3)) return
  for (const stray of strays) stray.places = ['projects', 'clew-trash']
  for (const id of (await life.ask(async () => receiptIds(front, ROOT))) ?? []) {
    const receipt = await life.ask(async () => readReceipt(front, ROOT, id))
    const done = receipt && (await life.ask(() => undoRetirement(front, ROOT, receipt)))
    if (receipt === null || done === null || done.failure !== null) continue
    const [conflict] = done.conflicts
    if (conflict !== undefined) {
      if (life.disk.isDown || life.disk.failures > 0 || model.hadFailedSync) continue
      throw new Violation(`${conflict.path} cannot come back: ${conflict.why}`)
    }
    for (const { sessionId } of receipt.sessions) model.session(sessionId).places = ['projects']
  }
}

export const STEPS: readonly Step[] = [
  ...[single, single, single, group, group, group, group, again],
  ...[compact, rewind, label, fork, reopen, retire],
]

export const FIXED_STEPS: readonly Step[] = [
  ...[single, group, single, label, label, label, compact, group, rewind, single, fork, group, reopen, again],
  ...[single, retire, single, again, group, fork, retire, reopen, compact, group],
]
