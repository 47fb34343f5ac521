// Sessions that Claude Code cannot go on with: in a dialect that it does not read, or in a folder where it does not look.

import { basename, dirname } from 'node:path'
import type { OpenSession } from '../load/session.ts'
import { dialectOf } from '../store/dialect.ts'

/** Why, as the end of a sentence; null where it can. */
export function outOfReach({ main }: OpenSession): string | null {
  if (dialectOf(main.transcript) === 'event-log') return 'it is a log of events, which Claude Code does not read'
  const folder = dirname(main.file.path)
  return basename(folder) === 'sessions' && basename(dirname(dirname(folder))) === 'projects'
    ? `it lies in ${folder}, where Claude Code does not look`
    : null
}
