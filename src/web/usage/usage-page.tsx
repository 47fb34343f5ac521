// What was used and what it cost: a chart in time, a table by anything, and behind each number how it came about.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Suspense, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { UsageAnswer } from '../../server/api/usage.ts'
import { ask, queryOf } from '../ask.ts'
import { dayIn } from '../parts/days.ts'
import { later } from '../parts/later.ts'
import { useNowMs } from '../parts/now.ts'
import { useScrollMemory } from '../parts/scroll.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { count, counted } from '../parts/units.ts'
import { costText, shortCount, tokensOf } from './amounts.ts'
import { ExplainPanel } from './explain-panel.tsx'
import { keysBetween } from './time-keys.ts'
import { UsageChoices } from './usage-choices.tsx'
import { UsageTable } from './usage-table.tsx'
import type { Column, TimeUnit, UsageView } from './view.ts'
import { isTime, readView, viewQuery } from './view.ts'
import './usage-page.css'

const UsageChart = later(async () => (await import('./usage-chart.tsx')).UsageChart)

export function UsagePage(): JSX.Element {
  const [query, setQuery] = useSearchParams()
  const nowMs = useNowMs()
  const view = readView(query, nowMs)
  const change = (more: Partial<UsageView>): void => setQuery(viewQuery({ ...view, ...more }), { replace: true })
  const { by, since, until, measure, explained } = view
  const table = useUsage(by, since, until)
  const unit: TimeUnit = isTime(by) ? by : 'day'
  const inTime = useUsage(unit, since, until)
  const sort = (column: Column): void =>
    change({ sort: column, isDescending: column === view.sort ? !view.isDescending : column !== 'label' || isTime(by) })
  const answer = table.data
  useScrollMemory('usage', answer !== undefined)
  const isNothing = answer !== undefined && answer.total.messages === 0
  return (
    <div className={explained === null ? 'page usage' : 'page usage explaining'}>
      <header className="usage-head">
        <h1>Usage</h1>
        <UsageChoices view={view} onChange={change} />
      </header>
      {table.error !== null ? <Failed error={table.error} onRetry={() => void table.refetch()} /> : null}
      {answer === undefined && table.error === null ? <Loading what="Adding up" /> : null}
      {isNothing ? (
        <Empty title="No tokens were used in this time">
          {view.range === 'all' ? null : (
            <button type="button" className="button" onClick={() => change({ range: 'all' })}>
              Show all of it
            </button>
          )}
        </Empty>
      ) : null}
      {answer === undefined || isNothing ? null : (
        <>
          <Sum answer={answer} />
          {inTime.data === undefined ? (
            <div className="usage-chart" />
          ) : (
            <Suspense fallback={<div className="usage-chart" />}>
              <Chart answer={inTime.data} view={view} unit={unit} nowMs={nowMs} onChange={change} />
            </Suspense>
          )}
          <UsageTable
            key={by}
            {...{ answer, by, measure, sort: view.sort, isDescending: view.isDescending }}
            explained={explained?.by === by ? explained.key : null}
            onSort={sort}
            onExplain={(key) => change({ explained: { by, key } })}
          />
          <Notes answer={answer} />
        </>
      )}
      {explained === null ? null : (
        <ExplainPanel {...{ explained, since, until }} onClose={() => change({ explained: null })} />
      )}
    </div>
  )
}

function useUsage(by: string, since: string | null, until: string | null) {
  const query = queryOf({ by, since, until })
  return useQuery({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => ask<UsageAnswer>(`usage${query}`, signal),
    // The table of another kind would be drawn with the wrong names for a moment; another range of the same kind not.
    placeholderData: (before, asked) =>
      asked?.queryKey[1]?.startsWith(`?by=${by}`) ? keepPreviousData(before) : undefined,
  })
}

function Sum({ answer }: { readonly answer: UsageAnswer }): JSX.Element {
  const { total } = answer
  return (
    <p className="usage-sum">
      <b>{costText(total)}</b>
      <span>{counted(total.messages, 'message')}</span>
      <span title={`${count(tokensOf(total))} tokens`}>{shortCount(tokensOf(total))} tokens</span>
      <span>{shortCount(total.outputTokens)} of them output</span>
      <span>{counted(total.sessions, 'session')}</span>
    </p>
  )
}

interface ChartProps {
  readonly answer: UsageAnswer
  readonly view: UsageView
  readonly unit: TimeUnit
  readonly nowMs: number
  readonly onChange: (more: Partial<UsageView>) => void
}

function Chart({ answer, view, unit, nowMs, onChange }: ChartProps): JSX.Element {
  const { since, until, measure, range } = view
  const { rows, timeZone } = answer
  const today = range === 'all' || range === 'custom' ? until : dayIn(timeZone, nowMs)
  const keys = useMemo(
    () =>
      keysBetween(
        unit,
        rows.map(({ key }) => key),
        since,
        today,
      ),
    [unit, rows, since, today],
  )
  return (
    <UsageChart {...{ rows, keys, unit, measure }} onChoose={(key) => onChange({ explained: { by: unit, key } })} />
  )
}

function Notes({ answer }: { readonly answer: UsageAnswer }): JSX.Element {
  return (
    <footer className="usage-notes">
      {answer.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>
        List prices of {answer.priceDate}, from{' '}
        <a href={answer.priceSource} target="_blank" rel="noopener noreferrer">
          {answer.priceSource.replace(/^https?:\/\//, '')}
        </a>
        . Days are those of {answer.timeZone}. A message counts once, however often it was written down.
      </p>
    </footer>
  )
}
