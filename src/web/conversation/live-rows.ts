// A conversation that grows while it is read: who is at its end stays at its end, who is not is not moved. When Rows have
// changed places, the record that was read is looked up again.

import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConversationHead, Place, ReadingHead } from '../../server/api/conversation.ts'
import { ask } from '../ask.ts'
import { useLive } from '../live.ts'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import type { Jump } from './jump.ts'
import { recordName } from './row-menu.tsx'
import type { RowStore, TurnStore } from './stores.ts'
import type { InView } from './virtual-rows.ts'

const STOPPING = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const

export function useLiveRows({
  id,
  choice,
  head,
  reading,
  stores,
  view,
  scroller,
  jump,
  onStale,
  hasBegin,
}: {
  readonly id: string
  readonly choice: Choice
  readonly head: ConversationHead
  readonly reading: ReadingHead
  readonly stores: { readonly rows: RowStore; readonly turns: TurnStore }
  readonly view: RefObject<InView | null>
  readonly scroller: RefObject<HTMLElement | null>
  readonly jump: Jump
  readonly onStale: () => void
  readonly hasBegin: boolean
}): { readonly newRows: number; readonly goToEnd: () => void; readonly stalled: string | null } {
  const queries = useQueryClient()
  const [seen, setSeen] = useState(reading.rows)
  const total = stores.rows.total()

  const following = useRef(false)
  const goToEnd = useCallback(() => {
    following.current = true
    jump.toEnd(false)
  }, [jump.toEnd])

  const isRunning = head.row.running !== null
  const beginsAtEnd = useRef(isRunning && !hasBegin && choice.at === null)
  useEffect(() => {
    if (beginsAtEnd.current) goToEnd()
    beginsAtEnd.current = false
  }, [goToEnd])

  const grow = useCallback(
    (rows: number, turns: number, changedFrom: number): void => {
      const wasAtEnd = view.current?.isAtEnd === true || following.current
      stores.rows.grow(rows, changedFrom)
      stores.turns.grow(turns, Math.max(0, Math.min(stores.turns.total(), turns) - 2))
      if (!wasAtEnd) return
      setSeen(rows)
      goToEnd()
    },
    [stores, view, goToEnd],
  )
  // Where the head of the reading was asked for again.
  useEffect(() => {
    if (reading.version === stores.rows.version && reading.rows > stores.rows.total())
      grow(reading.rows, reading.turns, Math.max(0, stores.rows.total() - 1))
  }, [reading, stores, grow])

  const isUsual = choice.reading === 'full' && choice.branch === null && choice.agent === null
  const [stalled, setStalled] = useState<string | null>(null)
  useLive(
    id,
    (message) => {
      if (message.kind === 'stalled' && message.id === id) setStalled(message.error)
      if (message.kind !== 'grew' || message.id !== id) return
      if (isUsual && message.version === stores.rows.version) grow(message.rows, message.turns, message.changedFrom)
      else onStale()
      void queries.invalidateQueries({ queryKey: ['agents', id] })
      void queries.invalidateQueries({ queryKey: ['timeline'] })
    },
    () => {
      // Rows may have changed that nobody told of.
      onStale()
      // A server that was started again tells anew what it cannot do.
      setStalled(null)
    },
  )

  // Rows may come faster than one can get to the end; only who reads stops it.
  useEffect(() => {
    const element = scroller.current
    const stop = (): void => {
      following.current = false
    }
    for (const name of STOPPING) element?.addEventListener(name, stop, { passive: true })
    return () => {
      for (const name of STOPPING) element?.removeEventListener(name, stop)
    }
  }, [scroller])
  // What was at the end of the view has been seen.
  const isAtEnd = view.current?.isAtEnd === true
  useEffect(() => {
    if (!isAtEnd) return
    // From here on it is the view that says whether somebody is at the end.
    following.current = false
    setSeen(total)
  }, [isAtEnd, total])

  useKeptPlace({ id, choice, stores, view, jump, goToEnd })
  return { newRows: Math.max(0, total - seen), goToEnd, stalled }
}

/** Rows of another version are in other places: goes back to the record that was the first in view. */
function useKeptPlace({
  id,
  choice,
  stores,
  view,
  jump,
  goToEnd,
}: {
  readonly id: string
  readonly choice: Choice
  readonly stores: { readonly rows: RowStore }
  readonly view: RefObject<InView | null>
  readonly jump: Jump
  readonly goToEnd: () => void
}): void {
  const before = useRef({ store: stores.rows, record: null as string | null, row: 0, offset: 0, isAtEnd: false })
  useEffect(() => {
    if (before.current.store !== stores.rows) {
      const { record, row: oldRow, offset, isAtEnd: wasAtEnd } = before.current
      before.current = { ...before.current, store: stores.rows }
      if (wasAtEnd) goToEnd()
      else if (record !== null)
        void ask<Place>(apiOf(id, 'place', choice, { record })).then(
          // Where the number is the same, the list has kept the place by itself.
          ({ row }) => row !== oldRow && jump.to({ owner: '', row, isTarget: false, offset }),
          () => undefined,
        )
    }
  }, [stores, id, choice, jump.to, goToEnd])
  useEffect(() => {
    const seen = view.current
    if (seen === null || before.current.store !== stores.rows) return
    const first = seen.first.owner === '' ? stores.rows.get(seen.first.row) : undefined
    if (first !== undefined)
      before.current = { ...before.current, record: recordName(first), row: seen.first.row, offset: seen.offset }
    before.current.isAtEnd = seen.isAtEnd
  })
}
