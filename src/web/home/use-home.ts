// What the page shows: the answer of the server, filtered, sorted and grouped, each step done again only when what it
// depends on has changed.

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Activity, Home, HomeRow } from '../../server/api/home.ts'
import { ask } from '../ask.ts'
import { useKeptHere } from '../parts/kept.ts'
import { findRows, prepareRows } from './find-rows.ts'
import type { ListLine } from './group-rows.ts'
import { linesOf } from './group-rows.ts'
import { askHome } from './keep-home.ts'
import { isOutOfOrder, sortRows } from './sort-rows.ts'
import type { HomeView } from './view.ts'

export function useHomeQuery() {
  return useQuery({ queryKey: ['home'], queryFn: ({ signal }) => askHome(signal) })
}

/** Comes later than the list, which does not wait for it. */
export function useActivity(isWanted: boolean): Activity | null {
  const { data } = useQuery({
    queryKey: ['activity'],
    queryFn: ({ signal }) => ask<Activity>('activity', signal),
    enabled: isWanted,
  })
  return data ?? null
}

export interface ShownList {
  readonly lines: readonly ListLine[]
  readonly found: readonly HomeRow[]
  /** Changes when the reader asked for something else, and not when the world did. */
  readonly asked: string
  readonly folded: ReadonlySet<string>
  readonly isOutOfOrder: boolean
  readonly putInOrder: () => void
  readonly fold: (path: string) => void
}

const NO_ROWS: readonly HomeRow[] = []
const NO_PATHS: readonly string[] = []

export function useShownList(home: Home | undefined, activity: Activity | null, now: HomeView): ShownList {
  const view = useDeferredValue(now)
  const rows = home?.rows ?? NO_ROWS
  const timeZone = home?.timeZone ?? 'UTC'
  usePrepared(rows)
  const [renewals, setRenewals] = useState(0)
  const [foldedPaths, keepFolded] = useKeptHere('folded', NO_PATHS)
  const folded = useMemo(() => new Set(foldedPaths), [foldedPaths])
  const times = useFrozenTimes(rows, `${view.sort} ${view.scope} ${renewals}`)
  const costs = view.sort === 'costliest' ? activity : null
  const sorted = useMemo(() => sortRows(rows, view.sort, times, costs), [rows, view.sort, times, costs])
  const accounts = view.days === null ? null : activity
  const found = useMemo(
    () => findRows(sorted, view, { activity: accounts, timeZone }),
    [sorted, view, accounts, timeZone],
  )
  const lines = useMemo(() => linesOf(found, view.scope, folded), [found, view.scope, folded])
  const isMoved = useMemo(() => isOutOfOrder(found, view.sort), [found, view.sort])
  return {
    lines,
    found,
    asked: JSON.stringify(view),
    folded,
    isOutOfOrder: isMoved,
    putInOrder: () => setRenewals(renewals + 1),
    fold: (path) => keepFolded(folded.has(path) ? foldedPaths.filter((one) => one !== path) : [...foldedPaths, path]),
  }
}

/** In small steps, between other things. */
function usePrepared(rows: readonly HomeRow[]): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const step = (from: number): void => {
      const next = prepareRows(rows, from, 500)
      if (next < rows.length) timer = setTimeout(step, 10, next)
    }
    timer = setTimeout(step, 500, 0)
    return () => clearTimeout(timer)
  }, [rows])
}

/** When each row was last changed, as it was when the order was asked for; what is new since then has its own time. */
function useFrozenTimes(rows: readonly HomeRow[], order: string): ReadonlyMap<string, number> {
  const [kept] = useState({ order, times: new Map<string, number>() })
  return useMemo(() => {
    const times = kept.order === order ? kept.times : new Map<string, number>()
    const next = new Map(rows.map((row) => [row.id, times.get(row.id) ?? row.modifiedMs]))
    kept.order = order
    kept.times = next
    return next
  }, [rows, order, kept])
}
