// What SQLite says when it cannot, by its codes: who else is there, no room, or a file that is no good.

const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** IOERR of a read: a bad sector. Of a write it would say nothing about what is in the file. */
const BAD_READS: ReadonlySet<number> = new Set([1, 2, 32, 33].map((detail) => SQLITE_IOERR | (detail << 8)))

/** Another process has it, and may have it for a while. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error) & 0xff
  return code === SQLITE_BUSY || code === SQLITE_LOCKED
}

/** The file itself is no good. */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error)
  if (isOfSqlite(error) && error.message === 'malformed JSON') return true
  return (code & 0xff) === SQLITE_CORRUPT || (code & 0xff) === SQLITE_NOTADB || BAD_READS.has(code)
}

/** There is no room for it, or it may not be written. */
export function isRefused(error: unknown): boolean {
  const code = codeOf(error) & 0xff
  return REFUSALS.has(code) && !isDamaged(error)
}

const REFUSALS: ReadonlySet<number> = new Set([
  SQLITE_PERM,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
])

/** Whatever it says. */
export function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && ('errcode' in error || ('code' in error && error.code === 'ERR_SQLITE_ERROR'))
}

/** The lowest byte is the kind, what is above it the detail; 0 for an error that is not SQLite's. */
function codeOf(error: unknown): number {
  if (!isOfSqlite(error)) return 0
  return 'errcode' in error ? Number(error.errcode) : (CODES.find(([words]) => words.test(error.message))?.[1] ?? 0)
}

/** Of errors of `all` and `iterate` there are only the words. */
const CODES: readonly (readonly [RegExp, number])[] = [
  [/^database disk image is malformed|^malformed database schema|^fts5: corrupt/, SQLITE_CORRUPT],
  [/^file is not a database/, SQLITE_NOTADB],
  [/^database is locked/, SQLITE_BUSY],
  [/^database table is locked|^database schema is locked/, SQLITE_LOCKED],
  [/^disk I\/O error/, SQLITE_IOERR],
  [/^database or disk is full/, SQLITE_FULL],
  [/^attempt to write a readonly database/, SQLITE_READONLY],
  [/^unable to open database file/, SQLITE_CANTOPEN],
]
