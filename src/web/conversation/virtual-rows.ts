// Which rows of the list are drawn, and what keeps the view still while they are measured. The first row in view is the
// anchor: whatever changes above it, it stays where it is. A jump holds its target in the same way until it has settled.

import type { RefObject } from 'react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react'
import { newHeights } from './heights.ts'
import type { ListPlace, Plan } from './plan.ts'
import { indexOf, keyAt, placeAt } from './plan.ts'

export interface InView {
  readonly first: ListPlace
  /** How much of it is above the view. */
  readonly offset: number
  /** The places that are drawn. */
  readonly from: number
  readonly to: number
  readonly isAtEnd: boolean
}

export interface ListHandle {
  /** Goes there and stays there for a while, unless the reader moves. */
  readonly scrollTo: (index: number, align: 'start' | 'end', options?: { holdMs?: number; offset?: number }) => void
  /** As it is at this moment, which nobody is told of while only the offset changes. */
  readonly inView: () => InView | null
}

export interface VirtualRows {
  readonly from: number
  readonly to: number
  readonly top: number
  readonly height: number
  readonly topOf: (index: number) => number
  readonly measure: (element: HTMLElement | null) => (() => void) | undefined
  readonly handle: ListHandle
}

/** The same for all: a guess that changes when a row comes would move what is read. */
const UNMEASURED = 72
/** So much is drawn above and below the view, and drawn anew when less than a third of it is left. */
const BEYOND = 700
const HOLD_MS = 700
const BELOW = 120
const LETTING_GO = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const

export function useVirtualRows({
  plan,
  scroller,
  list,
  onView,
}: {
  readonly plan: Plan
  readonly scroller: RefObject<HTMLElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly onView: (view: InView) => void
}): VirtualRows {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const measured = useRef(new Map<string | number, number>())
  const heights = useMemo(
    () => newHeights(plan.count, (index) => measured.current.get(keyAt(plan, index)) ?? UNMEASURED),
    [plan],
  )
  const state = useRef({
    from: 0,
    /** As it stands in the page, which may not yet be what is wanted. */
    drawnFrom: 0,
    to: Math.min(plan.count, 20),
    anchor: { place: placeAt(plan, 0), delta: 0 },
    pin: null as {
      readonly index: number
      readonly align: 'start' | 'end'
      readonly untilMs: number
      readonly offset: number
    } | null,
    margin: 0,
    viewHeight: 800,
    seen: '',
    inView: null as InView | null,
  }).current
  const latest = useRef({ plan, heights, onView })
  latest.current = { plan, heights, onView }

  /** After a scroll: what is in view, and what must be drawn for it. */
  const look = useCallback((): void => {
    const element = scroller.current
    if (element === null) return
    const now = latest.current
    const top = element.scrollTop - state.margin
    const bottom = top + state.viewHeight
    const index = now.heights.indexAt(Math.max(0, top))
    state.anchor = { place: placeAt(now.plan, index), delta: top - now.heights.topOf(index) }
    const [needFrom, needTo] = [now.heights.indexAt(top - BEYOND / 3), now.heights.indexAt(bottom + BEYOND / 3)]
    if (needFrom < state.from || needTo >= state.to || state.to > now.plan.count) {
      state.from = now.heights.indexAt(top - BEYOND)
      state.to = Math.min(now.plan.count, now.heights.indexAt(bottom + BEYOND) + 1)
      draw()
    }
    const firstIndex = now.heights.indexAt(Math.max(0, top + 40))
    const first = placeAt(now.plan, firstIndex)
    const isAtEnd = bottom > now.heights.total() + BELOW - 160
    const seen = `${first?.owner} ${first?.row} ${state.from} ${state.to} ${isAtEnd} ${now.plan.count}`
    if (first === null) return
    state.inView = { first, offset: top - now.heights.topOf(firstIndex), from: state.from, to: state.to, isAtEnd }
    if (seen === state.seen) return
    state.seen = seen
    now.onView(state.inView)
  }, [scroller, state])

  /** After heights have changed: the anchor, or what was jumped to, goes back to its place before anything is painted. */
  const settle = useCallback((): void => {
    const element = scroller.current
    const inner = list.current
    if (element === null || inner === null) return
    const now = latest.current
    const total = now.heights.total() + BELOW
    inner.style.setProperty('--height', `${total}px`)
    inner.style.setProperty('--top', `${now.heights.topOf(state.drawnFrom)}px`)
    if (state.pin !== null && performance.now() > state.pin.untilMs) state.pin = null
    const { place, delta } = state.anchor
    const anchor = place === null ? null : indexOf(now.plan, place.owner, place.row)
    const target =
      state.pin === null
        ? anchor === null
          ? element.scrollTop
          : state.margin + now.heights.topOf(anchor) + delta
        : state.pin.align === 'end'
          ? state.margin + total - state.viewHeight
          : state.margin +
            now.heights.topOf(state.pin.index) +
            reachable(state.pin.offset, now.heights.heightOf(state.pin.index), state.viewHeight)
    if (Math.abs(element.scrollTop - target) > 0.5) element.scrollTop = target
    look()
  }, [scroller, list, state, look])

  const observer = useMemo(
    () =>
      typeof ResizeObserver === 'undefined'
        ? null
        : new ResizeObserver((changes) => {
            let isOther = false
            for (const { target, borderBoxSize } of changes) {
              const index = Number((target as HTMLElement).dataset['index'])
              const height = borderBoxSize[0]?.blockSize ?? 0
              if (!target.isConnected || height === 0) continue
              measured.current.set(keyAt(latest.current.plan, index), height)
              if (latest.current.heights.set(index, height)) isOther = true
            }
            if (isOther) settle()
          }),
    [settle],
  )
  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || observer === null) return undefined
      observer.observe(element)
      return () => observer.unobserve(element)
    },
    [observer],
  )

  const to = Math.min(state.to, plan.count)
  const from = Math.min(state.from, to)
  useLayoutEffect(() => {
    state.drawnFrom = from
  })
  useFrame({ scroller, list, state, look, settle })
  // Other rows are in the list: the anchor is where it was, wherever that is now.
  useLayoutEffect(() => {
    void heights
    state.seen = ''
    settle()
  }, [heights, settle, state])

  const handle = useMemo(
    (): ListHandle => ({
      scrollTo: (index, align, { holdMs = HOLD_MS, offset = -12 } = {}) => {
        state.pin = { index, align, untilMs: performance.now() + holdMs, offset }
        settle()
      },
      inView: () => state.inView,
    }),
    [settle, state],
  )
  return {
    from,
    to,
    top: heights.topOf(from),
    height: heights.total() + BELOW,
    topOf: heights.topOf,
    measure,
    handle,
  }
}

