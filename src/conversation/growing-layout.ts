// A Layout that goes on: records appended below its last Turn become Rows one by one. It knows only that Turn, and it
// declines whatever may change more than that (a compaction, a rewind, a queue, a copy): then the Layout has to be made
// again. What it does not decline comes out as if it had been made from all records at once.

import type { Envelope, Usage } from '../record/model.ts'
import { isMessage } from '../record/roles.ts'
import { highestUsage } from '../record/usage-record.ts'
import type { Growth } from './growth.ts'
import type { Row, RowCall, RowTurn, Spot } from './layout.ts'
import { addRow, NO_CALL, plainRow, spotOf, uuidKey } from './layout.ts'
import type { PlacedRecord } from './model.ts'
import { statusOf } from './tool-calls.ts'

export interface LayoutEnd {
  readonly turn: RowTurn
  readonly rows: readonly Row[]
  /** The calls of these Rows that wait for a result, and what the last replies are called: Rows do not say. */
  readonly named: ReadonlyMap<Row, NamedRecord>
  readonly hasBoundary: boolean
  readonly growth: Growth
}

export type NamedRecord = Pick<Envelope, 'toolUses' | 'messageId' | 'requestId' | 'uuid' | 'line' | 'blockIndex'>

interface OpenCall {
  readonly row: number
  readonly call: number
}

interface OpenReply {
  row: number
  usage: Usage | null
  blockIndex: number | null
}

export class GrowingLayout {
  /** Rows from the first of the last Turn on. */
  readonly rows: Row[]
  /** The last Turn and those after it. */
  readonly turns: RowTurn[]
  readonly #firstRow: number
  #keys = new Set<number>()
  #lastKey = 0
  #lastMessageKey = 0
  #calls = new Map<string, OpenCall>()
  #replies = new Map<string, OpenReply>()
  readonly #hasBoundary: boolean
  readonly #canGrow: boolean
  #loose: ReadonlySet<number>
  /** The last message and what hangs on it. */
  #line: Set<number>
  #hasPointer: boolean
  /** A queued prompt stands in the Turn: what comes next may make it the Prompt of another. */
  readonly #hasQueued: boolean
  #changedFrom: number

  constructor({ turn, rows, named, hasBoundary, growth }: LayoutEnd) {
    this.#canGrow = growth.canGrow
    this.#loose = new Set(growth.loose)
    this.#line = new Set(growth.line)
    this.#hasPointer = growth.hasPointer
    this.#hasQueued = rows.some(({ kind, record: { key } }) => kind === 'prompt' && (key === 0 || this.#loose.has(key)))
    this.rows = [...rows]
    this.turns = [turn]
    this.#firstRow = turn.row
    this.#hasBoundary = hasBoundary
    this.#changedFrom = turn.row + rows.length
    for (const row of rows) for (const spot of spotsOf(row)) this.#keys.add(spot.key)
    this.#lastKey = lastOf(rows.flatMap(spotsOf)).key
    this.#lastMessageKey = lastOf(rows.filter(({ kind }) => MESSAGES.has(kind)).flatMap(spotsOf)).key
    for (const [index, row] of rows.entries()) this.#name(index, row, named.get(row))
  }

  get rowCount(): number {
    return this.#firstRow + this.rows.length
  }

  /** The first Row that is new or another one since it was last asked. */
  takeChanged(): number {
    const from = this.#changedFrom
    this.#changedFrom = this.rowCount
    return from
  }

