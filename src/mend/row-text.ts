// The text of a row as it would stand. Links are changed when it is written; a changed content is kept, because later
// stages must see it.

import { decodeUtf8 } from '../base/text.ts'
import { envelopeOf, newReadState } from '../record/envelope.ts'
import { list, object } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import { bodyFacts } from './body-facts.ts'
import type { Draft } from './draft.ts'
import { envelopeAt, setEnvelope } from './draft.ts'
import type { Path } from './rewrite.ts'
import { rearranged, setAt, withoutLoneSurrogates } from './rewrite.ts'

/** Without a line end. */
export function rowText(draft: Draft, row: number): Uint8Array {
  const change = draft.changes.get(row)
  let bytes = baseText(draft, row)
  if (change === undefined) return bytes
  if (change.hasInvalidUtf8) bytes = Buffer.from(decodeUtf8(bytes))
  if (change.hasLoneSurrogates) bytes = withoutLoneSurrogates(bytes)
  for (const { path, value } of change.fields.values()) bytes = setAt(bytes, path, value)
  return bytes
}

export function bodyOf(draft: Draft, row: number): Body {
  return object(JSON.parse(decodeUtf8(rowText(draft, row)))) ?? {}
}

/** The Blocks of a message; empty for one that is a single text. */
export function blocksOf(draft: Draft, row: number): readonly unknown[] {
  return list(object(bodyOf(draft, row)['message'])?.['content']) ?? []
}

const CONTENT = ['message', 'content']

/** Takes Blocks away and puts others behind those that stay: the API wants the results of tools first. */
export function replaceBlocks(draft: Draft, row: number, gone: ReadonlySet<number>, made: readonly Body[]): void {
  const kept = blocksOf(draft, row).flatMap((_, block) => (gone.has(block) ? [] : [block]))
  const texts = made.map((block) => JSON.stringify(block))
  draft.rewritten.set(row, rearranged(baseText(draft, row), CONTENT, [...kept, ...texts]))
  readAgain(draft, row)
}

export function replaceValue(draft: Draft, row: number, inContent: Path, value: Body): void {
  const path = [...CONTENT, ...inContent]
  draft.rewritten.set(row, setAt(baseText(draft, row), path, JSON.stringify(value)))
  readAgain(draft, row)
}

function baseText({ survey, made, rewritten }: Draft, row: number): Uint8Array {
  const known = rewritten.get(row)
  if (known !== undefined) return known
  const body = made.get(row)
  if (body !== undefined) return Buffer.from(JSON.stringify(body))
  const { offset, length } = survey.envelopes[row] as Envelope
  return trimmed(survey.source.read(offset, length))
}

/** What later stages are told of the row is what a reader will make of it. */
export function readAgain(draft: Draft, row: number): void {
  const { line, offset, length } = envelopeAt(draft, row)
  const body = bodyOf(draft, row)
  const envelope = envelopeOf(body, { line, offset, length }, newReadState(draft.isSubagent))
  setEnvelope(draft, row, envelope)
  const facts = bodyFacts(envelope, body)
  if (facts === null) draft.facts.delete(row)
  else draft.facts.set(row, facts)
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0
  let end = bytes.length
  while (start < end && isSpace(bytes[start] as number)) start++
  while (end > start && isSpace(bytes[end - 1] as number)) end--
  return bytes.subarray(start, end)
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}
