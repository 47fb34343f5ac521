// A Turn and its Bodies → what an export shows of it. Nothing is escaped or redacted here, and nothing is read: Bodies,
// Spills and Subagents come from functions that are handed in.

import { assertUnreachable } from '../../base/assert.ts'
import type { PlacedRecord, Subagent, ToolCall, Turn } from '../../conversation/model.ts'
import type { BodyOf, Part, ReplyBlock } from '../../conversation/parts.ts'
import { contentOf, partsOf } from '../../conversation/parts.ts'
import { untagged } from '../../conversation/typed.ts'
import type { Body } from '../../record/model.ts'
import { injectionLabel, subtypeLabel } from '../system-words.ts'
import { callView } from './call-view.ts'
import type { Choice } from './choice.ts'
import { showsInjection, showsSystem, withoutReminders } from './choice.ts'
import { workedFor } from './head.ts'
import { imagesIn } from './images.ts'
import type { ImageContent, TurnView, View } from './view.ts'

export interface ViewSource {
  readonly choice: Choice
  readonly bodyOf: BodyOf
  /** The folder it ran in: paths below it are shown without it. */
  readonly folder: string
  /** Keeps an image and gives it a number. */
  readonly addImage: (image: ImageContent) => number
  /** The text of a Spill, or as much of it as is read; null when it is not there. */
  readonly spill: (path: string) => { readonly text: string; readonly isCut: boolean } | null
  /** How many Subagents this is inside of. */
  readonly depth: number
  /** A Subagent that has not been shown yet. */
  readonly agent: (agentId: string) => OpenedAgent | null
}

export interface OpenedAgent {
  readonly subagent: Subagent
  readonly turns: readonly Turn[]
  readonly bodyOf: BodyOf
}

export function turnView(turn: Turn, source: ViewSource): TurnView {
  const bodyOf = remembering(source.bodyOf)
  const inner = { ...source, bodyOf }
  const records = new Map(turn.records.map((record) => [placeOf(record.envelope), record]))
  const calls = new Map(turn.toolCalls.map((call) => [call.id, call]))
  const views = partsOf(turn, bodyOf).flatMap((part) => viewsOf(part, records.get(placeOf(part.record)), calls, inner))
  const { number, startedMs } = turn
  return { number, startedMs, durationMs: workedFor(turn), views }
}

function placeOf({ uuid, offset }: { readonly uuid: string | null; readonly offset: number }): string {
  return `${offset} ${uuid}`
}

/** The Body of a result is asked for by its part and by its view. */
function remembering(bodyOf: BodyOf): BodyOf {
  let last: readonly [PlacedRecord, Body | null] | null = null
  return (record) => {
    if (last === null || last[0] !== record) last = [record, bodyOf(record)]
    return last[1]
  }
}

type Calls = ReadonlyMap<string, ToolCall>

function viewsOf(part: Part, record: PlacedRecord | undefined, calls: Calls, source: ViewSource): readonly View[] {
  const { choice } = source
  const id = part.record.uuid
  switch (part.kind) {
    case 'prompt': {
      const text = choice.client ? part.text : withoutReminders(part.text)
      const found = record === undefined || choice.images === 'none' ? [] : imagesIn(contentOf(source.bodyOf(record)))
      return [{ kind: 'prompt', id, text, images: found.map(source.addImage), isQueued: part.isQueued }]
    }
    case 'reply':
      return part.blocks.flatMap((block) => blockViews(block, id, calls, source))
    case 'injection':
      if (!showsInjection(part.injection, choice)) return []
      return [{ kind: 'system', id, label: injectionLabel(part.injection), text: untagged(part.text) }]
    case 'system':
      if (!showsSystem(part.subtype, choice) || part.text === '') return []
      return [{ kind: 'system', id, label: subtypeLabel(part.subtype ?? 'note'), text: untagged(part.text) }]
    case 'recap':
      return choice.recaps ? [{ kind: 'recap', id, text: part.text }] : []
    case 'tool-result':
      if (choice.tools !== 'whole') return []
      return [{ kind: 'system', id, label: 'a result without a call', text: part.text }]
    case 'boundary': {
      const { record: _, ...boundary } = part
      return [{ ...boundary, id }]
    }
    case 'attachment':
      return choice.client && record !== undefined ? [attachmentView(part.subtype, source.bodyOf(record), id)] : []
    case 'progress':
      return []
    case 'unknown':
      return choice.client ? [{ kind: 'system', id, label: `a record of the type ${part.type}`, text: '' }] : []
    default:
      return assertUnreachable(part)
  }
}

function blockViews(block: ReplyBlock, id: string | null, calls: Calls, source: ViewSource): readonly View[] {
  const { choice } = source
  switch (block.kind) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ kind: 'text', id, text: block.text, isCut: false }]
    case 'thinking':
      return choice.thinking ? [{ kind: 'thinking', id, text: block.text, isStored: block.isStored }] : []
    case 'tool':
      if (choice.tools === 'none') return []
      return [{ kind: 'tool', id, call: callView(block.call, calls.get(block.call.id), source, turnView) }]
    case 'other':
      return choice.client ? [{ kind: 'system', id, label: `a block of the type ${block.type}`, text: '' }] : []
    default:
      return assertUnreachable(block)
  }
}

function attachmentView(subtype: string | null, body: Body | null, id: string | null): View {
  const text = JSON.stringify(body?.['attachment'] ?? null, null, 2)
  return { kind: 'system', id, label: `attached by the client: ${subtypeLabel(subtype ?? 'unknown')}`, text }
}