/** A row that was unfolded when it was left, or is not measured yet, is not so high: its end then, so that it is drawn. */
function reachable(offset: number, height: number, viewHeight: number): number {
  return offset < height ? offset : Math.max(0, height - viewHeight / 2)
}

/** What is scrolled, how high it is, and how much stands above the list in it. */
function useFrame({
  scroller,
  list,
  state,
  look,
  settle,
}: {
  readonly scroller: RefObject<HTMLElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly state: { margin: number; viewHeight: number; pin: unknown }
  readonly look: () => void
  readonly settle: () => void
}): void {
  // What is scrolled is around the list, and there only after the list is.
  useEffect(() => {
    const element = scroller.current
    const inner = list.current
    if (element === null || inner === null) return
    const refit = (): void => {
      const above = inner.getBoundingClientRect().top - element.getBoundingClientRect().top
      // Who has not scrolled past what stands above the list stays at the top, however high that becomes.
      const isAtTop = element.scrollTop <= state.margin
      state.margin = Math.round(above + element.scrollTop)
      state.viewHeight = element.clientHeight
      if (isAtTop) look()
      settle()
    }
    refit()
    const observer = new ResizeObserver(refit)
    observer.observe(element)
    for (const sibling of element.children) if (sibling !== inner) observer.observe(sibling)
    return () => observer.disconnect()
  }, [scroller, list, state, look, settle])

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const letGo = (): void => {
      state.pin = null
    }
    element.addEventListener('scroll', look, { passive: true })
    for (const name of LETTING_GO) element.addEventListener(name, letGo, { passive: true })
    return () => {
      element.removeEventListener('scroll', look)
      for (const name of LETTING_GO) element.removeEventListener(name, letGo)
    }
  }, [scroller, state, look])
}
