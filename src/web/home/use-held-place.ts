// Holds what the reader looks at in its place. Rows that appear above it push the page, so the page is scrolled by as
// much; when the reader asks for something else, the list begins at its top, unless it is come back to.

import { useLayoutEffect, useRef } from 'react'
import { isWayBack } from '../parts/scroll.ts'
import type { ListLine } from './group-rows.ts'
import type { Heights } from './list-place.ts'

export interface HeldPlace {
  readonly lines: readonly ListLine[]
  readonly heights: Heights
  readonly top: number
  readonly asked: string
}

export function useHeldPlace(now: HeldPlace): void {
  const before = useRef(now)
  useLayoutEffect(() => {
    const last = before.current
    before.current = now
    if (last.lines === now.lines || last.heights !== now.heights) return
    const seen = scrollY + now.heights.above - last.top
    if (last.asked !== now.asked) {
      if (seen > 0 && !isWayBack()) scrollTo(0, now.top - now.heights.above)
    } else if (seen > 0) {
      const shift = shiftOf(last, now, seen)
      if (shift !== 0) scrollBy(0, shift)
    }
  })
}

/** How far the first line in sight that is still there has moved. */
function shiftOf(last: HeldPlace, now: HeldPlace, seen: number): number {
  const starts = new Map<string, number>()
  let start = 0
  for (const line of now.lines) {
    starts.set(line.key, start)
    start += heightOf(line, now.heights)
  }
  let old = 0
  for (const line of last.lines) {
    const height = heightOf(line, last.heights)
    const found = old + height > seen && line.kind === 'row' ? starts.get(line.key) : undefined
    if (found !== undefined) return found - old
    old += height
  }
  return 0
}

function heightOf(line: ListLine, heights: Heights): number {
  return line.kind === 'group' ? heights.group : heights.row
}
