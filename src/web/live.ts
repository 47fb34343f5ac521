// What the server tells on its own: one stream for the whole page, whatever listens to it. A browser holds few
// connections to one server, so a tab that nobody looks at gives its own back after a while. Whoever listens is told
// when something may have been missed.

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveMessage } from '../server/api/live.ts'

/** `lost`: the server does not answer. `refused`: it answers, but not to this page. */
export type Connection = 'opening' | 'open' | 'lost' | 'refused'

interface Listener {
  readonly conversation: string | null
  readonly hear: (message: LiveMessage) => void
  readonly missed: () => void
}

const HIDDEN_MS = 20_000
const AGAIN_MS = 3000
/** A server that is back at once was never gone. */
const LOST_MS = 1500

const listeners = new Set<Listener>()
const watchers = new Set<() => void>()
let stream: { readonly source: EventSource; readonly conversation: string | null } | null = null
let connection: Connection = 'opening'
/** Something may have been told that nobody heard. */
let mayMiss = false
const timers: Record<'settle' | 'hide' | 'lose', ReturnType<typeof setTimeout> | undefined> = {
  settle: undefined,
  hide: undefined,
  lose: undefined,
}

/** Hears everything while it is mounted, and the growth of one conversation where one is named. */
export function useLive(
  conversation: string | null,
  onMessage: (message: LiveMessage) => void,
  onMissed?: () => void,
): void {
  const latest = useRef({ onMessage, onMissed })
  latest.current = { onMessage, onMissed }
  useEffect(() => {
    const listener: Listener = {
      conversation,
      hear: (message) => latest.current.onMessage(message),
      missed: () => latest.current.onMissed?.(),
    }
    listeners.add(listener)
    settleSoon()
    return () => {
      listeners.delete(listener)
      settleSoon()
    }
  }, [conversation])
}

export function useConnection(): Connection {
  return useSyncExternalStore(watch, () => connection)
}

/** Pages come and go in one breath: what is wanted is looked at when they have settled. */
function settleSoon(after = 0): void {
  clearTimeout(timers.settle)
  timers.settle = setTimeout(settle, after)
}

function settle(): void {
  const conversation = [...listeners].findLast((listener) => listener.conversation !== null)?.conversation ?? null
  if (listeners.size === 0 || document.visibilityState === 'hidden') return
  if (stream !== null && stream.conversation === conversation && stream.source.readyState !== EventSource.CLOSED) return
  open(conversation)
}

function open(conversation: string | null): void {
  const before = stream
  const query = conversation === null ? '' : `?conversation=${encodeURIComponent(conversation)}`
  const source = new EventSource(`/api/live${query}`)
  stream = { source, conversation }
  source.onopen = () => {
    before?.source.close()
    if (mayMiss) for (const { missed } of listeners) missed()
    mayMiss = false
    change('open')
  }
  source.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as LiveMessage
    for (const { hear } of listeners) hear(message)
  }
  source.onerror = () => {
    before?.source.close()
    if (stream?.source !== source) return
    mayMiss = true
    // The browser tries again by itself unless the server has refused.
    if (source.readyState === EventSource.CLOSED) settleSoon(AGAIN_MS)
    // From the first failure on: it may try again more often than that.
    timers.lose ??= setTimeout(lose, LOST_MS)
  }
}

function lose(): void {
  change(stream?.source.readyState === EventSource.CLOSED ? 'refused' : 'lost')
}

function change(next: Connection): void {
  clearTimeout(timers.lose)
  timers.lose = undefined
  if (connection === next) return
  connection = next
  for (const tell of watchers) tell()
}

function watch(tell: () => void): () => void {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

if (typeof document !== 'undefined')
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timers.hide)
    if (document.visibilityState === 'visible') settleSoon()
    else timers.hide = setTimeout(rest, HIDDEN_MS)
  })

function rest(): void {
  stream?.source.close()
  stream = null
  mayMiss = true
  change('opening')
}
