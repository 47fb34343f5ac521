// The virtual list of Rows. Those in and around the view are drawn one below the other; the rest is height.

import type { CSSProperties, JSX, ReactNode, RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ListPlace, Plan } from './plan.ts'
import { keyAt, placeAt } from './plan.ts'
import { usePrinting } from './printing.ts'
import type { InView, ListHandle } from './virtual-rows.ts'
import { useVirtualRows } from './virtual-rows.ts'

const PRINTED_MAX = 3_000

export function TalkList({
  plan,
  scroller,
  draw,
  onView,
  onReady,
}: {
  readonly plan: Plan
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly draw: (place: ListPlace) => ReactNode
  readonly onView: (view: InView) => void
  readonly onReady: (handle: ListHandle) => void
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const focused = useFocusedIndex(list)
  const isPrinting = usePrinting()
  const rows = useVirtualRows({ plan, scroller, list, onView })
  // Before anything is painted, so that who comes back sees no other place before.
  useLayoutEffect(() => onReady(rows.handle), [rows.handle, onReady])

  const [from, to] = isPrinting ? [0, Math.min(plan.count, PRINTED_MAX)] : [rows.from, rows.to]
  const kept = focused.current
  // The row that has the focus stays, wherever it is: who leaves it by scrolling can go on from there.
  const isKept = kept !== null && kept < plan.count && (kept < from || kept >= to)
  const drawPlace = (index: number, isAlone: boolean): ReactNode => {
    const place = placeAt(plan, index)
    if (place === null) return null
    return (
      <div
        key={keyAt(plan, index)}
        ref={rows.measure}
        data-index={index}
        className={`place depth-${Math.min(place.depth, 6)} ${isAlone ? 'is-alone' : ''}`}
        style={isAlone ? ({ '--top': `${rows.topOf(index)}px` } as CSSProperties) : undefined}
      >
        {draw(place)}
      </div>
    )
  }
  const drawn = Array.from({ length: Math.max(0, to - from) }, (_, offset) => drawPlace(from + offset, false))
  return (
    <div
      ref={list}
      className="rows"
      style={{ '--height': `${rows.height}px`, '--top': `${isPrinting ? 0 : rows.top}px` } as CSSProperties}
    >
      <div className="rows-space" />
      {/* In one list with the others, so that a row that leaves the view stays the same element. */}
      {!isKept ? drawn : kept < from ? [drawPlace(kept, true), ...drawn] : [...drawn, drawPlace(kept, true)]}
    </div>
  )
}

function useFocusedIndex(list: RefObject<HTMLDivElement | null>): RefObject<number | null> {
  const index = useRef<number | null>(null)
  useEffect(() => {
    const look = (): void => {
      const active = document.activeElement
      const place = list.current?.contains(active) ? active?.closest<HTMLElement>('[data-index]') : null
      index.current = place?.dataset['index'] === undefined ? null : Number(place.dataset['index'])
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [list])
  return index
}
