// Turns as Markdown for the clipboard, as an export has them. Whoever copies wants to paste it somewhere else, so Secrets
// are replaced; their tags are good for this run only.

import { createHmac, randomBytes } from 'node:crypto'
import type { Woven } from '../conversation/build.ts'
import type { Turn } from '../conversation/model.ts'
import { readFull } from '../conversation/reading.ts'
import type { OpenSession } from '../load/session.ts'
import { openSubagent } from '../load/session.ts'
import { readSpill } from '../load/spill.ts'
import type { Redactor } from '../redact/model.ts'
import { createRedactor } from '../redact/redactor.ts'
import { chooseParts } from '../render/export/choice.ts'
import { condenseTurn } from '../render/export/condense.ts'
import { turnMarkdown } from '../render/export/markdown.ts'
import type { ViewSource } from '../render/export/turn-view.ts'
import { turnView } from '../render/export/turn-view.ts'
import type { RecordBytes } from './record-bytes.ts'

const SPILL_BYTES_MAX = 1_000_000

export function markdownOf(
  session: OpenSession,
  woven: Woven,
  turns: readonly Turn[],
  bytes: RecordBytes,
  detail: 'compact' | 'full',
): string {
  const choice = chooseParts(detail, [], [], 'placeholder')
  const told = new Set<string>()
  const source: ViewSource = {
    choice,
    bodyOf: bodiesOf(woven, bytes),
    folder: '',
    depth: 0,
    addImage: () => 0,
    spill: (path) => readSpill(session.main.file.sessionFolder, path, SPILL_BYTES_MAX),
    agent: (agentId) => {
      const subagent = woven.agents.subagents.find((one) => one.agentId === agentId)
      const inner = told.has(agentId) || subagent === undefined ? null : openSubagent(session, agentId, 'resume')
      if (inner === null || subagent === undefined) return null
      told.add(agentId)
      return { subagent, turns: readFull(inner).turns, bodyOf: bodiesOf(inner, bytes) }
    },
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

function bodiesOf({ source }: Woven, bytes: RecordBytes): ViewSource['bodyOf'] {
  const paths = [source.main.path, ...source.earlier.map(({ path }) => path)]
  return ({ transcript, envelope }) => bytes.body(paths[transcript] ?? '', envelope)
}

const KEY = randomBytes(32)

function newRedactor(): Redactor {
  return createRedactor({ tagOf: (secret) => createHmac('sha256', KEY).update(secret).digest('hex').slice(0, 6) })
}
