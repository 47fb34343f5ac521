// Days with something in them, the newest first, by month. On a narrow screen it is folded away.

import type { JSX } from 'react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { JournalDays } from '../../server/api/journal.ts'
import { monthOf } from '../parts/days.ts'
import { counted } from '../parts/units.ts'

type Days = JournalDays['days']

export function DayList({ days, chosen }: { readonly days: Days; readonly chosen: string }): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const link = list.current?.querySelector(`[href="/journal/${chosen}"]`)
    link?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <nav className="journal-days" aria-label="Days">
      <details open={matchMedia('(min-width: 860px)').matches}>
        <summary>{counted(days.length, 'day')}</summary>
        <div ref={list} className="journal-months">
          {byMonth(days).map(([month, own]) => (
            <section key={month}>
              <h2>
                {monthOf(`${month}-01`)} {month.slice(0, 4)}
              </h2>
              <ul>
                {own.map(({ day, projects, turns }) => (
                  <li key={day}>
                    <Link href={`/journal/${day}`} aria-current={day === chosen ? 'page' : undefined}>
                      <span className="journal-date">
                        {WEEKDAYS[new Date(day).getUTCDay()]} {Number(day.slice(8))}
                      </span>
                      <span className="journal-facts">
                        {counted(turns, 'turn')}
                        {projects > 1 ? `, ${counted(projects, 'project')}` : ''}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </details>
    </nav>
  )
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

function byMonth(days: Days): readonly (readonly [string, Days])[] {
  const months = new Map<string, Days[number][]>()
  for (const one of days) {
    const month = one.day.slice(0, 7)
    const known = months.get(month)
    if (known === undefined) months.set(month, [one])
    else known.push(one)
  }
  return [...months]
}
