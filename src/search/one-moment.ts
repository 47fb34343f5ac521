import type { Database } from './database.ts'

/**
 * Rows, Layouts and pages of one moment: another process may be bringing the index up to date. Null for bytes that were
 * damaged without SQLite noticing, and for a file that is gone or not ours to read.
 */
export function atOneMoment<Value>(database: Database, read: () => Value | null): Value | null {
  database.exec('BEGIN')
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  } finally {
    if (database.isTransaction) database.exec('COMMIT')
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) return true
  return error instanceof Error && 'code' in error && !('errcode' in error)
}
