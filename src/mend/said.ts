// What was said in a transcript, counted: every text of a user, a model, a queue or a tool, as a number that equal texts
// share. A repair may neither lose one nor add one. Copies of a record count once; texts a repair made say so themselves.

import { textKey } from '../base/text.ts'
import { list, object, text } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import { isQueued } from '../record/roles.ts'
import { promptText } from '../record/user.ts'

/** Every text that a repair makes begins so. */
export const MARK = '[clew repair]'

export type SaidKind = 'text' | 'result' | 'queued'

export interface Said {
  readonly kind: SaidKind
  readonly text: string
}

/** Half a surrogate pair and its replacement count as the same. */
export function saidIn(envelope: Envelope, body: Body): readonly Said[] {
  const said: Said[] = []
  const say = (kind: SaidKind, value: string): void => {
    if (value !== '') said.push({ kind, text: wellFormed(value) })
  }
  if (envelope.type === 'queue-operation') {
    if (body['content'] !== undefined) say('queued', promptText(body['content']))
    return said
  }
  if (isQueued(envelope)) {
    say('text', promptText(object(body['attachment'])?.['prompt']))
    return said
  }
  if (envelope.type !== 'user' && envelope.type !== 'assistant') return said
  const message = object(body['message'])
  const content = message === null ? body['message'] : message['content']
  if (typeof content === 'string') say('text', content)
  for (const block of list(content) ?? []) sayBlock(block, say)
  return said
}

function sayBlock(block: unknown, say: (kind: SaidKind, value: string) => void): void {
  const fields = object(block)
  const value = typeof block === 'string' ? block : text(fields?.['text'])
  if (fields?.['type'] === 'tool_result') say('result', resultText(fields['content']))
  else if (value !== null && !isMade(value)) say('text', value)
  // A result that was made a text stands behind the first line.
  else if (value !== null) say('result', resultText(value.slice(value.indexOf('\n') + 1 || value.length)))
}

/** The texts of a tool's result as one, without what a repair put among them. */
export function resultText(content: unknown): string {
  const parts = list(content)?.filter((part) => !isMade(text(object(part)?.['text']) ?? ''))
  const whole = promptText(parts ?? content)
  return isMade(whole) ? '' : whole
}

export function isMade(value: string): boolean {
  return value.startsWith(MARK)
}

export interface SaidCounts {
  readonly counts: Map<number, number>
  readonly seen: Set<number>
}

export function newSaidCounts(): SaidCounts {
  return { counts: new Map(), seen: new Set() }
}

/** Returns a number that is the same for records that say the same. */
export function countSaid({ counts, seen }: SaidCounts, envelope: Envelope, body: Body): number {
  const keys = saidIn(envelope, body).map(({ kind, text: value }) => textKey(`${kind}\0${value}`))
  const whole = keys.length === 0 ? 0 : textKey(keys.join(' '))
  if (envelope.uuid !== null && keys.length > 0) {
    const { uuid, type, kind, subtype } = envelope
    const own = textKey(`${uuid} ${type} ${kind} ${subtype} ${whole}`)
    if (seen.has(own)) return whole
    seen.add(own)
  }
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return whole
}

export function wellFormed(value: string): string {
  return (value as string & { toWellFormed: () => string }).toWellFormed()
}
