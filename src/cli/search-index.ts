// The index for a search, which cannot do without one: where none may be kept, one in memory serves.

import { Index } from '../search/open-index.ts'
import type { World } from './command.ts'
import { orElse, withIndex } from './indexed.ts'

export async function openedIndex<Value>(
  noIndex: boolean,
  world: World,
  use: (index: Index) => Promise<Value>,
): Promise<Value> {
  const inMemory = async (): Promise<Value> => {
    const index = new Index(null)
    try {
      return await use(index)
    } finally {
      index.close()
    }
  }
  if (noIndex) return inMemory()
  return orElse(world, () => withIndex((path) => new Index(path), world, use), inMemory)
}
