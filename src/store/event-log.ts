// A client's records in the event-log dialect and back, with nothing lost on the way. What the other side has no word for
// stands under the key `clew`: of a client's record its ids, and a patch that makes it again; of a record of the dialect
// a patch that makes that one again. A record that the other side has no word for at all goes over as it is.

import { number, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { LogState } from './dialect-records.ts'
import { isBoundary, isRecap, keptOf, newLogState, present, toClient, toDialect } from './dialect-records.ts'
import type { MadeState, MakingOptions } from './made-records.ts'
import { isConvertible, makeRecords, newMadeState } from './made-records.ts'
import { applyPatch, patchBetween } from './patch.ts'

export interface ToEventLogOptions {
  readonly sessionId: string
}

export type FromEventLogOptions = MakingOptions

export function toEventLog(bodies: readonly Body[], { sessionId }: ToEventLogOptions): readonly Body[] {
  const ownId = ownSession(bodies, sessionId)
  const state = newLogState()
  const log: Body[] = []
  let isClients = false
  let isLogs = bodies.some((body) => body['type'] === 'session_start')
  for (const { records, gap } of groupsOf(bodies)) {
    const [head = {}] = records
    const born = bornInLog(head)
    const said = born === null ? toDialect(records, sessionId, state) : sayAgain(records, born, sessionId, state)
    if (born !== null) isLogs = true
    else if (said?.['type'] === 'message') isClients = true
    if (said === null) log.push(renamed(head, ownId, sessionId))
    else if (born !== null) log.push(applyPatch(said, born['log']))
    else log.push({ ...said, clew: clewOf(records, said, ownId, gap) })
  }
  return isClients && !isLogs ? [startOf(bodies, sessionId), ...log] : log
}

export function fromEventLog(bodies: readonly Body[], options: FromEventLogOptions): readonly Body[] {
  const { sessionId } = options
  const ownId = ownSession(bodies, sessionId)
  const logState = newLogState()
  const made = newMadeState()
  const line = newLine()
  for (const log of bodies) {
    const clew = object(log['clew'])
    if (clew?.['made'] === true) continue
    if (clew !== null && Array.isArray(clew['client'])) {
      const { clew: _, ...said } = log
      const patches = clew['client'] as readonly unknown[]
      const records = toClient(said, clew, sessionId).map((record, at) => applyPatch(record, patches[at]))
      toDialect(records, ownId, logState)
      emit(line, records, number(clew['gap']) ?? 0)
      follow(made, records)
    } else if (isConvertible(log, made)) {
      emit(line, marked(makeRecords(log, made, options), log, ownId, logState), 0)
    } else {
      toDialect([log], ownId, logState)
      if (log['type'] === 'session_start' && log['sessionId'] !== ownId) made.previousUuid = null
      emit(line, [renamed(log, ownId, sessionId)], 0)
    }
  }
  return [...line.records, ...line.held.map(({ record }) => record)]
}

/** What the records are about, unless the caller's own session is among them. */
function ownSession(bodies: readonly Body[], sessionId: string): string {
  const named = bodies.flatMap((body) => text(body['sessionId']) ?? [])
  return named.includes(sessionId) ? sessionId : (named[0] ?? sessionId)
}

function renamed(body: Body, from: string, to: string): Body {
  return body['sessionId'] === from && from !== to ? { ...body, sessionId: to } : body
}

interface Group {
  readonly records: readonly Body[]
  /** How many records stand between a boundary and its recap: attachments, mostly. */
  readonly gap: number
}

/** Client records that are one record in the dialect. */
function* groupsOf(bodies: readonly Body[]): Generator<Group> {
  const parts = new Map<unknown, number[]>()
  bodies.forEach((body, at) => {
    const partOf = object(body['clew'])?.['partOf']
    if (typeof partOf === 'string') parts.set(partOf, [...(parts.get(partOf) ?? []), at])
  })
  const taken = new Set<number>()
  for (const [at, head] of bodies.entries()) {
    if (taken.has(at)) continue
    const others = bornInLog(head) === null ? recapOf(bodies, at) : (parts.get(head['uuid']) ?? [])
    const free = others.filter((other) => other > at && !taken.has(other))
    for (const other of free) taken.add(other)
    yield { records: [head, ...free.map((other) => bodies[other] as Body)], gap: (free[0] ?? at + 1) - at - 1 }
  }
}

/** The recap of a boundary comes before anything that is said. */
function recapOf(bodies: readonly Body[], at: number): readonly number[] {
  if (!isBoundary(bodies[at] as Body)) return []
  for (let next = at + 1; next < bodies.length; next++) {
    const body = bodies[next] as Body
    if (isRecap(body)) return bornInLog(body) === null ? [next] : []
    if (body['type'] === 'user' || body['type'] === 'assistant' || isBoundary(body)) return []
  }
  return []
}

function bornInLog(record: Body): Body | null {
  const clew = object(record['clew'])
  return clew !== null && object(clew['log']) !== null ? clew : null
}

function sayAgain(records: readonly Body[], clew: Body, sessionId: string, state: LogState): Body {
  const said = toDialect(records, sessionId, state) ?? {}
  if (clew['isText'] !== true || !Array.isArray(said['content'])) return said
  return { ...said, content: text(object(said['content'][0])?.['text']) ?? said['content'] }
}

/** Ids stand by name, for whoever reads the log; the patch has all the rest. */
function clewOf(records: readonly Body[], said: Body, ownId: string, gap: number): Body {
  const kept = keptOf(records)
  const again = toClient(said, kept, ownId)
  const client = records.map((record, at) => patchBetween(again[at] ?? {}, record))
  return { ...kept, client, ...(gap === 0 ? {} : { gap }) }
}

/** The client writes no such record. It is made for those who read the log, and left out on the way back. */
function startOf(bodies: readonly Body[], sessionId: string): Body {
  const first = (key: string): string | undefined =>
    bodies.map((body) => text(body[key])).find((value) => value) ?? undefined
  const origins = bodies.map((body) => text(object(body['forkedFrom'])?.['sessionId']))
  const origin = origins.find((id) => id !== null && id !== sessionId) ?? undefined
  const links = { parentSessionId: origin, resumedFrom: origin }
  const around = { timestamp: first('timestamp'), cwd: first('cwd') }
  return { type: 'session_start', sessionId, ...present({ ...around, ...links }), clew: { made: true } }
}

/** So that the same record of the dialect can be made from them again. */
function marked(records: readonly Body[], log: Body, ownId: string, state: LogState): readonly Body[] {
  const isText = log['type'] === 'message' && log['role'] === 'assistant' && typeof log['content'] === 'string'
  const clew: Body = isText ? { isText } : {}
  const patch = patchBetween(sayAgain(records, clew, ownId, state), log) ?? {}
  const [head = {}, ...others] = records
  const uuid = head['uuid']
  return [{ ...head, clew: { ...clew, log: patch } }, ...others.map((other) => ({ ...other, clew: { partOf: uuid } }))]
}

interface Line {
  readonly records: Body[]
  /** Recaps, each with the number of records that come before it. */
  held: readonly { readonly record: Body; readonly place: number }[]
}

function newLine(): Line {
  return { records: [], held: [] }
}

function emit(line: Line, [head, ...others]: readonly Body[], gap: number): void {
  if (head !== undefined) line.records.push(head)
  if (gap === 0) line.records.push(...others)
  else line.held = [...line.held, ...others.map((record) => ({ record, place: line.records.length + gap }))]
  const due = line.held.filter(({ place }) => place <= line.records.length)
  if (due.length === 0) return
  line.held = line.held.filter(({ place }) => place > line.records.length)
  line.records.push(...due.map(({ record }) => record))
}

/** What comes next hangs below the last of these. */
function follow(made: MadeState, records: readonly Body[]): void {
  made.messageId = null
  for (const record of records) {
    made.previousUuid = text(record['uuid']) ?? made.previousUuid
    made.timestamp = text(record['timestamp']) ?? made.timestamp
  }
}
