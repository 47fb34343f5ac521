// What stands at one place of the list: a Row with what belongs to it, or a mark between Rows.

import type { JSX } from 'react'
import type { ReadingHead } from '../../server/api/conversation.ts'
import type { RowView } from '../../server/api/rows.ts'
import { BranchStrip } from './branch-strip.tsx'
import type { ListPlace } from './plan.ts'
import { RowArticle } from './row-article.tsx'
import { useTalk } from './talk.ts'

export function PlaceView({
  place,
  row,
  reading,
  isTarget,
  saysModel,
  error,
  onEarlier,
  onLater,
}: {
  readonly place: ListPlace
  readonly row: RowView | undefined
  readonly reading: ReadingHead
  readonly isTarget: boolean
  readonly saysModel: boolean
  readonly error: Error | null
  readonly onEarlier: () => void
  readonly onLater: () => void
}): JSX.Element {
  const talk = useTalk()
  if (place.kind === 'earlier')
    return (
      <button type="button" className="stretch-end" onClick={onEarlier}>
        {place.row.toLocaleString('en')} earlier rows
      </button>
    )
  if (place.kind === 'later')
    return (
      <button type="button" className="stretch-end" onClick={onLater}>
        {(reading.rows - place.row).toLocaleString('en')} later rows
      </button>
    )
  if (place.kind === 'end') return <AgentEnd agentId={place.owner} row={place.row} error={error} />
  if (row === undefined) return <div className="row-waiting" aria-hidden="true" />
  const fork = place.owner === '' ? reading.forks.find((one) => one.row === place.row) : undefined
  return (
    <>
      <RowArticle row={row} owner={place.owner} isTarget={isTarget} saysModel={saysModel} />
      {fork === undefined || talk.head.branches.length < 2 ? null : (
        <BranchStrip fork={fork} current={reading.branch} />
      )}
    </>
  )
}

/** Below the last Row of a Subagent that is open in place. */
function AgentEnd({
  agentId,
  row,
  error,
}: {
  readonly agentId: string
  readonly row: number
  readonly error: Error | null
}): JSX.Element {
  const talk = useTalk()
  const agent = talk.agents.get(agentId)
  return (
    <div className="agent-end">
      {error === null ? null : <span className="bad">{error.message} </span>}
      <button type="button" className="more" onClick={() => talk.toggleAgent(agentId, '', row)}>
        Close {agent?.type ?? 'subagent'}
      </button>
    </div>
  )
}
