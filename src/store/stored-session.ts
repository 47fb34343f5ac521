// A session that is being written. Every method resolves when what it wrote lasts; until then nothing was promised.

import type { Body } from '../record/model.ts'
import type { Appender } from './appender.ts'
import type { ApiUsage, Placed, Surroundings, ToolResult } from './client-record.ts'
import {
  boundaryBody,
  chainRecord,
  DEFAULT_REPLY,
  modelUsage,
  promptBody,
  recapBody,
  replyBodies,
  resultBody,
} from './client-record.ts'
import { lineOf } from './line.ts'
import type { ApiMessage } from './messages.ts'
import { messagesOf } from './messages.ts'
import { StoreError } from './store-error.ts'
import type { ChainedRecord } from './stored-transcript.ts'

export interface ReplyOptions {
  readonly model?: string
  readonly messageId?: string
  readonly stopReason?: string
  readonly usage?: ApiUsage
}

export interface CompactOptions {
  readonly trigger?: 'manual' | 'auto'
  readonly preTokens?: number
  /** Messages that stay as they are: uuids of the last ones of the chain, in their order. */
  readonly preserve?: readonly string[]
}

export interface EndFacts {
  readonly durationMs: number
  readonly usage?: Readonly<Record<string, ApiUsage>>
  readonly cost?: number
}

export interface SessionParts {
  readonly path: string
  readonly around: Surroundings
  readonly appender: Appender
  readonly nowMs: () => number
  readonly newId: () => string
  /** False when the disk once did not confirm a write: what stands in the file may not last. */
  readonly isSure: () => boolean
  /** The client's records → the lines that are written. */
  readonly encode: (bodies: readonly Body[]) => readonly Body[]
  /** What stands in the file already: the chain a client would resume, oldest first. */
  readonly chain: readonly ChainedRecord[]
  readonly tip: string | null
  /** Of all records of the file, also of those that are not in the chain. */
  readonly uuids: Set<string>
}

const NOTHING: Body = {}
const NO_RECORD = 'a record is a JSON object'
const NOBODY = '00000000-0000-0000-0000-000000000000'

export class StoredSession {
  readonly path: string
  readonly #parts: SessionParts
  readonly #uuids: Set<string>
  #chain: ChainedRecord[]
  #tip: string | null
  #promptId: string
  #lastMs = 0
  /** Records that were never written, and what they were to hang below. */
  readonly #lost = new Map<string, string | null>()

  constructor(parts: SessionParts) {
    this.path = parts.path
    this.#parts = parts
    this.#uuids = parts.uuids
    this.#chain = [...parts.chain]
    this.#tip = parts.tip
    this.#promptId = parts.newId()
  }

  get id(): string {
    return this.#parts.around.sessionId
  }

  get surroundings(): Surroundings {
    return this.#parts.around
  }

  /** What the next record hangs below. */
  get tip(): string | null {
    return this.#tip
  }

