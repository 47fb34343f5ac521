import { lstatSync } from 'node:fs'

/**
 * A root shows what is in its `projects` and not what lies beside them, which another root may have shown. So only the
 * disk knows what is gone. Where nobody may look, nobody knows.
 */
export function isDeleted(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true
  } catch {
    return false
  }
}

export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}
