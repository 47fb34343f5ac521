// A calendar of a year. It is one stop for the tab key; the arrows go from day to day.

import type { JSX, KeyboardEvent, MouseEvent } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { addDays, writtenDay } from '../parts/days.ts'
import { counted } from '../parts/units.ts'
import type { Heat, HeatDay } from './heat.ts'
import type { HomeView } from './view.ts'

export interface HeatMapProps {
  readonly heat: Heat
  readonly chosen: HomeView['days']
  readonly onDays: (days: HomeView['days']) => void
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }

export function HeatMap({ heat, chosen, onDays }: HeatMapProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<string | null>(null)
  const current = [wanted, chosen?.to].find((day) => day && heat.first <= day && day <= heat.last) ?? heat.last

  // Where there is no room for a year, its end is what is seen.
  useLayoutEffect(() => {
    const element = place.current
    if (element !== null) element.scrollLeft = element.scrollWidth
  }, [])

  const choose = (day: string, isRange: boolean): void => {
    setWanted(day)
    if (isRange && chosen !== null)
      onDays(day < chosen.from ? { from: day, to: chosen.to } : { from: chosen.from, to: day })
    else onDays(chosen?.from === day && chosen.to === day ? null : { from: day, to: day })
  }
  const press = (pressed: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[pressed.key]
    if (step === undefined) return
    pressed.preventDefault()
    const next = addDays(current, step)
    if (next < heat.first || next > heat.last) return
    setWanted(next)
    place.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
  }
  const click = ({ target, shiftKey }: MouseEvent<HTMLElement>): void => {
    const day = target instanceof HTMLElement ? target.dataset['day'] : undefined
    if (day !== undefined) choose(day, shiftKey)
  }
  return (
    <div ref={place} className="heat-place">
      <table className="heat" onKeyDown={press} onClick={click}>
        <caption className="unseen">Messages by day. Press a day to see its conversations.</caption>
        <thead>
          <tr>
            <td />
            {heat.months.map(({ key, name, weeks }) => (
              <th key={key} scope="colgroup" colSpan={weeks}>
                {weeks > 2 ? name : ''}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heat.rows.map((days, weekday) => (
            <tr key={WEEKDAYS[weekday]}>
              <th scope="row">
                <span className={weekday % 2 === 0 && weekday < 5 ? '' : 'unseen'}>
                  {WEEKDAYS[weekday]?.slice(0, 3)}
                </span>
              </th>
              {days.map((day) => (
                <td key={day.day}>
                  <button
                    type="button"
                    data-day={day.day}
                    className={`heat-day heat-${day.level}`}
                    aria-pressed={chosen !== null && chosen.from <= day.day && day.day <= chosen.to}
                    tabIndex={day.day === current ? 0 : -1}
                    title={told(day)}
                    aria-label={told(day)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function told({ day, messages, sessions }: HeatDay): string {
  if (messages === 0) return `${writtenDay(day)}: nothing`
  return `${writtenDay(day)}: ${counted(messages, 'message')} in ${counted(sessions, 'conversation')}`
}
