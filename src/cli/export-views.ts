// What an export shows, Turn by Turn, redacted. A Turn is read when it is its turn: a long conversation is never in
// memory as a whole.

import type { Woven } from '../conversation/build.ts'
import type { Turn } from '../conversation/model.ts'
import type { BodyOf } from '../conversation/parts.ts'
import { contentOf } from '../conversation/parts.ts'
import type { Bodies } from '../load/bodies.ts'
import { insideOf } from '../load/inside.ts'
import { typedText } from '../record/user.ts'
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

export function exportViews(opened: Opened, choice: Choice, redactor: Redactor, bodies: Bodies): ExportViews {
  const { session, woven, turns, agent } = opened
  const images: ImageContent[] = []
  const readBodies = (of: Woven): BodyOf => bodiesOf(of, bodies)
  const source: ViewSource = {
    choice,
    bodyOf: readBodies(woven),
    folder: opened.head.project,
    depth: 0,
    addImage: (image) => images.push(image) - 1,
    ...insideOf(session, woven, agent?.agentId ?? null, readBodies),
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
  return promptName(redactor.text(withoutReminders(typedText(contentOf(bodyOf(prompt))))).text)
}
