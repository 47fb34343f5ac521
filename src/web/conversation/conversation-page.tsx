// The page of one conversation, or of one of its Subagents: asks what it is and where to begin, then shows it.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import type { ConversationHead, Place, ReadingHead, SubagentHead } from '../../server/api/conversation.ts'
import { ask } from '../ask.ts'
import { visitNumber } from '../parts/scroll.ts'
import { Failed } from '../parts/states.tsx'
import { useTitle } from '../parts/title.ts'
import type { Choice } from './address.ts'
import { apiOf, inAddress, pageOf, parseAddress, recordOf, WHOLE } from './address.ts'
import { GoneTalk, isUnreadable } from './gone-talk.tsx'
import type { BeginPlace } from './left-place.ts'
import { useComing } from './left-place.ts'
import { Skeleton } from './skeleton.tsx'
import { TalkView } from './talk-view.tsx'
import './conversation.css'
import './rows.css'

export function ConversationPage(): JSX.Element {
  const { id = '', agent } = useParams()
  const search = useSearch()
  const { choice, words } = useMemo(() => parseAddress(id, agent, search), [id, agent, search])
  const head = useQuery({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => ask<ConversationHead>(`conversations/${inAddress(id)}`, signal),
  })
  const isGone = head.data !== undefined && isUnreadable(head.data)
  const reading = useReading(id, choice, isGone ? undefined : head.data)
  const agents = useQuery({
    queryKey: ['agents', id],
    queryFn: ({ signal }) => ask<readonly SubagentHead[]>(apiOf(id, 'agents', WHOLE), signal),
    enabled: head.data !== undefined && !isGone,
  })
  const begin = useBeginning(id, choice, reading.data, words)
  const key = JSON.stringify([id, choice])
  useFocusKept(key)
  useTitle(head.data?.row.title ?? null)

  if (head.data !== undefined && isGone) return <GoneTalk head={head.data} />
  const error = head.error ?? reading.error
  // What is being read stays when asking for it once more fails: the next change asks again.
  if (error !== null && (head.data === undefined || reading.data === undefined))
    return (
      <Failed
        error={error}
        onRetry={() => {
          void head.refetch()
          void reading.refetch()
        }}
      >
        <p>
          The link may have been cut short, or be of another machine or another root.{' '}
          <Link href="/">Look for it among all conversations</Link>, or press <kbd>Ctrl</kbd> <kbd>K</kbd> to search
          what was said.
        </p>
      </Failed>
    )
  if (head.data === undefined || reading.data === undefined || begin.isWaiting) return <Skeleton />
  return (
    <TalkView
      key={key}
      id={id}
      choice={choice}
      head={head.data}
      reading={reading.data}
      agents={agents.data ?? []}
      address={begin.address}
      begin={begin.place}
      isLost={begin.isLost}
      words={words}
      onStale={() => {
        void head.refetch()
        void reading.refetch()
        void agents.refetch()
      }}
    />
  )
}

function useReading(id: string, choice: Choice, head: ConversationHead | undefined) {
  const path = apiOf(id, 'reading', choice)
  // The head comes with the reading that is wanted most often.
  const isUsual = choice.reading === 'full' && choice.branch === null && choice.agent === null
  return useQuery({
    queryKey: ['reading', path],
    queryFn: ({ signal }) => ask<ReadingHead>(path, signal),
    enabled: head !== undefined,
    ...(isUsual && head !== undefined ? { initialData: head.reading } : {}),
  })
}

interface Beginning {
  /** What is read, and the record that it was gone to, if any. */
  readonly address: string
  readonly place: BeginPlace | null
  readonly isWaiting: boolean
  /** The address names a record that is not in this conversation. */
  readonly isLost: boolean
}

/** Where the address leads to. When that is on another Branch or in a Subagent, the address becomes that one's. */
function useBeginning(id: string, choice: Choice, reading: ReadingHead | undefined, words: string): Beginning {
  const [, navigate] = useLocation()
  const named = recordOf(useSyncExternalStore(hearMoves, () => window.location.hash))
  const address = pageOf(id, choice, named)
  const came = useComing(address, useSyncExternalStore(hearMoves, visitNumber))
  const record = came.left?.record ?? named
  const path = apiOf(id, 'place', choice, { record })
  const place = useQuery({
    queryKey: ['place', path, reading?.version],
    queryFn: ({ signal }) => ask<Place>(path, signal),
    enabled: record !== null && reading !== undefined,
    retry: false,
  })
  const hasBegun = useRef(false)
  const found = record === null ? undefined : place.data
  const isElsewhere = found !== undefined && reading !== undefined && !isSame(found, choice, reading)
  useEffect(() => {
    if (!isElsewhere || found === undefined) return
    const { reading: kind, branch, agent, at } = found
    navigate(pageOf(id, { reading: kind, branch, agent, at }, record, words), { replace: true })
  }, [isElsewhere, found, navigate, id, record, words])
  const isWaiting = record !== null && (place.isPending || isElsewhere) && !hasBegun.current
  if (!isWaiting && reading !== undefined) hasBegun.current = true
  const begin = useMemo(
    () => (isElsewhere || found === undefined ? null : { ...found, visit: came.visit, offset: came.left?.top ?? null }),
    [isElsewhere, found, came],
  )
  return { address, place: begin, isWaiting, isLost: came.left === null && record !== null && place.isError }
}

/** Another branch or reading takes what had the focus with it. */
function useFocusKept(key: string): void {
  const before = useRef(key)
  useEffect(() => {
    if (before.current === key) return
    before.current = key
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [key])
}

function isSame(place: Place, choice: Choice, reading: ReadingHead): boolean {
  return place.agent === choice.agent && place.branch === reading.branch && place.reading === choice.reading
}

/** The browser tells of some of these, the router of the others. */
const MOVES = ['hashchange', 'popstate', 'pushState', 'replaceState'] as const

function hearMoves(hear: () => void): () => void {
  for (const move of MOVES) window.addEventListener(move, hear)
  return () => {
    for (const move of MOVES) window.removeEventListener(move, hear)
  }
}
