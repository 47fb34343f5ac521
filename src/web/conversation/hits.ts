// The find box: whether it is open, what was typed, which hit is shown.

import type { RefObject } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Choice } from './address.ts'
import type { Find } from './find.ts'
import { hitBeside, useFind } from './find.ts'
import type { Jump } from './jump.ts'
import type { InView } from './virtual-rows.ts'

export interface Hits {
  readonly find: Find
  readonly words: string
  readonly at: number | null
  readonly isOpen: boolean
  readonly box: RefObject<HTMLInputElement | null>
  readonly open: () => void
  readonly close: () => void
  readonly onWords: (words: string) => void
  readonly step: (step: 1 | -1) => void
}

export function useHits({
  id,
  choice,
  version,
  words: firstWords,
  row,
  view,
  scroller,
  jump,
}: {
  readonly id: string
  readonly choice: Choice
  readonly version: string
  readonly words: string
  readonly row: number
  readonly view: RefObject<InView | null>
  readonly scroller: RefObject<HTMLElement | null>
  readonly jump: Jump
}): Hits {
  const [isOpen, setOpen] = useState(firstWords !== '')
  const [words, setWords] = useState(firstWords)
  const [shown, setShown] = useState<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const find = useFind(id, choice, version, isOpen ? words : '')
  const at = useMemo(() => {
    const place = shown === null ? -1 : find.rows.findIndex((hit) => hit.row === shown)
    return place === -1 ? null : place
  }, [find.rows, shown])

  const step = useCallback(
    (direction: 1 | -1): void => {
      const from = shown ?? (direction === 1 ? (view.current?.first.row ?? row) - 1 : row)
      const next = hitBeside(find.rows, from, direction)
      const hit = next === null ? undefined : find.rows[next]
      if (hit === undefined) return
      setShown(hit.row)
      jump.to({ owner: '', row: hit.row, isTarget: true })
    },
    [find.rows, shown, view, row, jump.to],
  )

  // The address can bring words along: then the record it names is the first hit, where it is one.
  const isFirst = useRef(firstWords !== '')
  const given = useRef(firstWords)
  useEffect(() => {
    if (given.current === firstWords) return
    given.current = firstWords
    isFirst.current = firstWords !== ''
    setOpen(firstWords !== '')
    setWords(firstWords)
    setShown(null)
  }, [firstWords])
  useEffect(() => {
    if (!isFirst.current || find.rows.length === 0) return
    isFirst.current = false
    const target = jump.target?.row
    if (target !== undefined && find.rows.some((hit) => hit.row === target)) setShown(target)
    else if (window.location.hash === '') step(1)
  }, [find.rows, jump.target, step])

  const open = useCallback(() => {
    // At once: the next key is typed into it, and would be one of the page.
    flushSync(() => setOpen(true))
    box.current?.focus()
    box.current?.select()
  }, [])
  const close = useCallback(() => {
    // Whoever reads on with the keyboard does so there and not at the top of the page.
    const row = shown ?? view.current?.first.row
    const article = scroller.current?.querySelector<HTMLElement>(`article[data-owner=""][data-row="${row}"]`)
    ;(article ?? scroller.current)?.focus({ preventScroll: true })
    setOpen(false)
    setShown(null)
  }, [shown, view, scroller])
  const onWords = useCallback((next: string) => {
    setWords(next)
    setShown(null)
  }, [])
  return { find, words, at, isOpen, box, open, close, onWords, step }
}
