// Where somebody left a conversation: the way back to it leads there again, and so does loading the page anew.

import type { RefObject } from 'react'
import { useEffect, useMemo } from 'react'
import type { Place } from '../../server/api/conversation.ts'
import type { LeftPlace } from '../parts/scroll.ts'
import { forgetPlace, leavePlace, placeToReturnTo } from '../parts/scroll.ts'
import type { Choice } from './address.ts'
import { pageOf } from './address.ts'
import { recordName } from './row-menu.tsx'
import type { RowStore } from './stores.ts'
import type { ListHandle } from './virtual-rows.ts'

export interface BeginPlace extends Place {
  /** As the address or the memory names it. */
  readonly record: string
  /** How much of it was above the view when the page was left there; null for the target of a link. */
  readonly offset: number | null
}

/** Until the address names another record: that is where one wants to go then. */
export function useReturn(id: string, choice: Choice, hash: string): LeftPlace | null {
  const name = pageOf(id, choice)
  const came = useMemo(() => ({ place: placeToReturnTo(name), hash: window.location.hash }), [name])
  return came.hash === hash ? came.place : null
}

export function useLeaving({
  id,
  choice,
  handle,
  scroller,
  rows,
  isRunning,
}: {
  readonly id: string
  readonly choice: Choice
  readonly handle: ListHandle | null
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: RowStore
  readonly isRunning: boolean
}): void {
  useEffect(() => {
    const element = scroller.current
    const name = pageOf(id, choice)
    const keep = (): void => {
      const seen = handle?.inView() ?? null
      if (seen === null || seen.first.owner !== '') return
      const first = rows.get(seen.first.row)
      // Who follows a running session wants its end, wherever that is by then.
      if (isRunning && seen.isAtEnd) forgetPlace(name)
      else if (first !== undefined) leavePlace(name, { record: recordName(first), top: seen.offset })
    }
    element?.addEventListener('scroll', keep, { passive: true })
    return () => element?.removeEventListener('scroll', keep)
  }, [id, choice, handle, scroller, rows, isRunning])
}
