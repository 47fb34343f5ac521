// What the store refuses, and why. Whoever catches one can rely on the store being as it was: nothing was acknowledged.

import { systemCode } from '../base/system-code.ts'

export type StoreErrorCode =
  | 'unknown-session'
  | 'ambiguous-session'
  | 'session-exists'
  | 'unknown-record'
  | 'not-a-record'
  | 'live-session'
  | 'locked'
  | 'disk-full'
  | 'read-only'
  | 'sync-failed'
  | 'write-failed'
  | 'read-failed'
  | 'closed'

export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const REFUSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** What the system said, in words. `path` is the file that was to be written. */
export function writeError(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = systemCode(error) ?? ''
  if (FULL.has(code)) return new StoreError('disk-full', `${path}: the disk is full; nothing was acknowledged`, error)
  if (REFUSED.has(code)) return new StoreError('read-only', `${path}: may not be written (${code})`, error)
  const said = error instanceof Error ? error.message : String(error)
  return new StoreError('write-failed', `${path}: cannot be written (${said})`, error)
}

/** What the system says while something is written, as an error of the store. */
export async function writing<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw writeError(path, error)
  }
}

/** The same for reading. A mistake of ours stays what it is. */
export function reading<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreError || systemCode(error) === null) throw error
    throw new StoreError('read-failed', `${path}: cannot be read (${(error as Error).message})`, error)
  }
}
