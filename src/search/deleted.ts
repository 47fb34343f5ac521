import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { startOf } from '../source/discover.ts'

/**
 * A root shows what is in its `projects` and not what lies beside them, which another root may have shown. So only the
 * disk knows what is gone. Where nobody may look, nobody knows.
 */
export function isDeleted(path: string, roots: readonly string[]): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true || isBehindLink(path, roots)
  } catch {
    return false
  }
}

/** Below where a walk begins no link is followed: what one leads to is looked at no more. */
function isBehindLink(path: string, roots: readonly string[]): boolean {
  const above = roots.filter((root) => isBelow(path, [root]))
  return above.length > 0 && above.every((root) => hasLink(path, root, startOf(root)))
}

function hasLink(path: string, root: string, start: string): boolean {
  for (let folder = dirname(path); folder !== start && folder !== root && isBelow(folder, [root]); ) {
    if (lstatSync(folder).isSymbolicLink()) return true
    folder = dirname(folder)
  }
  return false
}

export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}
