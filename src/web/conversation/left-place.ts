// Where somebody left a conversation: the way back to it leads there again, and so does loading the page anew.

import type { RefObject } from 'react'
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import type { Place } from '../../server/api/conversation.ts'
import type { LeftPlace } from '../parts/scroll.ts'
import { forgetPlace, isPlaceKept, leavePlace, placeToReturnTo } from '../parts/scroll.ts'
import { recordName } from './row-menu.tsx'
import type { RowStore } from './stores.ts'
import type { ListHandle } from './virtual-rows.ts'

export interface BeginPlace extends Place {
  /** Who goes to the same record again wants to be there again. */
  readonly visit: number
  /** How much of it was above the view when the page was left there; null for the target of a link. */
  readonly offset: number | null
}

export interface Coming {
  readonly visit: number
  /** Null for who follows a link. */
  readonly left: LeftPlace | null
}

/** Each record that an address of this conversation names is a place of its own to go back and forth between. */
export function useComing(address: string, visit: number): Coming {
  const coming = useMemo(() => ({ visit, left: placeToReturnTo(address) }), [address, visit])
  // Whoever comes anew and does not scroll is not where an earlier visit ended.
  useLayoutEffect(() => {
    if (coming.left === null) forgetPlace(address)
  }, [address, coming])
  return coming
}

export function useLeaving({
  address,
  handle,
  scroller,
  rows,
  isRunning,
}: {
  readonly address: string
  readonly handle: ListHandle | null
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: RowStore
  readonly isRunning: boolean
}): void {
  const keep = useCallback((): void => {
    const seen = handle?.inView() ?? null
    if (seen === null || seen.first.owner !== '') return
    const first = rows.get(seen.first.row)
    // Who follows a running session wants its end, wherever that is by then.
    if (isRunning && seen.isAtEnd) forgetPlace(address)
    else if (first !== undefined) leavePlace(address, { record: recordName(first), top: seen.offset })
  }, [address, handle, rows, isRunning])
  useEffect(() => {
    const element = scroller.current
    element?.addEventListener('scroll', keep, { passive: true })
    return () => element?.removeEventListener('scroll', keep)
  }, [scroller, keep])
  // Where nobody has scrolled yet one is somewhere too.
  useEffect(() => {
    if (!isPlaceKept(address)) keep()
  })
}
