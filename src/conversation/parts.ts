// A Turn with its content: the step from Envelopes to what can be read. Bodies come from a function that is handed in,
// so the same code serves the command line, the library and a browser.

import { slippedIn } from '../record/authorship.ts'
import { list, number, object, text } from '../record/fields.ts'
import type { Body, Envelope, InjectionKind, TokensAround } from '../record/model.ts'
import { tokensOf } from '../record/tokens-around.ts'
import { promptText, typedText } from '../record/user.ts'
import type { PlacedRecord, Reply, ToolCall, ToolStatus, Turn } from './model.ts'
import { viewTool } from './tool/known.ts'

export type BodyOf = (record: PlacedRecord) => Body | null

export interface RecordRef {
  readonly uuid: string | null
  readonly line: number
  readonly offset: number
  readonly timestampMs: number | null
}

export type Part =
  | {
      readonly kind: 'prompt'
      readonly record: RecordRef
      readonly text: string
      readonly images: number
      readonly isQueued: boolean
    }
  | { readonly kind: 'injection'; readonly record: RecordRef; readonly injection: InjectionKind; readonly text: string }
  | { readonly kind: 'recap'; readonly record: RecordRef; readonly text: string }
  | {
      readonly kind: 'reply'
      readonly record: RecordRef
      /** Where all its records stand, this one among them. */
      readonly records: readonly number[]
      readonly messageId: string
      readonly model: string | null
      readonly blocks: readonly ReplyBlock[]
    }
  | { readonly kind: 'tool-result'; readonly record: RecordRef; readonly text: string }
  | ({
      readonly kind: 'boundary'
      readonly record: RecordRef
      readonly isMicro: boolean
      readonly trigger: string | null
    } & TokensAround)
  | { readonly kind: 'system'; readonly record: RecordRef; readonly subtype: string | null; readonly text: string }
  | { readonly kind: 'attachment'; readonly record: RecordRef; readonly subtype: string | null }
  | { readonly kind: 'progress'; readonly record: RecordRef; readonly subtype: string | null }
  | { readonly kind: 'unknown'; readonly record: RecordRef; readonly type: string }

export type ReplyBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** Clients since 2.1.51 mostly keep only the signature: then nothing of the thought is stored. */
  | { readonly kind: 'thinking'; readonly text: string; readonly isStored: boolean }
  | { readonly kind: 'tool'; readonly call: ToolPart }
  | { readonly kind: 'other'; readonly type: string }

export interface ToolPart {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly input: unknown
  readonly status: ToolStatus
  readonly result: { readonly record: RecordRef; readonly text: string } | null
  readonly spillPath: string | null
  readonly agentId: string | null
}

export function partsOf(turn: Turn, bodyOf: BodyOf): readonly Part[] {
  const replyOf = new Map<PlacedRecord, Reply>()
  for (const reply of turn.replies) for (const record of reply.records) replyOf.set(record, reply)
  const calls = new Map(turn.toolCalls.map((call) => [call.id, call]))
  const joined = new Set(turn.toolCalls.map((call) => call.result?.envelope.uuid))
  const told = new Set<Reply>()
  const parts: Part[] = []
  for (const record of turn.records) {
    const reply = replyOf.get(record)
    if (reply !== undefined) {
      if (!told.has(reply)) parts.push(replyPart(record, reply, calls, bodyOf))
      told.add(reply)
    } else if (record.envelope.kind !== 'tool-result' || !joined.has(record.envelope.uuid)) {
      for (const part of slippedParts(record, bodyOf)) parts.push(part)
      const part = partOf(record, bodyOf)
      parts.push(part)
      const recap = part.kind === 'boundary' ? recapIn(bodyOf(record)) : null
      if (recap !== null) parts.push({ kind: 'recap', record: part.record, text: recap })
    }
  }
  return parts
}

/** The event-log dialect keeps the Recap in the compaction itself. */
export function recapIn(body: Body | null): string | null {
  const summary = body?.['type'] === 'compaction' ? text(body['summary']) : null
  return summary === '' ? null : summary
}

/** In front of a Prompt what was put into it, as if it were records of its own. */
function slippedParts(record: PlacedRecord, bodyOf: BodyOf): readonly Part[] {
  const { envelope } = record
  if (envelope.kind !== 'prompt' || envelope.blocks.length < 2) return []
  const slipped = slippedIn(contentOf(bodyOf(record)))
  // With nothing else in it, it is the Prompt.
  if (slipped.length === envelope.blocks.length) return []
  return slipped.map(([injection, said]) => ({ kind: 'injection', record: refOf(envelope), injection, text: said }))
}

