// A plain, flat projection for tools that want one ordered list: user turns, assistant turns grouped by request, tool
// calls with their results, system notes, titles and file snapshots.

import type { Woven } from './build.ts'
import type { PlacedRecord, ToolStatus } from './model.ts'
import type { BodyOf } from './parts.ts'
import { partsOf } from './parts.ts'
import { readFull } from './reading.ts'

export type NormalStep =
  | { readonly type: 'UserTurn'; readonly uuid: string | null; readonly text: string; readonly images: number }
  | { readonly type: 'AssistantTurn'; readonly messageId: string; readonly model: string | null; readonly text: string }
  | {
      readonly type: 'ToolCall'
      readonly id: string
      readonly name: string
      readonly input: unknown
      readonly status: ToolStatus
      readonly result: string | null
    }
  | { readonly type: 'SystemEvent'; readonly subtype: string | null; readonly text: string }
  | { readonly type: 'Summary'; readonly title: string; readonly leafUuid: string | null }
  | { readonly type: 'FileHistorySnapshot'; readonly uuid: string | null; readonly line: number }

export interface NormalSession {
  readonly sessionId: string
  readonly projectKey: string
  /** In order; the name is the one this projection is known by. */
  readonly events: readonly NormalStep[]
}

export function normalSession(woven: Woven, bodyOf: BodyOf): NormalSession {
  const steps: NormalStep[] = []
  for (const turn of readFull(woven).turns) {
    for (const part of partsOf(turn, bodyOf)) {
      if (part.kind === 'prompt')
        steps.push({ type: 'UserTurn', uuid: part.record.uuid, text: part.text, images: part.images })
      else if (part.kind === 'reply') {
        const said = part.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))
        const { messageId, model } = part
        if (said.length > 0) steps.push({ type: 'AssistantTurn', messageId, model, text: said.join('\n') })
        for (const block of part.blocks) {
          if (block.kind !== 'tool') continue
          const { id, name, input, status, result } = block.call
          steps.push({ type: 'ToolCall', id, name, input, status, result: result?.text ?? null })
        }
      } else if (part.kind === 'boundary') steps.push({ type: 'SystemEvent', subtype: 'compact_boundary', text: '' })
      else if (part.kind === 'system') steps.push({ type: 'SystemEvent', subtype: part.subtype, text: part.text })
      else if (part.kind === 'injection') steps.push({ type: 'SystemEvent', subtype: part.injection, text: part.text })
    }
  }
  return {
    sessionId: woven.source.sessionId,
    projectKey: woven.source.projectKey,
    events: [...steps, ...looseSteps(woven, bodyOf)],
  }
}

/** Titles and snapshots have no place in the chain; they follow in file order. */
function looseSteps(woven: Woven, bodyOf: BodyOf): readonly NormalStep[] {
  return woven.own.loose.flatMap(({ transcript, envelope }): readonly NormalStep[] => {
    const record: PlacedRecord = { transcript, envelope }
    if (envelope.type.startsWith('file-history')) {
      return [{ type: 'FileHistorySnapshot', uuid: envelope.links?.snapshotOfUuid ?? null, line: envelope.line }]
    }
    const key = TITLE_KEYS.get(envelope.type)
    const title = key === undefined ? undefined : bodyOf(record)?.[key]
    if (typeof title !== 'string') return []
    return [{ type: 'Summary', title, leafUuid: envelope.links?.leafUuid ?? null }]
  })
}

const TITLE_KEYS: ReadonlyMap<string, string> = new Map([
  ['summary', 'summary'],
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
])
