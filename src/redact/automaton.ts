// Keywords → one table that finds all of them in a single walk over a text (Aho and Corasick, 1975), whatever their case.
// Characters that no keyword has share one column, so the table stays small enough for the cache.

import type { Coded } from './coded.ts'
import { behindPlaceholder, PLACEHOLDER_OPENING } from './placeholder.ts'

export interface Automaton {
  /** Tells the number of each keyword and the place behind it, in the order of places. None stands in a Placeholder. */
  readonly scan: (coded: Coded, onHit: (keyword: number, end: number) => void) => void
}

export function automatonOf(keywords: readonly string[]): Automaton {
  const columnOf = columnsOf(keywords)
  // A power of two, so that a shift leads from a row back to its state.
  const bits = Math.ceil(Math.log2(Math.max(...columnOf) + 1))
  const width = 1 << bits
  const next: number[] = new Array(width).fill(NONE)
  const found: number[][] = [[]]
  for (const [number, keyword] of keywords.entries()) {
    let state = 0
    for (let index = 0; index < keyword.length; index++) {
      const cell = state * width + (columnOf[keyword.charCodeAt(index)] as number)
      if (next[cell] === NONE) {
        next[cell] = found.length
        found.push([])
        for (let column = 0; column < width; column++) next.push(NONE)
      }
      state = next[cell] as number
    }
    found[state]?.push(number)
  }
  closeLinks(next, found, width)
  return { scan: scanner(columnOf, bits, next, found) }
}

const NONE = -1

/** The column of each ASCII character; 0 is for all that no keyword has. */
function columnsOf(keywords: readonly string[]): Uint8Array {
  const columns = new Uint8Array(128)
  let last = 0
  for (const keyword of keywords) {
    for (let index = 0; index < keyword.length; index++) {
      const code = keyword.charCodeAt(index)
      if (columns[code] !== 0) continue
      columns[code] = ++last
      if (code >= 97 && code <= 122) columns[code - 32] = last
    }
  }
  return columns
}

/** Fills each empty cell with where the longest suffix that is still a prefix would have gone. */
function closeLinks(next: number[], found: number[][], width: number): void {
  const suffixOf: number[] = new Array(found.length).fill(0)
  const queue: number[] = []
  for (let column = 0; column < width; column++) {
    const child = next[column] as number
    if (child === NONE) next[column] = 0
    else queue.push(child)
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] as number
    const suffix = suffixOf[state] as number
    found[state]?.push(...(found[suffix] ?? []))
    for (let column = 0; column < width; column++) {
      const cell = state * width + column
      const viaSuffix = next[suffix * width + column] as number
      const child = next[cell] as number
      if (child === NONE) next[cell] = viaSuffix
      else {
        suffixOf[child] = viaSuffix
        queue.push(child)
      }
    }
  }
}

function scanner(
  columnOf: Uint8Array,
  bits: number,
  next: readonly number[],
  found: readonly (readonly number[])[],
): Automaton['scan'] {
  // Rows are reached by multiplied state numbers, and a set lowest bit says that something was found there.
  const table = new Uint32Array(next.length)
  for (const [cell, state] of next.entries())
    table[cell] = (state << (bits + 1)) + ((found[state]?.length ?? 0) > 0 ? 1 : 0)
  return ({ text, codes }, onHit) => {
    const { length } = text
    let row = 0
    for (let index = 0; index < length; index++) {
      const code = codes[index] as number
      if (code >= 128) {
        // No keyword has such a character, so all of them begin anew behind it.
        row = 0
        if (code === PLACEHOLDER_OPENING) index = Math.max(index, behindPlaceholder(text, index) - 1)
        continue
      }
      const cell = table[row + (columnOf[code] as number)] as number
      row = cell >>> 1
      if ((cell & 1) === 1) {
        const numbers = found[row >>> bits] as readonly number[]
        for (let at = 0; at < numbers.length; at++) onHit(numbers[at] as number, index + 1)
      }
    }
  }
}
