// Cost or tokens in time as bars, by model. uPlot draws them on a canvas, so the table below says the same to whoever
// cannot see it.

import type { JSX } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { UsageRow } from '../../server/api/usage.ts'
import { onColours } from '../parts/theme.ts'
import { count, money } from '../parts/units.ts'
import { shortCount } from './amounts.ts'
import type { Stacks } from './stacks.ts'
import { stacksOf } from './stacks.ts'
import { longKey, shortKey } from './time-keys.ts'
import type { Measure, TimeUnit } from './view.ts'
import 'uplot/dist/uPlot.min.css'

export interface UsageChartProps {
  readonly rows: readonly UsageRow[]
  readonly keys: readonly string[]
  readonly unit: TimeUnit
  readonly measure: Measure
  readonly onChoose: (key: string) => void
}

const COLOURS = ['--thread', '--link', '--warn', '--good', '--faint'] as const

export function UsageChart({ rows, keys, unit, measure, onChoose }: UsageChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<{ readonly at: number; readonly left: number } | null>(null)
  const [paint, setPaint] = useState(0)
  const stacks = useMemo(() => stacksOf(keys, rows, measure), [keys, rows, measure])
  const choose = useRef(onChoose)
  choose.current = onChoose

  useEffect(() => onColours(() => setPaint((before) => before + 1)), [])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    // Counts what was painted: colours are read anew each time.
    element.dataset['paint'] = String(paint)
    const point = (plot: uPlot): void => {
      const { idx, left = 0 } = plot.cursor
      setPointed(idx === null || idx === undefined || left < 0 ? null : { at: idx, left: left + plot.over.offsetLeft })
    }
    const plot = new uPlot(optionsFor(element, stacks, { unit, measure, point }), columnsOf(stacks), element)
    plot.over.addEventListener('click', () => {
      const key = stacks.keys[plot.cursor.idx ?? -1]
      if (key !== undefined && (stacks.totals[plot.cursor.idx ?? -1] ?? 0) > 0) choose.current(key)
    })
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [stacks, unit, measure, paint])

  return (
    <figure
      className="usage-chart"
      aria-label={`${measure === 'cost' ? 'Cost' : 'Tokens'} by ${unit}; the table has the same numbers`}
    >
      <div className="usage-canvas" ref={place} />
      {pointed === null ? null : <Tip stacks={stacks} {...pointed} unit={unit} measure={measure} />}
      <figcaption className="usage-legend">
        {stacks.parts.map(({ name }, part) => (
          <span key={name}>
            <i className="swatch" style={{ background: `var(${colourOf(part)})` }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

interface TipProps {
  readonly stacks: Stacks
  readonly at: number
  readonly left: number
  readonly unit: TimeUnit
  readonly measure: Measure
}

function Tip({ stacks, at, left, unit, measure }: TipProps): JSX.Element | null {
  const key = stacks.keys[at]
  if (key === undefined) return null
  const isRight = at > stacks.keys.length / 2
  const amount = (value: number): string => (measure === 'cost' ? money(value) : count(value))
  const parts = stacks.parts.filter(({ values }) => (values[at] ?? 0) > 0)
  return (
    <div className={isRight ? 'usage-tip right' : 'usage-tip'} style={{ left }}>
      <b>{longKey(unit, key)}</b>
      <dl>
        {parts.map(({ name, values }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{amount(values[at] ?? 0)}</dd>
          </div>
        ))}
        <div className="sum">
          <dt>{parts.length === 0 ? 'Nothing' : 'All'}</dt>
          <dd>{amount(stacks.totals[at] ?? 0)}</dd>
        </div>
      </dl>
    </div>
  )
}

/** Each part reaches from the ground to its upper end; the highest is drawn first, behind the others. */
function columnsOf({ keys, parts }: Stacks): uPlot.AlignedData {
  const sums = keys.map(() => 0)
  const columns = parts.map(({ values }) => values.map((value, place) => (sums[place] = (sums[place] ?? 0) + value)))
  return [keys.map((_, place) => place), ...columns.reverse()]
}

interface Drawn {
  readonly unit: TimeUnit
  readonly measure: Measure
  readonly point: (plot: uPlot) => void
}

function optionsFor(element: HTMLElement, stacks: Stacks, { unit, measure, point }: Drawn): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const grid = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--soft'), font: `12px ${style.fontFamily}`, ticks: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [0.78, 36], align: 0 })
  const series = stacks.parts.map((_, part): uPlot.Series => {
    const drawn = { fill: colour(colourOf(part)), width: 0, points: { show: false } }
    return bars === undefined ? drawn : { ...drawn, paths: bars }
  })
  const last = Math.max(1, stacks.keys.length - 1)
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, last + 0.6] },
      y: { range: (_, __, high) => [0, high > 0 ? high * 1.06 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 64,
        incrs: [1, 2, 5, 7, 10, 14, 30, 60, 90, 180],
        values: (_, places) => places.map((at) => (Number.isInteger(at) ? shortKey(unit, stacks.keys[at] ?? '') : '')),
      },
      {
        ...axis,
        grid,
        size: 58,
        values: (_, values) => values.map((value) => (measure === 'cost' ? axisMoney(value) : shortCount(value))),
      },
    ],
    series: [{}, ...series.reverse()],
    hooks: { setCursor: [point] },
  }
}

function colourOf(part: number): (typeof COLOURS)[number] {
  return COLOURS[Math.min(part, COLOURS.length - 1)] ?? '--faint'
}

function axisMoney(usd: number): string {
  return usd >= 10 || usd === 0 ? `$${count(Math.round(usd))}` : `$${usd.toFixed(2)}`
}
