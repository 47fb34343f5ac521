// Where a page begins when one comes to it: at its top on a new visit, where it was left on the way back. The browser
// cannot do that by itself, because a page is empty until its answer has come.

import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'

export interface LeftPlace {
  /** How far it was scrolled: from the top of the page, or of the record where one is named. */
  readonly top: number
  readonly record: string | null
}

const KEY = 'clew-places'
const left = new Map<string, LeftPlace>()
/** Asked once more at the end: a page may go before it is told that it was scrolled. */
const keepers = new Set<() => void>()
let wentBackAtMs = Number.NEGATIVE_INFINITY
let visits = 0

if (typeof window !== 'undefined') {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    wentBackAtMs = performance.now()
    visits++
  })
  // Told by the router: whoever goes on is not on the way back any more.
  addEventListener('pushState', () => {
    wentBackAtMs = Number.NEGATIVE_INFINITY
    visits++
  })
  // A page that is loaded anew is come back to as well.
  addEventListener('pagehide', () => {
    for (const keep of keepers) keep()
    sessionStorage.setItem(KEY, JSON.stringify([...left]))
  })
  if (isLoadedAnew()) {
    wentBackAtMs = performance.now()
    for (const [name, place] of JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, LeftPlace][])
      left.set(name, place)
  }
}

function isLoadedAnew(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  const type = entry instanceof PerformanceNavigationTiming ? entry.type : 'navigate'
  return type === 'reload' || type === 'back_forward'
}

export function leavePlace(name: string, place: LeftPlace): void {
  left.set(name, place)
}

export function forgetPlace(name: string): void {
  left.delete(name)
}

export function isPlaceKept(name: string): boolean {
  return left.has(name)
}

/** Another number whenever somebody has gone somewhere, be it to where they are. */
export function visitNumber(): number {
  return visits
}

/** Where a page that was just come back to was left. */
export function placeToReturnTo(name: string): LeftPlace | null {
  return isWayBack() ? (left.get(name) ?? null) : null
}

/** For the frame: another page is what the keyboard is in, and a new one begins at its top. */
export function useArrival(): void {
  const [path] = useLocation()
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    if (!isWayBack()) scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path])
}

/** For a page: goes back to where it was left as soon as it is ready, however long that takes. */
export function useScrollMemory(name: string, isReady: boolean): void {
  const top = useMemo(() => (isWayBack() ? (left.get(name)?.top ?? 0) : null), [name])
  useLayoutEffect(() => {
    if (!isReady) return
    if (top !== null) scrollTo(0, top)
    const keep = (): void => leavePlace(name, { top: scrollY, record: null })
    keep()
    addEventListener('scroll', keep, { passive: true })
    keepers.add(keep)
    return () => {
      removeEventListener('scroll', keep)
      keepers.delete(keep)
    }
  }, [name, isReady, top])
}

/** Whether the page was just come back to. */
export function isWayBack(): boolean {
  return performance.now() - wentBackAtMs < 1500
}