/** Any record but one of a Reply. */
export function partOf(record: PlacedRecord, bodyOf: BodyOf): Part {
  const { envelope } = record
  const ref = refOf(envelope)
  switch (envelope.kind) {
    case 'prompt': {
      const content = contentOf(bodyOf(record))
      const images = envelope.blocks.filter((kind) => kind === 'image').length
      return {
        kind: 'prompt',
        record: ref,
        text: typedText(content),
        images,
        isQueued: envelope.type === 'attachment' || envelope.type === 'queue-operation',
      }
    }
    case 'injection': {
      const injection = envelope.injection ?? 'meta'
      return { kind: 'injection', record: ref, injection, text: promptText(contentOf(bodyOf(record))) }
    }
    case 'recap':
      return { kind: 'recap', record: ref, text: promptText(contentOf(bodyOf(record))) }
    case 'tool-result':
      return { kind: 'tool-result', record: ref, text: resultText(bodyOf(record), null) }
    case 'boundary':
    case 'micro-boundary': {
      const isMicro = envelope.kind === 'micro-boundary'
      const trigger = envelope.boundary?.trigger ?? null
      return { kind: 'boundary', record: ref, isMicro, trigger, ...tokensOf(envelope.boundary) }
    }
    case 'system':
      return { kind: 'system', record: ref, subtype: envelope.subtype, text: systemText(envelope, bodyOf(record)) }
    case 'attachment':
      return { kind: 'attachment', record: ref, subtype: envelope.subtype }
    case 'progress':
      return { kind: 'progress', record: ref, subtype: envelope.subtype }
    default:
      return { kind: 'unknown', record: ref, type: envelope.type }
  }
}

function replyPart(record: PlacedRecord, reply: Reply, calls: ReadonlyMap<string, ToolCall>, bodyOf: BodyOf): Part {
  const blocks = reply.records.flatMap((one) => blocksOf(bodyOf(one), calls, bodyOf))
  const records = reply.records.map(({ envelope }) => envelope.offset)
  const { messageId, model } = reply
  return { kind: 'reply', record: refOf(record.envelope), records, messageId, model, blocks }
}

export function blocksOf(
  body: Body | null,
  calls: ReadonlyMap<string, ToolCall>,
  bodyOf: BodyOf,
): readonly ReplyBlock[] {
  // The event-log dialect writes a tool call as a record of its own.
  if (body?.['type'] === 'tool_use')
    return [toolBlock({ ...body, input: body['toolInput'] ?? body['input'] }, calls, bodyOf)]
  const content = contentOf(body)
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return (list(content) ?? []).map((value): ReplyBlock => {
    const block = object(value)
    const type = text(block?.['type']) ?? 'unknown'
    if (block === null) return { kind: 'other', type }
    if (type === 'text') return { kind: 'text', text: text(block['text']) ?? '' }
    if (type === 'thinking' || type === 'redacted_thinking') {
      const thought = text(block['thinking']) ?? ''
      return { kind: 'thinking', text: thought, isStored: thought !== '' }
    }
    // A made-up transcript may have calls without an id.
    const isCall = text(block['id']) !== null || type === 'tool_use'
    if (isCall && text(block['name']) !== null) return toolBlock(block, calls, bodyOf)
    return { kind: 'other', type }
  })
}

function toolBlock(block: Body, calls: ReadonlyMap<string, ToolCall>, bodyOf: BodyOf): ReplyBlock {
  const id = text(block['id']) ?? text(block['toolUseId']) ?? text(block['tool_use_id']) ?? ''
  const name = text(block['name']) ?? text(block['toolName']) ?? ''
  const call = calls.get(id)
  const result = call?.result ?? null
  return {
    kind: 'tool',
    call: {
      id,
      name,
      title: viewTool(name, block['input']).title,
      input: block['input'] ?? null,
      status: call?.status ?? 'pending',
      result: result === null ? null : { record: refOf(result.envelope), text: resultText(bodyOf(result), id) },
      spillPath: call?.spillPath ?? null,
      agentId: call?.agentId ?? null,
    },
  }
}

/** The text of one result in a record that may hold several; of the first when no id is named. */
export function resultText(body: Body | null, id: string | null): string {
  if (body?.['type'] === 'tool_result') return flatText(body['content'])
  for (const value of list(contentOf(body)) ?? []) {
    const block = object(value)
    if (block?.['type'] === 'tool_result' && (id === null || block['tool_use_id'] === id))
      return flatText(block['content'])
  }
  return ''
}

/** The text of a tool's result; what is no text is named in brackets. */
export function flatText(content: unknown): string {
  if (typeof content === 'string') return content
  return (list(content) ?? [])
    .map((part) => text(object(part)?.['text']) ?? `[${text(object(part)?.['type']) ?? 'unknown'}]`)
    .join('\n')
}

/** What a message says, wherever its kind of record keeps that. */
export function contentOf(body: Body | null): unknown {
  if (body === null) return ''
  const attachment = object(body['attachment'])
  if (attachment !== null) return attachment['prompt'] ?? attachment['content'] ?? ''
  const message = object(body['message'])
  return message === null ? (body['message'] ?? body['content']) : message['content']
}

function systemText(envelope: Envelope, body: Body | null): string {
  if (envelope.subtype === 'turn_duration') {
    const durationMs = number(body?.['durationMs']) ?? number(object(body?.['message'])?.['duration_ms'])
    return durationMs === null ? '' : `${Math.round(durationMs / 100) / 10} s`
  }
  if (envelope.subtype === 'api_error') {
    const status = number(object(body?.['error'])?.['status'])
    const attempt = number(body?.['retryAttempt'])
    return `API error${status === null ? '' : ` ${status}`}${attempt === null ? '' : `, attempt ${attempt}`}`
  }
  return text(body?.['content']) ?? ''
}

function refOf(envelope: Envelope): RecordRef {
  const { uuid, line, offset, timestampMs } = envelope
  return { uuid, line, offset, timestampMs }
}
