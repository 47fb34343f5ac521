import type { JSX } from 'react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { HomeRow } from '../../server/api/home.ts'
import { age, count, exactTime, lastName, money, shortModel, size } from '../parts/units.ts'
import { Badges } from './badges.tsx'
import type { Scope } from './view.ts'

export interface ConversationRowProps {
  readonly row: HomeRow
  /** Undefined until the accounts have come. */
  readonly costUsd: number | null | undefined
  readonly scope: Scope
  readonly nowMs: number
  readonly timeZone: string
  readonly onFocus: (id: string) => void
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps): JSX.Element {
  const { row, costUsd, scope, nowMs, timeZone, onFocus } = props
  const isWorktree = row.project !== row.repository
  return (
    <Link href={`/c/${row.id}`} className="conversation" data-row={row.id} onFocus={() => onFocus(row.id)}>
      <span className="conversation-head">
        <span className="conversation-title one-line" dir="auto">
          {row.title}
        </span>
        <Badges row={row} worktree={isWorktree && scope === 'repository' ? lastName(row.project) : null} />
      </span>
      <span className="conversation-prompt">
        {scope === 'none' ? <span className="conversation-project one-line">{lastName(row.project)}</span> : null}
        {row.gitBranch === null ? null : <span className="mono conversation-branch one-line">{row.gitBranch}</span>}
        <span className="one-line" dir="auto">
          {row.firstPrompt ?? 'No prompt'}
        </span>
      </span>
      <span className="conversation-model one-line" title={row.model ?? 'no reply'}>
        {row.model === null ? '–' : shortModel(row.model)}
      </span>
      <span className="number conversation-turns" title={`${count(row.turns)} turns, ${count(row.messages)} messages`}>
        {count(row.turns)} <span className="unit">{row.turns === 1 ? 'turn' : 'turns'}</span>
      </span>
      <span className="number conversation-cost" title={costTitle(costUsd)}>
        {money(costUsd)}
      </span>
      <span className="number conversation-size" title={`${count(row.sizeBytes)} bytes on disk`}>
        {size(row.sizeBytes)}
      </span>
      <time
        className="number conversation-age"
        dateTime={new Date(row.modifiedMs).toISOString()}
        title={timesOf(row, timeZone)}
      >
        {age(row.modifiedMs, nowMs)}
      </time>
    </Link>
  )
})

function costTitle(costUsd: number | null | undefined): string {
  if (costUsd === undefined) return 'What it cost is not known yet'
  return costUsd === null ? 'A model of it has no known price' : 'What its tokens cost at list price'
}

function timesOf({ createdMs, modifiedMs }: HomeRow, timeZone: string): string {
  const last = `Last changed ${exactTime(modifiedMs, timeZone)}`
  return createdMs === null ? last : `${last}\nBegun ${exactTime(createdMs, timeZone)}`
}
