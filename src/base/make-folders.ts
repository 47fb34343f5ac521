import { systemCode } from './system-code.ts'

export interface FolderMaking {
  readonly isThere: (path: string) => boolean
  readonly parentOf: (path: string) => string
  readonly make: (path: string) => void
}

/**
 * Makes the levels of a path that are not there. Node's own recursive mkdir never returns below a folder in which nothing
 * can be made (`/proc`); made one by one, the first that cannot be made says so.
 */
export function makeMissingFolders(path: string, { isThere, parentOf, make }: FolderMaking): void {
  const missing: string[] = []
  for (let at = path; !isThere(at) && parentOf(at) !== at; at = parentOf(at)) missing.push(at)
  for (const folder of missing.reverse()) {
    try {
      make(folder)
    } catch (error) {
      // Another process made it meanwhile.
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
}
