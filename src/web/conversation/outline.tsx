// The Turns, one line each, to jump by. The one that is read is marked; a rule stands where the client compacted.

import type { JSX, RefObject } from 'react'
import { memo, useEffect, useRef, useState } from 'react'
import type { TurnHead } from '../../server/api/conversation.ts'
import { counted } from '../parts/units.ts'
import { SCROLLS } from '../text/scrolls.ts'
import type { TurnStore } from './stores.ts'
import { useStoreChanges } from './stores.ts'
import { turnPlaceOf } from './turns.ts'
import { timeOf } from './words.ts'
import './outline.css'

/** All are of one height, so nothing has to be measured. */
const TURN_HEIGHT = 46
const BEYOND = 10

export const Outline = memo(function Outline({
  store,
  total: known,
  row,
  onJump,
}: {
  readonly store: TurnStore
  readonly total: number
  /** The first Row in view. */
  readonly row: number
  readonly onJump: (row: number) => void
}): JSX.Element {
  useStoreChanges(store)
  const scroller = useRef<HTMLDivElement>(null)
  const current = useTurnPlace(store, row)
  const total = Math.max(known, store.total())
  const { from, to } = useWindow(scroller, total)
  useEffect(() => store.want(from, to), [store, from, to])
  useEffect(() => {
    const element = scroller.current
    if (element === null || current === null) return
    const top = current * TURN_HEIGHT
    const isAbove = top < element.scrollTop
    if (!isAbove && top + TURN_HEIGHT <= element.scrollTop + element.clientHeight) return
    element.scrollTop = isAbove ? top - TURN_HEIGHT : top + TURN_HEIGHT * 2 - element.clientHeight
  }, [current])
  return (
    <nav className="outline" aria-label="Turns">
      <p className="outline-head">{counted(total, 'turn')}</p>
      <div className="outline-scroll" ref={scroller} {...SCROLLS}>
        <ol style={{ height: total * TURN_HEIGHT, paddingTop: from * TURN_HEIGHT }}>
          {[...Array(Math.max(0, to - from)).keys()].map((offset) => {
            const index = from + offset
            const turn = store.get(index)
            const before = index === 0 ? undefined : store.get(index - 1)
            const isOther = turn !== undefined && before !== undefined && turn.segment !== before.segment
            return (
              <li key={index} className={isOther ? 'opens-segment' : ''}>
                {turn === undefined ? null : <OutlineTurn turn={turn} isCurrent={index === current} onJump={onJump} />}
              </li>
            )
          })}
        </ol>
      </div>
    </nav>
  )
})

function useWindow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
): { readonly from: number; readonly to: number } {
  const [window, setWindow] = useState({ from: 0, to: 40 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = (): void => {
      const first = Math.floor(element.scrollTop / TURN_HEIGHT)
      const last = first + Math.ceil(element.clientHeight / TURN_HEIGHT)
      setWindow((old) =>
        old.from <= first && old.to >= last + 1 ? old : { from: Math.max(0, first - BEYOND), to: last + 1 + BEYOND },
      )
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  return { from: Math.min(window.from, total), to: Math.min(window.to, total) }
}

function OutlineTurn({
  turn,
  isCurrent,
  onJump,
}: {
  readonly turn: TurnHead
  readonly isCurrent: boolean
  readonly onJump: (row: number) => void
}): JSX.Element {
  return (
    <button
      type="button"
      className="outline-turn"
      aria-current={isCurrent ? 'location' : undefined}
      onClick={() => onJump(turn.row)}
    >
      <span className="outline-number">{turn.number}</span>
      <span className="outline-text" dir="auto">
        {turn.excerpt ?? '(no prompt)'}
      </span>
      <span className="outline-facts">
        {turn.startedMs === null ? '' : timeOf(turn.startedMs)}
        {turn.calls === 0 ? '' : ` · ${counted(turn.calls, 'call')}`}
        {turn.failures === 0 ? null : <span className="bad"> · {turn.failures} failed</span>}
      </span>
    </button>
  )
}

function useTurnPlace(store: TurnStore, row: number): number | null {
  const [place, setPlace] = useState<number | null>(null)
  useEffect(() => {
    let isLeft = false
    void turnPlaceOf(store, row).then((found) => {
      if (!isLeft) setPlace(found)
    })
    return () => {
      isLeft = true
    }
  }, [store, row])
  return place
}
