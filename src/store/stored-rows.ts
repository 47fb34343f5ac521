// Which sessions a Claude directory holds, from names and sizes alone.

import { basename, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { StoreError } from './store-error.ts'

export interface StoredRow {
  readonly sessionId: string
  readonly projectKey: string
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isSessionId(text: string): boolean {
  return UUID.test(text)
}

export function storedRows(disk: Disk, root: string): readonly StoredRow[] {
  const projects = join(root, 'projects')
  return disk.names(projects).flatMap((projectKey) => {
    const folder = join(projects, projectKey)
    return disk.names(folder).flatMap((name): readonly StoredRow[] => {
      const sessionId = basename(name, '.jsonl')
      const path = join(folder, name)
      const stat = name.endsWith('.jsonl') && isSessionId(sessionId) ? disk.stat(path) : null
      if (stat === null || stat.isFolder) return []
      return [{ sessionId, projectKey, path, sizeBytes: stat.sizeBytes, modifiedMs: stat.modifiedMs }]
    })
  })
}

/** By its id or the beginning of one. */
export function findRow(rows: readonly StoredRow[], id: string, root: string): StoredRow {
  const exact = rows.filter(({ sessionId }) => sessionId === id)
  const found = exact.length > 0 ? exact : rows.filter(({ sessionId }) => id !== '' && sessionId.startsWith(id))
  const [only] = found
  if (only === undefined) throw new StoreError('unknown-session', `no session ${id} in ${root}`)
  if (found.length > 1 && exact.length === 0)
    throw new StoreError('ambiguous-session', `${found.length} sessions begin with ${id}`)
  return only
}
