// Which sessions a client has open right now, and what each of them is doing.

import { skipToken, useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { Home, RunState } from '../../server/api/home.ts'
import type { RunningSession } from '../../server/api/live.ts'
import { useNowMs } from './now.ts'
import { age, lastName } from './units.ts'

export const RUN_WORDS: Readonly<Record<RunState, string>> = {
  running: 'at work',
  waiting: 'waits for you',
  idle: 'idle',
}

export function Running({ sessions }: { readonly sessions: readonly RunningSession[] }): JSX.Element | null {
  const nowMs = useNowMs()
  // Whatever is known: the list is not asked for because of a title.
  const { data: home } = useQuery<Home>({ queryKey: ['home'], queryFn: skipToken })
  if (sessions.length === 0) return null
  const titles = new Map(home?.rows.map((row) => [row.id, row.title]))
  const first = ORDER.find((state) => sessions.some((session) => session.state === state)) ?? 'idle'
  const sorted = [...sessions].sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
  return (
    <>
      <button
        type="button"
        className="button quiet running-button"
        popoverTarget="running-now"
        title={summary(sessions)}
      >
        <span className={`dot ${first}`} />
        <span className="number">{sessions.length}</span>
        <span className="running-words">open now</span>
        <span className="unseen">: {summary(sessions)}</span>
      </button>
      <div id="running-now" className="menu" popover="auto">
        <h2>Open right now</h2>
        <ul>
          {sorted.map(({ id, pid, state, project, sinceMs }) => (
            <li key={`${pid} ${id}`}>
              <Link href={`/c/${id}`} className="menu-row running-row" onClick={closeMenu}>
                <span className={`dot ${state}`} />
                <span className="running-title one-line">
                  {titles.get(id) ?? `${lastName(project ?? '')} ${id.slice(0, 8)}`}
                </span>
                <span className="faint">
                  {RUN_WORDS[state]}
                  {sinceMs === null ? '' : ` · ${age(sinceMs, nowMs)}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** What needs the reader comes first. */
const ORDER: readonly RunState[] = ['waiting', 'running', 'idle']

function summary(sessions: readonly RunningSession[]): string {
  return ORDER.flatMap((state) => {
    const found = sessions.filter((session) => session.state === state).length
    return found === 0 ? [] : [`${found} ${RUN_WORDS[state]}`]
  }).join(', ')
}

function closeMenu(): void {
  document.getElementById('running-now')?.hidePopover()
}
