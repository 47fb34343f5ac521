// Going to a Row: its window is fetched first, so that the place is right at once, then it is scrolled to and focused.

import type { RefObject } from 'react'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { OpenAgents } from './open-agents.ts'
import type { Plan } from './plan.ts'
import { indexOf } from './plan.ts'
import type { RowStore } from './stores.ts'
import type { ListHandle } from './virtual-rows.ts'

export interface JumpTarget {
  readonly owner: string
  readonly row: number
  /** Whether it is marked as what was looked for. */
  readonly isTarget: boolean
  /** For who was there before: how much of it was above the view. The focus stays where it is. */
  readonly offset?: number
  /** Nothing is shown yet: better to wait for its Row there than somewhere else. */
  readonly isFirst?: boolean
}

export interface Jump {
  readonly to: (target: JumpTarget) => void
  /** Whoever asked for it wants to read on there; a conversation that grows leaves the focus alone. */
  readonly toEnd: (takesFocus: boolean) => void
  readonly target: JumpTarget | null
}

export function useJump({
  plan,
  handle,
  scroller,
  stores,
  openAgents,
  setAround,
}: {
  readonly plan: Plan
  readonly handle: ListHandle | null
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly stores: { readonly rows: RowStore }
  readonly openAgents: OpenAgents
  readonly setAround: (row: number) => void
}): Jump {
  const [target, setTarget] = useState<JumpTarget | null>(null)
  const [wanted, setWanted] = useState<(JumpTarget & { readonly isEnd: boolean; readonly takesFocus: boolean }) | null>(
    null,
  )
  const latest = useRef({ stores, openAgents })
  latest.current = { stores, openAgents }

  const to = useCallback((next: JumpTarget): void => {
    const { stores: now, openAgents: open } = latest.current
    const store = next.owner === '' ? now.rows : open.storeOf(next.owner)
    const go = (): void => {
      setTarget(next.isTarget ? next : null)
      setWanted({ ...next, isEnd: false, takesFocus: next.offset === undefined })
    }
    if (next.isFirst === true) go()
    void store?.load(next.row).then(go)
  }, [])
  const toEnd = useCallback((takesFocus: boolean): void => {
    const { rows } = latest.current.stores
    const row = Math.max(0, rows.total() - 1)
    void rows.load(row).then(() => setWanted({ owner: '', row, isTarget: false, isEnd: true, takesFocus }))
  }, [])

  // After the list is laid out with the place in it.
  useLayoutEffect(() => {
    if (wanted === null || handle === null) return
    const index = indexOf(plan, wanted.owner, wanted.row)
    if (index === null) {
      if (wanted.owner === '') setAround(wanted.row)
      return
    }
    setWanted(null)
    const { isEnd, offset } = wanted
    handle.scrollTo(index, isEnd ? 'end' : 'start', isEnd ? { holdMs: END_MS } : offset === undefined ? {} : { offset })
    if (wanted.takesFocus) focusSoon(scroller, wanted)
  }, [wanted, plan, handle, scroller, setAround])

  return useMemo(() => ({ to, toEnd, target }), [to, toEnd, target])
}

const FRAMES_MAX = 30
/** So long the end is held: rows are measured and coloured a little later. */
const END_MS = 2_500

/** The row is drawn a frame or two later. */
function focusSoon(scroller: RefObject<HTMLDivElement | null>, { owner, row }: JumpTarget, frame = 0): void {
  const article = [...(scroller.current?.querySelectorAll<HTMLElement>(`[data-row="${row}"]`) ?? [])].find(
    (found) => found.dataset['owner'] === owner,
  )
  const active = document.activeElement
  const isElsewhere = active instanceof HTMLInputElement
  if (article !== undefined) {
    if (!isElsewhere) article.focus({ preventScroll: true })
  } else if (frame < FRAMES_MAX)
    requestAnimationFrame(() => focusSoon(scroller, { owner, row, isTarget: false }, frame + 1))
}
