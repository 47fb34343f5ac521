// A tool call as one line: name, what it was about, what came of it. It opens to its input and output.

import type { JSX } from 'react'
import type { CallLine, CallStatus, RowView } from '../../server/api/rows.ts'
import { CallInside } from './call-inside.tsx'
import { useFold } from './folds.ts'
import { SubagentCard } from './subagent-card.tsx'
import { callFold, useTalk } from './talk.ts'
import { durationOf } from './words.ts'
import './calls.css'

export function Call({
  line,
  row,
  owner,
}: {
  readonly line: CallLine
  readonly row: RowView
  readonly owner: string
}): JSX.Element {
  const talk = useTalk()
  const [isOpen, toggle] = useFold(callFold(row.ref, line.id))
  const agent = line.agentId === null ? undefined : talk.agents.get(line.agentId)
  return (
    <div className={`call call-${line.status}`}>
      <button type="button" className="call-line" aria-expanded={isOpen} onClick={toggle}>
        <span className="twist" aria-hidden="true" />
        <span className="call-name">{line.name}</span>
        <span className="call-title">{line.title}</span>
        {line.changed === null ? null : (
          <span className="call-changed">
            <span className="added">+{line.changed.added}</span>{' '}
            <span className="removed">−{line.changed.removed}</span>
          </span>
        )}
        {line.durationMs === null ? null : <span className="call-duration">{durationOf(line.durationMs)}</span>}
        <span className={line.status === 'ok' ? 'unseen' : `call-status is-${line.status}`}>
          {STATUS_WORDS[line.status]}
        </span>
      </button>
      {isOpen ? <CallInside line={line} row={row} owner={owner} /> : null}
      {agent === undefined ? null : <SubagentCard agent={agent} owner={owner} row={row.row} />}
    </div>
  )
}

export const STATUS_WORDS: Readonly<Record<CallStatus, string>> = {
  ok: 'ok',
  pending: 'no result yet',
  error: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
}
