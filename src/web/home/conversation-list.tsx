// The list itself. Only what can be seen is in the page; a heading stays on top while its rows go by. Rows have one
// height, so where a row stands is known without looking, and what the reader looks at is held in its place when rows
// come or go above it.

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { JSX } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Activity } from '../../server/api/home.ts'
import { useNowMs } from '../parts/now.ts'
import { isWayBack } from '../parts/scroll.ts'
import { useShortcuts } from '../parts/shortcuts.ts'
import { ConversationRow } from './conversation-row.tsx'
import { GroupHeading } from './group-heading.tsx'
import type { ListLine } from './group-rows.ts'
import { useHeights, useTopOf } from './list-place.ts'
import { useHeldPlace } from './use-held-place.ts'
import type { HomeView } from './view.ts'
import './conversation-list.css'

export interface ConversationListProps {
  readonly lines: readonly ListLine[]
  readonly rowCount: number
  readonly asked: string
  readonly view: HomeView
  readonly activity: Activity | null
  readonly timeZone: string
  readonly onFold: (path: string) => void
  readonly onProject: (path: string) => void
}

/** The row that was last chosen, for when one comes back to the list. */
let lastActive: string | null = null

export function ConversationList(props: ConversationListProps): JSX.Element {
  const { lines, rowCount, asked, view, activity, timeZone, onFold, onProject } = props
  const [, go] = useLocation()
  const list = useRef<HTMLUListElement>(null)
  const nowMs = useNowMs()
  const heights = useHeights()
  const top = useTopOf(list)
  const [active, setActive] = useState(() => (isWayBack() ? lastActive : null))
  const activeIndex = useMemo(() => lines.findIndex(({ key }) => key === active), [lines, active])
  const headings = useMemo(() => lines.flatMap(({ kind }, index) => (kind === 'group' ? [index] : [])), [lines])
  const above = useRef(-1)
  const margin = top - heights.above

  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? heights.group : heights.row),
    // Another function whenever places change: that is how it is told to count anew.
    getItemKey: useCallback((index: number) => `${heights.row} ${lines[index]?.key}`, [lines, heights.row]),
    overscan: 10,
    // The window begins below what covers its top: the heading that is held belongs to the first row below that.
    scrollMargin: margin,
    scrollPaddingStart: headings.length > 0 ? heights.group : 0,
    scrollPaddingEnd: heights.above + 16,
    rangeExtractor: (range) => {
      above.current = headings.findLast((index) => index <= range.startIndex) ?? -1
      const wanted = new Set([above.current, activeIndex, ...defaultRangeExtractor(range)])
      wanted.delete(-1)
      return [...wanted].sort((one, other) => one - other)
    },
  })
  useHeldPlace({ lines, heights, top, asked })

  const move = (step: 1 | -1): void => {
    let index = activeIndex === -1 ? firstSeen(lines, virtualizer.range?.startIndex ?? 0, step) : activeIndex + step
    while (lines[index]?.kind === 'group') index += step
    const line = lines[index]
    if (line === undefined) return
    setActive(line.key)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    focusSoon(list, line.key)
  }
  useEffect(() => {
    lastActive = active
  }, [active])
  // One comes back to the row one left by.
  const first = useRef(active)
  useEffect(() => {
    if (first.current !== null) focusSoon(list, first.current)
  }, [])
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    // With the focus on a row the browser opens it itself.
    enter: () => (active !== null && document.activeElement === document.body ? go(`/c/${active}`) : false),
  })

  return (
    <ul
      ref={list}
      className={view.scope === 'none' ? 'conversations plain' : 'conversations'}
      aria-label="Conversations"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start, size }) => {
        const line = lines[index]
        if (line === undefined) return null
        const isAbove = index === above.current
        const place = isAbove ? { height: size } : { height: size, transform: `translateY(${start - margin}px)` }
        return line.kind === 'group' ? (
          <li key={line.key} className={isAbove ? 'line held' : 'line'} style={place}>
            <GroupHeading line={line} activity={activity} view={view} onFold={onFold} onProject={onProject} />
          </li>
        ) : (
          <li key={line.key} className="line" style={place} aria-setsize={rowCount} aria-posinset={line.place}>
            <ConversationRow
              row={line.row}
              costUsd={activity === null ? undefined : (activity.sessions[line.key]?.costUsd ?? null)}
              scope={view.scope}
              nowMs={nowMs}
              timeZone={timeZone}
              onFocus={setActive}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** The first row that is in sight, when no row was chosen yet. */
function firstSeen(lines: readonly ListLine[], index: number, step: 1 | -1): number {
  return step === 1 ? Math.max(0, index) : Math.min(lines.length - 1, index)
}

/** The row may have to be drawn first. */
function focusSoon(list: { readonly current: HTMLElement | null }, id: string, tries = 4): void {
  requestAnimationFrame(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
    if (row !== null && row !== undefined) row.focus({ preventScroll: true })
    else if (tries > 0) focusSoon(list, id, tries - 1)
  })
}
