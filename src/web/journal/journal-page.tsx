// The notebook by day: what was asked, changed, decided, what failed and what is open. Each line cites a record, and the
// citation leads there.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useCallback, useEffect } from 'react'
import { Link, useParams } from 'wouter'
import type { JournalDay, JournalDays } from '../../server/api/journal.ts'
import { ask } from '../ask.ts'
import { isDay } from '../parts/days.ts'
import { useScrollMemory } from '../parts/scroll.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Markdown } from '../text/markdown.tsx'
import { DayList } from './day-list.tsx'
import { longDay } from './long-day.ts'
import './journal-page.css'

export function JournalPage(): JSX.Element {
  const { day: asked } = useParams<{ readonly day?: string }>()
  const days = useQuery({
    queryKey: ['journal', 'days'],
    queryFn: ({ signal }) => ask<JournalDays>('journal/days', signal),
    // The index knows the days, and it may still be made.
    refetchInterval: ({ state }) => (state.data?.days.length === 0 ? 3000 : false),
  })
  const known = days.data?.days ?? []
  const day = asked !== undefined && isDay(asked) ? asked : (known[0]?.day ?? null)
  if (days.data === undefined && days.error !== null)
    return <Failed error={days.error} onRetry={() => void days.refetch()} />
  if (days.data === undefined) return <Loading what="Opening the notebook" />
  if (day === null)
    return (
      <Empty title="The notebook is empty">
        <p>A day gets a page as soon as something was asked on it.</p>
      </Empty>
    )
  return (
    <div className="page journal">
      <DayList days={known} chosen={day} />
      <DayPage key={day} day={day} />
    </div>
  )
}

function DayPage({ day }: { readonly day: string }): JSX.Element {
  const {
    data: page,
    error,
    refetch,
  } = useQuery({
    queryKey: ['journal', 'day', day],
    queryFn: ({ signal }) => ask<JournalDay>(`journal?date=${day}`, signal),
  })
  useScrollMemory(`journal ${day}`, page !== undefined)
  useEffect(() => {
    document.title = `${longDay(day)} · Clew`
  }, [day])
  const citations = page?.citations
  const codeHref = useCallback((code: string) => hrefOf(citations, code), [citations])
  return (
    <article className="journal-day">
      <header className="journal-head">
        <h1>{longDay(day)}</h1>
        <nav className="journal-turn" aria-label="Other days">
          <DayLink day={page?.before ?? null} name="Earlier day" sign="←" />
          <DayLink day={page?.after ?? null} name="Later day" sign="→" />
        </nav>
      </header>
      {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {page === undefined && error === null ? <Loading what="Reading what happened" /> : null}
      {page?.markdown === '' ? (
        <Empty title="Nothing to tell of this day">
          <p>Sessions of programs, and questions that were answered in a moment, get no page.</p>
        </Empty>
      ) : null}
      {sectionsOf(page?.markdown ?? '').map((section) => (
        <Markdown key={section} text={section} headingsBelow={0} codeHref={codeHref} />
      ))}
    </article>
  )
}

function DayLink({
  day,
  name,
  sign,
}: {
  readonly day: string | null
  readonly name: string
  readonly sign: string
}): JSX.Element {
  const title = day === null ? name : `${name}: ${longDay(day)}`
  if (day === null)
    return (
      <span className="button square disabled" aria-hidden="true">
        {sign}
      </span>
    )
  return (
    <Link href={`/journal/${day}`} className="button square" aria-label={title} title={title}>
      {sign}
    </Link>
  )
}

/** By project, because a busy day is more than is parsed at once. The date is the heading of the page already. */
function sectionsOf(markdown: string): readonly string[] {
  return markdown
    .replace(/^# .*\n+/, '')
    .split(/\n(?=## )/)
    .filter((section) => section.trim() !== '')
}

function hrefOf(citations: JournalDay['citations'] | undefined, code: string): string | null {
  const place = citations !== undefined && Object.hasOwn(citations, code) ? citations[code] : undefined
  if (place === undefined) return null
  const agent = place.agentId === null ? '' : `/${encodeURIComponent(place.agentId)}`
  const record = place.record === null ? '' : `#${place.record}`
  return `/c/${encodeURIComponent(place.id)}${agent}${record}`
}
