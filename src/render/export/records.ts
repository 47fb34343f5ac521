// The records themselves as JSON Lines: those of the Turns that were asked for, each with its parent among them, so that
// Clew and other readers find the same conversation again.

import type { PlacedRecord, Turn } from '../../conversation/model.ts'
import type { BodyOf } from '../../conversation/parts.ts'
import { list, object, text } from '../../record/fields.ts'
import type { Body, Envelope } from '../../record/model.ts'
import type { Redactor } from '../../redact/model.ts'
import { toJson } from '../terminal.ts'
import type { Choice } from './choice.ts'
import { showsInjection, showsSystem, withoutReminders } from './choice.ts'
import { mapStrings } from './map-strings.ts'

export const RECORDS_MARK = { format: 'records', version: 1 } as const

export function* recordLines(
  title: string,
  sessionId: string,
  turns: readonly Turn[],
  bodyOf: BodyOf,
  choice: Choice,
  redactor: Redactor,
): Generator<string> {
  yield `${toJson({ type: 'custom-title', clew: RECORDS_MARK, customTitle: title, sessionId })}\n`
  const records = turns.flatMap((turn) => turn.records)
  const kept = new Set(records.filter(({ envelope }) => isKept(envelope, choice)))
  const parents = parentFinder(records, kept)
  const written = new Set<string>()
  for (const record of kept) {
    const { uuid } = record.envelope
    if (uuid !== null && written.has(uuid)) continue
    if (uuid !== null) written.add(uuid)
    const body = bodyOf(record)
    if (body !== null) yield `${toJson(redactedBody(linked(body, record.envelope, parents), choice, redactor))}\n`
  }
}

function isKept({ kind, injection, subtype, blocks }: Envelope, choice: Choice): boolean {
  switch (kind) {
    case 'attachment':
    case 'progress':
    case 'unknown':
    case 'metadata':
      return choice.client
    case 'injection':
      return showsInjection(injection ?? 'meta', choice)
    case 'system':
      return subtype === 'turn_duration' || showsSystem(subtype, choice)
    case 'recap':
      return choice.recaps
    case 'tool-result':
      return choice.tools !== 'none'
    case 'reply':
      return blocks.length === 0 || blocks.some((block) => showsBlock(block, choice))
    default:
      return true
  }
}

function showsBlock(kind: string, choice: Choice): boolean {
  if (kind === 'thinking' || kind === 'redacted_thinking') return choice.thinking
  return choice.tools !== 'none' || !kind.endsWith('tool_use')
}

type ParentFinder = (uuid: string | null) => string | null

/** The nearest record before one that was kept; null where there is none. */
function parentFinder(records: readonly PlacedRecord[], kept: ReadonlySet<PlacedRecord>): ParentFinder {
  const stays = new Set<string>()
  const before = new Map<string, string | null>()
  for (const record of records) {
    const { uuid, parentUuid, links } = record.envelope
    if (uuid === null) continue
    if (kept.has(record)) stays.add(uuid)
    before.set(uuid, parentUuid ?? links?.logicalParentUuid ?? null)
  }
  return (uuid) => {
    const seen = new Set<string>()
    for (let at = uuid; at !== null && !seen.has(at); at = before.get(at) ?? null) {
      if (stays.has(at)) return at
      seen.add(at)
    }
    return null
  }
}

function linked(body: Body, { parentUuid, links }: Envelope, parentOf: ParentFinder): Body {
  const logical = links?.logicalParentUuid
  return {
    ...body,
    ...(parentUuid === null ? {} : { parentUuid: parentOf(parentUuid) }),
    ...(logical === undefined ? {} : { logicalParentUuid: parentOf(logical) }),
  }
}

/** Texts of the client that stand within a record of somebody else. */
const CLIENT_KEYS: ReadonlySet<string> = new Set(['hookAdditionalContext', 'rendered'])

function redactedBody(body: Body, choice: Choice, redactor: Redactor): unknown {
  const images: string[] = []
  const own = Object.entries(withoutBlocks(body, choice)).filter(([key]) => choice.client || !CLIENT_KEYS.has(key))
  const plain = mapStrings(Object.fromEntries(own), (value, key, holder) => {
    if (isImage(value, key, holder)) {
      if (choice.images !== 'embedded') return ''
      images.push(value)
      return `image ${images.length - 1} of ${SET_ASIDE}`
    }
    return choice.client ? value : withoutReminders(value)
  })
  const redacted = redactor.value(joinedLines(plain, redactor))
  if (images.length === 0) return redacted
  return mapStrings(redacted, (value) => {
    const place = value.endsWith(SET_ASIDE) ? /^image (\d+) of /.exec(value)?.[1] : undefined
    return place === undefined ? value : (images[Number(place)] ?? value)
  })
}

/** Stands for an image while its record is redacted. */
const SET_ASIDE = 'those that are set aside'

/** Base64 of a block, or of the copy that the client keeps beside it. */
function isImage(value: string, key: string, holder: Readonly<Record<string, unknown>>): boolean {
  if (key === 'data') return holder['type'] === 'base64' && text(holder['media_type']) !== null
  return key === 'base64' && value.length > 100
}

function withoutBlocks(body: Body, choice: Choice): Body {
  const message = object(body['message'])
  const content = list(message?.['content'])
  if (message === null || content === null || (choice.thinking && choice.tools !== 'none')) return body
  const kept = content.filter((block) => showsBlock(text(object(block)?.['type']) ?? '', choice))
  return { ...body, message: { ...message, content: kept } }
}

/**
 * A patch is a list of lines, and a key of many lines is found in none of them. Where the lines together hold a Secret,
 * they are replaced by the redacted text.
 */
function joinedLines(value: unknown, redactor: Redactor): unknown {
  const patch = list(object(object(value)?.['toolUseResult'])?.['structuredPatch'])
  if (patch === null) return value
  const structuredPatch = patch.map((hunk) => {
    const lines = list(object(hunk)?.['lines'])?.map(String)
    if (lines === undefined) return hunk
    const found = [0, 1].some(
      (from) => redactor.text(lines.map((line) => line.slice(from)).join('\n')).findings.length > 0,
    )
    if (!found) return hunk
    const sides = ['+', '-'].map((left) => lines.filter((line) => !line.startsWith(left)).map((line) => line.slice(1)))
    const [before = '', after = ''] = sides.map((side) => redactor.text(side.join('\n')).text)
    const marked = [...before.split('\n').map((line) => `-${line}`), ...after.split('\n').map((line) => `+${line}`)]
    return { ...object(hunk), lines: marked }
  })
  return { ...object(value), toolUseResult: { ...object(object(value)?.['toolUseResult']), structuredPatch } }
}
