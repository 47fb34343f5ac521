// Where a page begins when one comes to it: at its top on a new visit, where it was left on the way back. The browser
// cannot do that by itself, because a page is empty until its answer has come.

import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'

const left = new Map<string, number>()
let wentBackAtMs = Number.NEGATIVE_INFINITY

if (typeof window !== 'undefined') {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    wentBackAtMs = performance.now()
  })
}

/** For the frame: a new page begins at its top and is what the keyboard is in. */
export function useArrival(): void {
  const [path] = useLocation()
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    if (isWayBack()) return
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path])
}

/** For a page: goes back to where it was left as soon as it is ready. */
export function useScrollMemory(name: string, isReady: boolean): void {
  useLayoutEffect(() => {
    if (!isReady) return
    if (isWayBack()) scrollTo(0, left.get(name) ?? 0)
    const keep = (): void => void left.set(name, scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [name, isReady])
}

/** Whether the page was just come back to. */
export function isWayBack(): boolean {
  return performance.now() - wentBackAtMs < 1500
}
