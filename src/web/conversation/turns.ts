// Finding a Turn by its Row, in a list of which only some windows are here.

import type { TurnHead } from '../../server/api/conversation.ts'
import type { TurnStore } from './stores.ts'

/** The place in the outline of the Turn that Row belongs to; null when there is none before it. */
export async function turnPlaceOf(store: TurnStore, row: number): Promise<number | null> {
  let low = 0
  let high = store.total() - 1
  let found: number | null = null
  while (low <= high) {
    const middle = (low + high) >> 1
    const turn = await store.load(middle)
    if (turn === undefined) return found
    if (turn.row <= row) {
      found = middle
      low = middle + 1
    } else high = middle - 1
  }
  return found
}

/** The next or the previous one. Going back from within a Turn leads to its beginning first. */
export async function turnBeside(store: TurnStore, row: number, step: 1 | -1): Promise<TurnHead | undefined> {
  const place = await turnPlaceOf(store, row)
  if (place === null) return step === 1 ? store.load(0) : undefined
  const here = await store.load(place)
  if (step === -1 && here !== undefined && here.row < row) return here
  return store.load(place + step)
}
