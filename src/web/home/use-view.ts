// The view of the list from the address, and back into it. A choice is a step that the back button undoes; typing is
// not, and reaches the address when it pauses: browsers count how often an address changes.

import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { HomeView } from './view.ts'
import { PLAIN_VIEW, searchOf, viewOf } from './view.ts'

export interface ViewState {
  readonly view: HomeView
  readonly change: (part: Partial<HomeView>) => void
  readonly clear: () => void
}

const PAUSE_MS = 300

export function useView(): ViewState {
  const search = useSearch()
  const [, go] = useLocation()
  const inAddress = useMemo(() => viewOf(search), [search])
  const [words, setWords] = useState(inAddress.words)
  const written = useRef(inAddress.words)

  // Somebody else changed the address: the back button, a link.
  useEffect(() => {
    if (inAddress.words === written.current) return
    written.current = inAddress.words
    setWords(inAddress.words)
  }, [inAddress.words])

  useEffect(() => {
    if (words === written.current) return
    const timer = setTimeout(() => {
      written.current = words
      go(`/${searchOf({ ...inAddress, words })}`, { replace: true })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, inAddress, go])

  const view = useMemo(() => ({ ...inAddress, words }), [inAddress, words])
  const change = (part: Partial<HomeView>): void => {
    const { words: typed, ...chosen } = part
    if (typed !== undefined) setWords(typed)
    if (Object.keys(chosen).length === 0) return
    const next = { ...view, ...part }
    written.current = next.words
    go(`/${searchOf(next)}`)
  }
  const clear = (): void => change({ ...PLAIN_VIEW, sort: view.sort, scope: view.scope })
  return { view, change, clear }
}
