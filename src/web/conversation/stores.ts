// The windows of a reading: its Rows and its Turns. A store lives as long as the version of the reading stays the same,
// and grows with it.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReadingHead, TurnHead, TurnWindow } from '../../server/api/conversation.ts'
import type { RowView, RowWindow } from '../../server/api/rows.ts'
import { ask } from '../ask.ts'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import type { WindowStore } from './window-store.ts'
import { windowStore } from './window-store.ts'

export type RowStore = WindowStore<RowView>
export type TurnStore = WindowStore<TurnHead>

export function newRowStore(
  id: string,
  choice: Choice,
  reading: ReadingHead,
  onStale: () => void,
  before: RowStore | null = null,
): RowStore {
  return windowStore<RowView>(
    reading.version,
    reading.rows,
    (from, count, signal) => ask<RowWindow>(apiOf(id, 'rows', choice, { from, count }), signal),
    { onStale, before: before?.get ?? null },
  )
}

/** Of the Rows and Turns of what is read on the page. */
export function useStores(
  id: string,
  choice: Choice,
  reading: ReadingHead,
  onStale: () => void,
): { readonly rows: RowStore; readonly turns: TurnStore } {
  const stale = useRef(onStale)
  stale.current = onStale
  const { version } = reading
  const key = JSON.stringify([id, choice, version])
  const first = useRef(reading)
  const old = useRef<RowStore | null>(null)
  first.current = reading
  const stores = useMemo(() => {
    const [ownId, ownChoice] = JSON.parse(key) as [string, Choice]
    const rows = newRowStore(ownId, ownChoice, first.current, () => stale.current(), old.current)
    old.current = rows
    const turns = windowStore<TurnHead>(
      first.current.version,
      first.current.turns,
      async (from, count, signal) => {
        // What is read comes before what is jumped by.
        await Promise.race([rows.first, pause(TURNS_LATER_MS)])
        const answer = await ask<TurnWindow>(apiOf(ownId, 'turns', ownChoice, { from, count }), signal)
        return { ...answer, rows: answer.turns }
      },
      { windowRows: 100, keptMax: 20_000, onStale: () => stale.current() },
    )
    return { rows, turns }
  }, [key])
  useEffect(
    () => () => {
      stores.rows.close()
      stores.turns.close()
    },
    [stores],
  )
  return stores
}

const TURNS_LATER_MS = 1500

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Draws again whenever something has come into the store. */
export function useStoreChanges(store: WindowStore<unknown>): number {
  return useSyncExternalStore(store.subscribe, store.changes)
}
