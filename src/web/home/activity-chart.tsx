// Messages in time as bars. uPlot draws them; a press on one filters the list to its days.

import type { JSX } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { ActiveDay } from '../../server/api/home.ts'
import { monthOf, writtenDays } from '../parts/days.ts'
import { onColours } from '../parts/theme.ts'
import { count, counted } from '../parts/units.ts'
import type { Bar, Step } from './bars.ts'
import { barsOf } from './bars.ts'
import type { HomeView } from './view.ts'
import 'uplot/dist/uPlot.min.css'

export interface ActivityChartProps {
  readonly days: readonly ActiveDay[]
  readonly step: Step
  readonly last: string
  readonly chosen: HomeView['days']
  readonly onDays: (days: HomeView['days']) => void
}

export function ActivityChart({ days, step, last, chosen, onDays }: ActivityChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [paint, setPaint] = useState(0)
  const bars = useMemo(() => barsOf(days, step, last), [days, step, last])
  const press = useRef<(bar: Bar) => void>(() => undefined)
  press.current = ({ from, to }) => onDays(chosen?.from === from && chosen.to === to ? null : { from, to })

  useEffect(() => onColours(() => setPaint((before) => before + 1)), [])
  const columns = useMemo(() => columnsOf(bars, chosen), [bars, chosen])
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(columns)
  latest.current = columns
  useEffect(() => {
    const element = place.current
    if (element === null) return
    // Counts what was painted: colours are read anew each time.
    element.dataset['paint'] = String(paint)
    const made = new uPlot(optionsFor(element, bars, setPointed), latest.current, element)
    plot.current = made
    const click = (): void => {
      const bar = bars[made.cursor.idx ?? -1]
      if (bar !== undefined) press.current(bar)
    }
    made.over.addEventListener('click', click)
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [bars, paint])
  // What is chosen is only painted otherwise: where the pointer stands is kept.
  useEffect(() => plot.current?.setData(columns), [columns])

  const bar = pointed === null ? undefined : bars[pointed]
  return (
    <figure className="chart" aria-label={`Messages by ${step}`}>
      <div ref={place} className="chart-canvas" />
      <figcaption className="small soft">
        {bar === undefined
          ? busiest(bars, step)
          : `${writtenDays(bar.from, bar.to)}: ${counted(bar.messages, 'message')}`}
      </figcaption>
    </figure>
  )
}

/** Two rows of bars, of which each place has one: those that are chosen, and the others. */
function columnsOf(bars: readonly Bar[], chosen: HomeView['days']): uPlot.AlignedData {
  const isChosen = ({ from, to }: Bar): boolean => chosen === null || (chosen.from <= to && from <= chosen.to)
  return [
    bars.map((_, place) => place),
    bars.map((bar) => (isChosen(bar) ? bar.messages : null)),
    bars.map((bar) => (isChosen(bar) ? null : bar.messages)),
  ]
}

function optionsFor(
  element: HTMLElement,
  bars: readonly Bar[],
  onPoint: (place: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name)
  const font = `11px ${style.fontFamily}`
  const paths = uPlot.paths.bars?.({ size: [0.78, 24], radius: 0.15 })
  const bar = (fill: string): uPlot.Series => ({
    ...(paths === undefined ? {} : { paths }),
    fill,
    width: 0,
    points: { show: false },
  })
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [-0.6, bars.length - 0.4] },
      y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.05)] },
    },
    axes: [
      {
        font,
        stroke: colour('--soft'),
        size: 22,
        gap: 4,
        grid: { show: false },
        ticks: { show: false },
        splits: () => monthStarts(bars),
        values: (_plot, places) => places.map((place) => monthOf(bars[place]?.to ?? '')),
      },
      {
        font,
        stroke: colour('--soft'),
        size: 44,
        gap: 4,
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
        space: 34,
        values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? count(value) : '')),
      },
    ],
    series: [{}, bar(colour('--heat-3')), bar(colour('--heat-1'))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  }
}

/** The first bar of every month that has room for its name. */
function monthStarts(bars: readonly Bar[]): number[] {
  const starts = bars.flatMap(({ to }, place) => (bars[place - 1]?.to.slice(0, 7) === to.slice(0, 7) ? [] : [place]))
  return starts.filter((place, index) => (starts[index + 1] ?? bars.length) - place > 2)
}

function busiest(bars: readonly Bar[], step: Step): string {
  const most = bars.reduce<Bar | null>((most, bar) => (bar.messages > (most?.messages ?? 0) ? bar : most), null)
  return most === null
    ? 'No messages'
    : `Busiest ${step}: ${writtenDays(most.from, most.to)}, ${counted(most.messages, 'message')}`
}
