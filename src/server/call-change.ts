// What the line of a call says beside its title.

import { pathBelow } from '../base/path-below.ts'
import type { ToolPart } from '../conversation/parts.ts'
import { faceOf } from '../render/export/face.ts'
import { countLines, diffLines } from '../render/export/line-diff.ts'
import type { CallLine } from './api/rows.ts'

/** Comparing is not free, and a line is all that is wanted. */
const COMPARED_MAX = 50_000

/** What a call says it changes, from its input alone; null where it was not done or is too long to compare. */
export function changedBy(part: ToolPart, folder: string | null): CallLine['changed'] {
  if (part.status !== 'ok') return null
  const face = faceOf(part.name, part.input, null)
  if (face.kind !== 'change' || face.hunks.length === 0) return null
  let added = 0
  let removed = 0
  for (const { before, after } of face.hunks) {
    if (before.length + after.length > COMPARED_MAX) return null
    const counted = countLines(diffLines(before, after))
    added += counted.added
    removed += counted.removed
  }
  return { path: withoutFolder(face.path, folder), added, removed }
}

export function withoutFolder(path: string, folder: string | null): string {
  return folder === null ? path : pathBelow(path, folder)
}