  /** False when the record is declined; nothing has changed then. */
  add(envelope: Envelope): boolean {
    // Old clients kept Subagents in the same file: what they do changes what is known of the call.
    if (envelope.isSidechain || this.#hasQueued || !this.#canGrow) return false
    if (envelope.uuid === null) return this.#isHarmless(envelope)
    const { kind, parentUuid, links, type } = envelope
    const key = uuidKey(envelope.uuid)
    if (this.#keys.has(key) || parentUuid === null) return false
    if (this.#loose.has(key) || this.#loose.has(uuidKey(parentUuid))) return false
    if (this.#hasPointer && isMessage(envelope) && !this.#line.has(uuidKey(parentUuid))) return false
    if (links?.logicalParentUuid !== undefined) return false
    if (kind === 'boundary' || kind === 'unknown' || (kind === 'prompt' && type !== 'user')) return false
    const record: PlacedRecord = { transcript: 0, envelope }
    const isTaken = kind === 'prompt' ? this.#addPrompt(record) : this.#addBelow(record)
    if (!isTaken) return false
    this.#keys.add(key)
    if (kind !== 'progress') this.#lastKey = key
    if (isMessage(envelope)) this.#line = new Set([key])
    else if (this.#line.has(uuidKey(parentUuid))) this.#line.add(key)
    if (isMessage(envelope)) this.#lastMessageKey = key
    this.#touchTurn(envelope)
    return true
  }

  #isHarmless({ type, links }: Envelope): boolean {
    if (type === 'queue-operation') return false
    const leaf = type === 'last-prompt' ? links?.leafUuid : undefined
    if (leaf === undefined) return true
    if (uuidKey(leaf) !== this.#lastMessageKey || !this.#line.has(this.#lastMessageKey)) return false
    this.#hasPointer = true
    return true
  }

  #addPrompt(record: PlacedRecord): boolean {
    const { parentUuid, timestampMs } = record.envelope
    const turn = this.#turn
    if (uuidKey(parentUuid) !== this.#lastKey || !this.#line.has(this.#lastKey) || this.#hasBoundary) return false
    const isPreparation =
      turn.promptRow < 0 && !this.rows.some(({ kind, turn: of }) => kind === 'reply' && of === turn.number)
    if (isPreparation) {
      this.#put({ ...turn, promptRow: this.rowCount, startedMs: timestampMs ?? turn.startedMs })
      // Whatever goes on from a preparation leaves the Prompt behind.
      this.#loose = new Set([...this.#loose, ...this.#keys])
    } else {
      const { number, segment } = turn
      const first = { number: number + 1, segment, row: this.rowCount, rows: 0, promptRow: this.rowCount }
      this.turns.push({ ...first, startedMs: timestampMs, endedMs: timestampMs, calls: 0, failures: 0 })
      this.#keys = new Set()
      this.#replies = new Map()
    }
    this.#push(plainRow(record, this.#turn.number))
    return true
  }

  #addBelow(record: PlacedRecord): boolean {
    const { kind, parentUuid } = record.envelope
    if (!this.#keys.has(uuidKey(parentUuid))) return false
    if (kind === 'reply') return this.#addReply(record)
    if (kind === 'tool-result') return this.#addResult(record)
    this.#push(plainRow(record, this.#turn.number))
    return true
  }

  #addReply(record: PlacedRecord): boolean {
    const { envelope } = record
    const name = replyName(envelope)
    const known = this.#replies.get(name)
    const usage =
      known?.usage == null || envelope.usage === null
        ? (envelope.usage ?? known?.usage ?? null)
        : highestUsage(known.usage, envelope.usage)
    if (known !== undefined) {
      const isOrdered =
        known.blockIndex === null || envelope.blockIndex === null || envelope.blockIndex >= known.blockIndex
      if (known.row !== this.rows.length - 1 || !isOrdered) return false
    }
    if (envelope.toolUses.some(({ id }) => id === '' || this.#calls.has(id))) return false
    if (known !== undefined) this.#change(known.row, { usage: null })
    const turn = this.#turn
    const calls: RowCall[] = envelope.toolUses.map(() => NO_CALL)
    this.#push({ ...plainRow(record, turn.number), kind: 'reply', calls, opensReply: known === undefined, usage })
    const row = this.rows.length - 1
    this.#replies.set(name, { row, usage, blockIndex: envelope.blockIndex })
    for (const [call, { id }] of envelope.toolUses.entries()) this.#calls.set(id, { row, call })
    this.#put({ ...turn, ...this.#counted(turn), calls: turn.calls + calls.length })
    return true
  }

  #addResult(record: PlacedRecord): boolean {
    const { envelope } = record
    const open = envelope.toolResults.map(({ id }) => this.#calls.get(id))
    if (open.length === 0 || !open.every((one) => one !== undefined && this.#isOpen(one))) return false
    for (const [index, { id }] of envelope.toolResults.entries()) {
      const { row, call } = open[index] as OpenCall
      const calls = [...(this.rows[row]?.calls ?? [])]
      const status = statusOf(id, record)
      calls[call] = {
        status,
        result: spotOf(record),
        resultMs: envelope.timestampMs,
        agentId: envelope.links?.spawnedAgentId ?? calls[call]?.agentId ?? null,
        hasSpill: envelope.links?.spillPath !== undefined,
      }
      this.#change(row, { calls })
      if (status === 'error') this.#put({ ...this.#turn, failures: this.#turn.failures + 1 })
    }
    return true
  }

  /** Not yet answered, and of this Turn: what the Turns before say has been told. */
  #isOpen({ row, call }: OpenCall): boolean {
    const made = this.rows[row]
    return made?.turn === this.#turn.number && made.calls[call]?.result === null
  }

  get #turn(): RowTurn {
    return this.turns.at(-1) as RowTurn
  }

  #put(turn: RowTurn): void {
    this.turns[this.turns.length - 1] = turn
  }

  #push(row: Row): void {
    const before = this.rows.length
    addRow(this.rows, row)
    const index = this.rows.length === before ? before - 1 : before
    this.#changedFrom = Math.min(this.#changedFrom, this.#firstRow + index)
  }

  #change(index: number, fields: Partial<Row>): void {
    this.rows[index] = { ...(this.rows[index] as Row), ...fields }
    this.#changedFrom = Math.min(this.#changedFrom, this.#firstRow + index)
  }

  #counted({ row }: RowTurn): { readonly rows: number } {
    return { rows: this.rowCount - row }
  }

  #touchTurn({ timestampMs }: Envelope): void {
    const turn = this.#turn
    const endedMs = timestampMs === null ? turn.endedMs : Math.max(turn.endedMs ?? timestampMs, timestampMs)
    const startedMs =
      turn.promptRow >= 0 || timestampMs === null
        ? turn.startedMs
        : Math.min(turn.startedMs ?? timestampMs, timestampMs)
    this.#put({ ...turn, ...this.#counted(turn), startedMs, endedMs })
  }

  #name(index: number, row: Row, named: NamedRecord | undefined): void {
    if (named === undefined) return
    for (const [call, { id }] of named.toolUses.entries()) {
      if (row.calls[call]?.result === null) this.#calls.set(id, { row: index, call })
    }
    const { usage } = row
    this.#replies.set(replyName(named), { row: index, usage, blockIndex: named.blockIndex })
  }
}

const MESSAGES: ReadonlySet<Row['kind']> = new Set(['prompt', 'reply', 'result', 'injection', 'recap'])

function lastOf(spots: readonly Spot[]): Spot {
  return spots.reduce((one, other) => (other.offset > one.offset ? other : one), NOWHERE)
}

const NOWHERE: Spot = { transcript: 0, line: 0, offset: -1, length: 0, key: 0 }

function spotsOf({ record, further, calls }: Row): readonly Spot[] {
  return [record, ...further, ...calls.flatMap(({ result }) => result ?? [])].filter(
    ({ transcript }) => transcript === 0,
  )
}

function replyName({ messageId, requestId, uuid, line }: NamedRecord): string {
  return messageId ?? requestId ?? uuid ?? `line ${line}`
}
