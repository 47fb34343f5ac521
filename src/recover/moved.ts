// A folder was moved, and its history followed: what records told of a file before is told of the place where it is now.
// The folder may have been moved long before that was said, so a Deed at the new place need not come later.

import type { Deed, PlacedDeed } from './model.ts'

export interface FolderMove {
  readonly from: string
  /** Until then the old path meant what the new one means now. */
  readonly untilMs: number
  /** Where a path is after it; null for one that is neither the old folder nor below it. */
  readonly moved: (path: string) => string | null
}

/** By the moves that came after a Deed, oldest first. */
export function deedsNow(deeds: readonly PlacedDeed[], moves: readonly FolderMove[]): readonly PlacedDeed[] {
  if (moves.length === 0) return deeds
  return deeds.flatMap(({ deed, place }) => {
    const since = moves.filter(({ untilMs }) => place.timeMs === null || place.timeMs <= untilMs)
    const now = since.reduce<Deed | null>((one, move) => one && afterMove(one, move), deed)
    return now === null ? [] : { deed: now, place }
  })
}

export function pathNow(path: string, moves: readonly FolderMove[]): string {
  return moves.reduce((now, { moved }) => moved(now) ?? now, path)
}

/** Null for what was a part of the move itself. */
function afterMove(deed: Deed, { from, moved }: FolderMove): Deed | null {
  const at = (path: string): string => moved(path) ?? path
  switch (deed.kind) {
    case 'move': {
      const [source, target] = [at(deed.from), at(deed.to)]
      return source === target ? null : { ...deed, from: source, to: target }
    }
    case 'remove':
      // That nothing is left at the old place says nothing about the new one.
      return deed.path === from ? null : { ...deed, path: at(deed.path) }
    case 'unclear':
      return { ...deed, folder: at(deed.folder) }
    default:
      return { ...deed, path: at(deed.path) }
  }
}
