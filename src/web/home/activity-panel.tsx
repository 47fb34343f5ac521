// The year at a glance: a calendar and a chart, both of which filter the list. Can be folded away, and stays so.

import type { JSX } from 'react'
import { Suspense, useMemo, useState } from 'react'
import type { Activity } from '../../server/api/home.ts'
import { addDays, dayIn, writtenDays } from '../parts/days.ts'
import { Icon } from '../parts/icons.tsx'
import { useKept } from '../parts/kept.ts'
import { later } from '../parts/later.ts'
import { count, counted } from '../parts/units.ts'
import type { Step } from './bars.ts'
import { heatOf, lastDayFor, WEEKS } from './heat.ts'
import { HeatMap } from './heat-map.tsx'
import type { HomeView } from './view.ts'
import './activity-panel.css'

const ActivityChart = later(async () => (await import('./activity-chart.tsx')).ActivityChart)

export interface ActivityPanelProps {
  readonly activity: Activity | null
  readonly nowMs: number
  readonly timeZone: string
  readonly days: HomeView['days']
  readonly onDays: (days: HomeView['days']) => void
}

const NO_DAYS: Activity['days'] = []

export function ActivityPanel({ activity, nowMs, timeZone, days: chosen, onDays }: ActivityPanelProps): JSX.Element {
  const [isOpen, setOpen] = useKept('activity-open', true)
  const [isByDay, setByDay] = useKept('activity-by-day', false)
  const [yearsBack, setYearsBack] = useState(0)
  const days = activity?.days ?? NO_DAYS
  const newest = useMemo(() => lastDayFor(days, dayIn(timeZone, nowMs)), [days, timeZone, nowMs])
  const last = addDays(newest, -7 * (WEEKS - 1) * yearsBack)
  const heat = useMemo(() => heatOf(days, last), [days, last])
  const step: Step = isByDay ? 'day' : 'week'
  const hasEarlier = days.some(({ day, messages }) => messages > 0 && day < heat.first)
  return (
    <section className="activity" aria-label="Activity">
      <div className="activity-head">
        <h2>
          <button type="button" className="group-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="fold" />
            Activity
          </button>
        </h2>
        <span className="soft small">
          {activity === null ? 'is being counted…' : summary(activity, heat.first, last)}
        </span>
        <span className="spread" />
        {isOpen && (hasEarlier || yearsBack > 0) ? (
          <span className="choice">
            <button
              type="button"
              disabled={!hasEarlier}
              onClick={() => setYearsBack(yearsBack + 1)}
              title="A year earlier"
            >
              <Icon name="before" />
              <span className="unseen">A year earlier</span>
            </button>
            <button
              type="button"
              disabled={yearsBack === 0}
              onClick={() => setYearsBack(yearsBack - 1)}
              title="A year later"
            >
              <Icon name="after" />
              <span className="unseen">A year later</span>
            </button>
          </span>
        ) : null}
        {isOpen ? (
          <span className="choice steps">
            <button type="button" aria-pressed={!isByDay} onClick={() => setByDay(false)}>
              Weeks
            </button>
            <button type="button" aria-pressed={isByDay} onClick={() => setByDay(true)}>
              Days
            </button>
          </span>
        ) : null}
      </div>
      {isOpen ? (
        <div className="activity-body">
          <HeatMap heat={heat} chosen={chosen} onDays={onDays} />
          <div className="activity-chart">
            <Suspense fallback={null}>
              {activity === null ? null : (
                <ActivityChart days={days} step={step} last={last} chosen={chosen} onDays={onDays} />
              )}
            </Suspense>
          </div>
        </div>
      ) : null}
    </section>
  )
}

function summary({ days }: Activity, first: string, last: string): string {
  const shown = days.filter(({ day }) => first <= day && day <= last)
  const messages = shown.reduce((sum, day) => sum + day.messages, 0)
  const active = shown.filter((day) => day.messages > 0).length
  return `${count(messages)} messages on ${counted(active, 'day')}, ${writtenDays(first, last)}`
}
