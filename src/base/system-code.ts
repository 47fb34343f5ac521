/** What the system calls an error (`ENOENT`, `ENOSPC`); null for one that is not the system's. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
