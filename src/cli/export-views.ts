// What an export shows, Turn by Turn, redacted. A Turn is read when it is its turn: a long conversation is never in
// memory as a whole.

import type { Turn } from '../conversation/model.ts'
import type { BodyOf } from '../conversation/parts.ts'
import { contentOf } from '../conversation/parts.ts'
import { readFull } from '../conversation/reading.ts'
import type { Bodies } from '../load/bodies.ts'
import { openSubagent } from '../load/session.ts'
import { readSpill } from '../load/spill.ts'
import { promptText } from '../record/user.ts'
import type { Redactor } from '../redact/model.ts'
import type { Choice } from '../render/export/choice.ts'
import { withoutReminders } from '../render/export/choice.ts'
import { condenseTurn } from '../render/export/condense.ts'
import { promptName } from '../render/export/shown.ts'
import type { ViewSource } from '../render/export/turn-view.ts'
import { turnView } from '../render/export/turn-view.ts'
import type { ImageContent, TurnView } from '../render/export/view.ts'
import type { Opened } from './export-open.ts'
import { bodiesOf } from './export-open.ts'

export interface ExportViews {
  readonly names: readonly { readonly number: number; readonly name: string }[]
  readonly turns: Iterable<TurnView>
  /** Those of the Turns that have been shown. */
  readonly images: readonly ImageContent[]
}

/** As much of a Spill as is shown. */
const SPILL_BYTES_MAX = 1_000_000

export function exportViews(opened: Opened, choice: Choice, redactor: Redactor, bodies: Bodies): ExportViews {
  const { session, woven, turns, agent } = opened
  const images: ImageContent[] = []
  const told = new Set(agent === null ? [] : [agent.agentId])
  const source: ViewSource = {
    choice,
    bodyOf: bodiesOf(woven, bodies),
    folder: opened.head.project,
    depth: 0,
    addImage: (image) => images.push(image) - 1,
    spill: (path) => readSpill(session.main.file.sessionFolder, path, SPILL_BYTES_MAX),
    agent: (agentId) => {
      const subagent = woven.agents.subagents.find((one) => one.agentId === agentId)
      const inner = told.has(agentId) || subagent === undefined ? null : openSubagent(session, agentId, 'resume')
      if (inner === null || subagent === undefined) return null
      told.add(agentId)
      return { subagent, turns: readFull(inner).turns, bodyOf: bodiesOf(inner, bodies) }
    },
  }
  return {
    names: turns.map((turn) => ({ number: turn.number, name: nameOf(turn, source.bodyOf, redactor) })),
    turns: redactedTurns(turns, source, redactor),
    images,
  }
}

function* redactedTurns(turns: readonly Turn[], source: ViewSource, redactor: Redactor): Generator<TurnView> {
  for (const turn of turns) {
    const view = redactor.value(turnView(turn, source))
    yield source.choice.detail === 'compact' ? condenseTurn(view) : view
  }
}

function nameOf({ prompt }: Turn, bodyOf: BodyOf, redactor: Redactor): string {
  if (prompt === null) return promptName('')
  return promptName(redactor.text(withoutReminders(promptText(contentOf(bodyOf(prompt))))).text)
}
