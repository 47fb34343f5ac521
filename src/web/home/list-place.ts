// Where the list stands in the page, and how high its lines are: the two things that its arithmetic rests on.

import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

export interface Heights {
  readonly row: number
  readonly group: number
  /** What covers the top of the window: the bar and the filter. */
  readonly above: number
}

/** The same numbers stand in conversation-list.css. */
const WIDE: Heights = { row: 58, group: 44, above: 104 }
const NARROW: Heights = { row: 86, group: 44, above: 104 }

export function useHeights(): Heights {
  const [isNarrow, setNarrow] = useState(() => narrow().matches)
  useLayoutEffect(() => {
    const query = narrow()
    const hear = (): void => setNarrow(query.matches)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  return isNarrow ? NARROW : WIDE
}

function narrow(): MediaQueryList {
  return matchMedia('(max-width: 820px)')
}

/** How far an element is from the top of the page, whatever is folded or unfolded above it. */
export function useTopOf(place: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = place.current
      if (element !== null) setTop(Math.round(element.getBoundingClientRect().top + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [place])
  return top
}
