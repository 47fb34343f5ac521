// Turns as Markdown for the clipboard, as an export has them. Whoever copies wants to paste it somewhere else, so Secrets
// are replaced; their tags are good for this run only.

import { createHmac, randomBytes } from 'node:crypto'
import type { Woven } from '../conversation/build.ts'
import type { Turn } from '../conversation/model.ts'
import type { BodyOf } from '../conversation/parts.ts'
import { insideOf } from '../load/inside.ts'
import type { OpenSession } from '../load/session.ts'
import type { Redactor } from '../redact/model.ts'
import { createRedactor } from '../redact/redactor.ts'
import { chooseParts } from '../render/export/choice.ts'
import { condenseTurn } from '../render/export/condense.ts'
import { turnMarkdown } from '../render/export/markdown.ts'
import type { ViewSource } from '../render/export/turn-view.ts'
import { turnView } from '../render/export/turn-view.ts'
import type { RecordBytes } from './record-bytes.ts'

export function markdownOf(
  session: OpenSession,
  woven: Woven,
  turns: readonly Turn[],
  bytes: RecordBytes,
  detail: 'compact' | 'full',
): string {
  const choice = chooseParts(detail, [], [], 'placeholder')
  const readBodies = (of: Woven): BodyOf => bodiesOf(of, bytes)
  const source: ViewSource = {
    choice,
    bodyOf: readBodies(woven),
    folder: '',
    depth: 0,
    addImage: () => 0,
    ...insideOf(session, woven, null, readBodies),
  }
  const redactor = newRedactor()
  return turns
    .map((turn) => {
      const view = redactor.value(turnView(turn, source))
      return turnMarkdown(detail === 'compact' ? condenseTurn(view) : view, PLACEHOLDERS)
    })
    .join('')
}

const PLACEHOLDERS = { mode: 'placeholder', image: () => undefined, reference: () => '' } as const

function bodiesOf({ source }: Woven, bytes: RecordBytes): BodyOf {
  const paths = [source.main.path, ...source.earlier.map(({ path }) => path)]
  return ({ transcript, envelope }) => bytes.body(paths[transcript] ?? '', envelope)
}

const KEY = randomBytes(32)

function newRedactor(): Redactor {
  return createRedactor({ tagOf: (secret) => createHmac('sha256', KEY).update(secret).digest('hex').slice(0, 6) })
}
