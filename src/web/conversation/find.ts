// Looking for words in the conversation: the Rows that have them, which of them is shown, and the words marked on the
// page. They are marked as ranges, so that no element is made or moved for it.

import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import type { FoundRows } from '../../server/api/conversation.ts'
import { ask } from '../ask.ts'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'

export interface Find {
  readonly words: string
  readonly rows: FoundRows['rows']
  readonly isBounded: boolean
  readonly isAsking: boolean
  readonly error: Error | null
}

export function useFind(id: string, choice: Choice, version: string, words: string): Find {
  const settled = useSettled(words.trim(), 160)
  const path = apiOf(id, 'find', choice, { q: settled })
  const found = useQuery({
    queryKey: ['find', path, version],
    queryFn: ({ signal }) => ask<FoundRows>(path, signal),
    enabled: settled !== '',
  })
  const isOld = settled !== words.trim()
  return {
    words: settled,
    rows: settled === '' ? [] : (found.data?.rows ?? []),
    isBounded: found.data?.isBounded ?? false,
    isAsking: words.trim() !== '' && (isOld || found.isFetching),
    error: found.error,
  }
}

function useSettled(value: string, restMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return settled
}

/** The hit behind or before this Row; around the end it goes on at the beginning. */
export function hitBeside(rows: FoundRows['rows'], row: number, step: 1 | -1): number | null {
  if (rows.length === 0) return null
  if (step === 1) {
    const next = rows.findIndex((hit) => hit.row > row)
    return next === -1 ? 0 : next
  }
  const before = rows.findLastIndex((hit) => hit.row < row)
  return before === -1 ? rows.length - 1 : before
}

const RANGES_MAX = 2_000
const HIGHLIGHT = 'found'

/** Marks the words in what is drawn, and again whenever something else is. */
export function useMarkedWords(within: RefObject<HTMLElement | null>, words: string): void {
  useEffect(() => {
    const root = within.current
    if (root === null || words === '' || !('highlights' in CSS)) return
    let frame = 0
    const mark = (): void => {
      frame = 0
      CSS.highlights.set(HIGHLIGHT, new Highlight(...rangesOf(root, wordsOf(words))))
    }
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(mark)
    }
    soon()
    const observer = new MutationObserver(soon)
    observer.observe(root, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete(HIGHLIGHT)
    }
  }, [within, words])
}

function rangesOf(root: HTMLElement, words: readonly string[]): readonly Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null && ranges.length < RANGES_MAX; node = walker.nextNode()) {
    for (const [start, end] of placesOf(node.nodeValue ?? '', words)) {
      const range = new Range()
      range.setStart(node, start)
      range.setEnd(node, end)
      ranges.push(range)
    }
  }
  return ranges
}

/** What was typed as the words to be marked: `"a phrase"` is one, a word with a filter (`in:files`) is none. */
export function wordsOf(query: string): readonly string[] {
  const parts = query.match(/"[^"]*"?|\S+/g) ?? []
  return parts
    .map((part) => part.replaceAll('"', '').replace(/^[-+(]+|[*)]+$/g, ''))
    .filter((part) => part !== '' && !/^\w+:\S/.test(part) && part !== 'OR' && part !== 'AND' && part !== 'NOT')
}

export function placesOf(text: string, words: readonly string[]): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = []
  const lower = text.toLowerCase()
  // A letter that becomes two in lower case would shift everything behind it.
  if (lower.length !== text.length) return found
  for (const word of words.map((one) => one.toLowerCase()))
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length))
      found.push([at, at + word.length])
  return found
}