  /** What a client that resumes this session sends to the model. */
  messages(): readonly ApiMessage[] {
    return messagesOf(this.#chain.map(({ body }) => body))
  }

  /** The records a client would resume from, oldest first. */
  chain(): readonly ChainedRecord[] {
    return this.#chain
  }

  /** What a person said: a text, or Blocks. */
  async prompt(content: unknown): Promise<string> {
    this.#promptId = this.#parts.newId()
    const isHuman = this.#parts.around.agentId === null
    const record = this.#chained(promptBody(content, this.#promptId, isHuman))
    const lastPrompt = typeof content === 'string' ? { lastPrompt: content } : {}
    const pointer = { type: 'last-prompt', ...lastPrompt, leafUuid: record.uuid, sessionId: this.id }
    await this.#write(isHuman ? [record.body, pointer] : [record.body])
    return record.uuid
  }

  /** What the model answered: a text, or its Blocks. The uuids of the records, one a Block. */
  async reply(content: string | readonly unknown[], options: ReplyOptions = {}): Promise<readonly string[]> {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const messageId = options.messageId ?? `msg_${this.#parts.newId().replaceAll('-', '').slice(0, 24)}`
    const hasCalls = blocks.some((block) => typeof block === 'object' && block !== null && 'input' in block)
    const stopReason = options.stopReason ?? (hasCalls ? 'tool_use' : 'end_turn')
    const { model, usage } = { ...DEFAULT_REPLY, ...options }
    const records = replyBodies(blocks, { messageId, stopReason, model, usage }).map((body) => this.#chained(body))
    await this.#write(records.map(({ body }) => body))
    return records.map(({ uuid }) => uuid)
  }

  /** A tool the model calls. The id of the call, under which its result is handed in. */
  async toolCall(name: string, input: Body, options: ReplyOptions = {}): Promise<string> {
    const id = `toolu_${this.#parts.newId().replaceAll('-', '').slice(0, 24)}`
    await this.reply([{ type: 'tool_use', id, name, input }], options)
    return id
  }

  /** Tools that ran side by side hand in their results together. */
  async toolResult(results: ToolResult | readonly ToolResult[]): Promise<readonly string[]> {
    const all = Array.isArray(results) ? (results as readonly ToolResult[]) : [results as ToolResult]
    const records = all.map((result) => {
      const caller = this.#callerOf(result.toolUseId)
      return this.#chained(resultBody(result, caller, this.#promptId), caller)
    })
    await this.#write(records.map(({ body }) => body))
    return records.map(({ uuid }) => uuid)
  }

  /**
   * Records as they are. What hangs in a chain (`user`, `assistant`, `system`, `attachment`) gets the ids and fields it
   * lacks; one whose uuid stands in the file already is taken as written.
   */
  async append(records: Body | readonly Body[]): Promise<readonly (string | null)[]> {
    const all = Array.isArray(records) ? (records as readonly Body[]) : [records as Body]
    const bodies: Body[] = []
    const uuids = all.map((record) => this.#given(record, bodies))
    // What stands in the file already may not last yet.
    if (all.length > 0) await this.#write(bodies)
    return uuids
  }

  /** The conversation so far as one text: the model goes on from that, and from what is preserved. */
  async compact(summary: string, options: CompactOptions = {}): Promise<string> {
    const preserved = this.#preserved(options.preserve ?? [])
    const [boundary, recap] = [this.#placed(null), this.#placed(null)]
    const facts = {
      trigger: options.trigger ?? 'manual',
      preTokens: options.preTokens ?? 0,
      logicalParentUuid: this.#tip,
      preserved: preserved.map(({ uuid }) => uuid),
      recapUuid: recap.uuid,
    }
    this.#promptId = this.#parts.newId()
    const { around } = this.#parts
    const records = [
      { uuid: boundary.uuid, body: chainRecord(around, boundary, boundaryBody(facts)) },
      {
        uuid: recap.uuid,
        body: chainRecord(around, { ...recap, parentUuid: boundary.uuid }, recapBody(summary, this.#promptId)),
      },
    ]
    const before = { chain: this.#chain, tip: this.#tip }
    this.#chain = [...records, ...preserved]
    this.#tip = recap.uuid
    for (const { uuid } of records) this.#uuids.add(uuid)
    try {
      // In one write: a boundary without its Recap would be a compaction that never ended.
      await this.#write(records.map(({ body }) => body))
    } catch (error) {
      this.#chain = before.chain
      this.#tip = before.tip
      throw error
    }
    return recap.uuid
  }

  /** Goes on from an earlier record, null for the very beginning. What came after it stays in the file. */
  async rewind(to: string | null): Promise<void> {
    const at = to === null ? -1 : this.#chain.findIndex(({ uuid }) => uuid === to)
    if (to !== null && at < 0)
      throw new StoreError('unknown-record', `${this.id}: no record ${to} in the conversation as it stands`)
    await this.#write([{ type: 'last-prompt', leafUuid: to ?? NOBODY, explicit: true, sessionId: this.id }])
    this.#chain = this.#chain.slice(0, at + 1)
    this.#tip = to
  }

  async end({ durationMs, usage = {}, cost = 0 }: EndFacts): Promise<void> {
    const totals = { totalCostUSD: cost, totalDuration: durationMs, modelUsage: modelUsage(usage) }
    await this.#write([{ type: 'cost-state', sessionId: this.id, ...totals }])
  }

  async close(): Promise<void> {
    await this.#parts.appender.close()
  }

  #given(record: Body, bodies: Body[]): string | null {
    if (typeof record !== 'object' || record === null) throw new StoreError('not-a-record', NO_RECORD)
    const { uuid, parentUuid } = record
    const isKnown = typeof uuid === 'string' && this.#uuids.has(uuid)
    if (isKnown && this.#parts.isSure()) return uuid
    if (!CHAINED.has(String(record['type']))) {
      bodies.push({ sessionId: this.id, ...record })
      if (typeof uuid === 'string') this.#uuids.add(uuid)
      return typeof uuid === 'string' ? uuid : null
    }
    if (typeof parentUuid === 'string' && !this.#uuids.has(parentUuid))
      throw new StoreError('unknown-record', `${this.id}: the parent ${parentUuid} is not in the session`)
    const placed = this.#placed(parentUuid === undefined ? this.#tip : (parentUuid as string | null))
    const whole = Object.assign(chainRecord(this.#parts.around, placed, NOTHING), record)
    const own = String(whole['uuid'])
    bodies.push(whole)
    if (isKnown) return own
    this.#uuids.add(own)
    this.#chain.push({ uuid: own, body: whole })
    this.#tip = own
    return own
  }

  #chained(own: Body, parentUuid: string | null = this.#tip): ChainedRecord {
    const placed = this.#placed(parentUuid)
    const record = { uuid: placed.uuid, body: chainRecord(this.#parts.around, placed, own) }
    this.#uuids.add(placed.uuid)
    this.#chain.push(record)
    this.#tip = placed.uuid
    return record
  }

  #placed(parentUuid: string | null): Placed {
    // Some readers sort by time: two records of one moment keep their order.
    this.#lastMs = Math.max(this.#parts.nowMs(), this.#lastMs + 1)
    return { uuid: this.#parts.newId(), parentUuid, timestamp: new Date(this.#lastMs).toISOString() }
  }

  #callerOf(toolUseId: string): string {
    const caller = this.#chain.findLast(({ body }) => JSON.stringify(callIds(body)).includes(`"${toolUseId}"`))
    if (caller === undefined) throw new StoreError('unknown-record', `${this.id}: no tool was called as ${toolUseId}`)
    return caller.uuid
  }

  /** A client preserves messages; what stands between them it writes anew. */
  #preserved(uuids: readonly string[]): readonly ChainedRecord[] {
    if (uuids.length === 0) return []
    const from = this.#chain.findIndex(({ uuid }) => uuid === uuids[0])
    const messages = from < 0 ? [] : this.#chain.slice(from).filter(({ body }) => isTalk(body))
    if (messages.length !== uuids.length || !uuids.every((uuid, index) => messages[index]?.uuid === uuid))
      throw new StoreError('unknown-record', `${this.id}: only the last messages of the chain can be preserved`)
    return messages
  }

  /** What could not be written was never said: the next record hangs where this one would have. */
  async #write(bodies: readonly Body[]): Promise<void> {
    try {
      await this.#parts.appender.append(this.#parts.encode(bodies).map(lineOf).join(''))
    } catch (error) {
      for (const { uuid, parentUuid } of bodies) {
        if (typeof uuid !== 'string') continue
        this.#uuids.delete(uuid)
        this.#lost.set(uuid, typeof parentUuid === 'string' ? parentUuid : null)
      }
      this.#chain = this.#chain.filter(({ uuid }) => !this.#lost.has(uuid))
      while (this.#tip !== null && this.#lost.has(this.#tip)) this.#tip = this.#lost.get(this.#tip) ?? null
      throw error
    }
  }
}

const CHAINED: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment'])

export function isTalk({ type }: Body): boolean {
  return type === 'user' || type === 'assistant'
}

function callIds(body: Body): readonly string[] {
  const content = (body['message'] as Body | undefined)?.['content']
  if (!Array.isArray(content)) return []
  return content.flatMap((block: Body) => (block['type'] === 'tool_use' ? [String(block['id'])] : []))
}
