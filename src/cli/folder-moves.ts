// Which folders were moved, as the receipts of `clew mv` tell it.

import { REAL_DISK } from '../disk/real-disk.ts'
import type { FolderMove } from '../recover/moved.ts'
import { moveReceiptIds, readMoveReceipt } from '../relocate/move-receipt.ts'
import { movedPath } from '../relocate/paths.ts'
import { chooseRoots, claudeFolder } from '../source/roots.ts'
import type { World } from './command.ts'

/** Oldest first. One move has a receipt of the same name in each Claude directory where it changed something. */
export function folderMoves(roots: readonly string[] | undefined, { environment, home }: World): readonly FolderMove[] {
  const chosen = chooseRoots({ roots: roots ?? [], environment, home })
  const moves = new Map<string, FolderMove>()
  for (const root of chosen.roots.flatMap((one) => claudeFolder(one) ?? [])) {
    for (const id of moveReceiptIds(REAL_DISK, root)) {
      const receipt = readMoveReceipt(REAL_DISK, root, id)
      if (receipt === null || receipt.finishedAt === null) continue
      const { move, when } = receipt
      moves.set(id, { from: move.from, untilMs: Date.parse(when), moved: (path) => movedPath(path, move) })
    }
  }
  return [...moves.values()].sort((one, other) => one.untilMs - other.untilMs)
}
