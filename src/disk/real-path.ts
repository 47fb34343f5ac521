import { realpathSync } from 'node:fs'

/** Where links lead: people keep their settings elsewhere and link to them. A path that leads nowhere stays as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // There is nothing, or the link leads nowhere: who opens it hears of it.
    return path
  }
}
