// All conversations: the year at a glance, what narrows the list down, and the list.

import type { JSX } from 'react'
import { useScrollMemory } from '../parts/scroll.ts'
import { Empty, Failed } from '../parts/states.tsx'
import { count, counted } from '../parts/units.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { ConversationList } from './conversation-list.tsx'
import { NoConversations } from './no-conversations.tsx'
import { Skeleton } from './skeleton.tsx'
import { Chips, FilterBar } from './toolbar.tsx'
import { useActivity, useHomeQuery, useShownList } from './use-home.ts'
import { useView } from './use-view.ts'
import './home-page.css'

export function HomePage(): JSX.Element {
  const { data: home, error, refetch } = useHomeQuery()
  const activity = useActivity(home !== undefined && home.rows.length > 0)
  const state = useView()
  const list = useShownList(home, activity, state.view)
  useScrollMemory(`home ${list.asked}`, home !== undefined)

  if (home === undefined && error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (home === undefined) return <Skeleton />
  if (home.rows.length === 0) return <NoConversations home={home} />
  const { view, change, clear } = state
  const { lines, found } = list
  return (
    <>
      {home.isSample ? (
        <p className="banner">This is the bundled sample. You have no sessions of your own yet.</p>
      ) : null}
      <div className="page home">
        <h1 className="unseen">Conversations</h1>
        <ActivityPanel
          activity={activity}
          nowMs={home.nowMs}
          timeZone={home.timeZone}
          days={view.days}
          onDays={(days) => change({ days })}
        />
        <FilterBar rows={home.rows} first={found[0]} state={state} />
        <Chips rows={home.rows} state={state} />
        <div className="list-head small soft">
          <span role="status">{told(found.length, home.rows.length)}</span>
          {list.isOutOfOrder ? (
            <button type="button" className="link-button" onClick={list.putInOrder}>
              Some have gone on: put them in order
            </button>
          ) : null}
        </div>
        {found.length === 0 ? (
          <Empty title="None of them fits">
            <p>{counted(home.rows.length, 'conversation')}, and none has all of what the filter asks for.</p>
            <button type="button" className="button" onClick={clear}>
              Clear the filter
            </button>
          </Empty>
        ) : (
          <ConversationList
            lines={lines}
            rowCount={found.length}
            asked={list.asked}
            view={view}
            activity={activity}
            timeZone={home.timeZone}
            onFold={list.fold}
            onProject={(project) => change({ project })}
          />
        )}
      </div>
    </>
  )
}

function told(found: number, all: number): string {
  return found === all ? counted(all, 'conversation') : `${count(found)} of ${counted(all, 'conversation')}`
}
