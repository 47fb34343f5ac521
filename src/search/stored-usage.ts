// The token accounts from the index: what current files used, what deleted ones did, and which files have to be read.

import type { FoundTranscripts } from '../load/found.ts'
import type { UsageFile } from '../load/usage.ts'
import { usageFile } from '../load/usage.ts'
import { unpackUsageRuns } from '../load/usage-pack.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import { isBelow, isDeleted } from './deleted.ts'
import { isCurrent, knownFiles } from './plan.ts'
import { readable } from './unreadable.ts'

export interface StoredUsage {
  readonly files: readonly UsageFile[]
  /** The index is not current about these. */
  readonly stale: readonly TranscriptFile[]
}

/** `isFresh`: the index was just brought up to this archive, and nothing of it needs to be compared again. */
export function storedUsage(database: Database, archive: FoundTranscripts, isFresh = false): StoredUsage {
  const known = isFresh ? null : knownFiles(database)
  const stored = storedRecords(database)
  const files: UsageFile[] = []
  const stale: TranscriptFile[] = []
  for (const file of archive.projects.flatMap((project) => project.files)) {
    const own = stored.get(file.path)
    stored.delete(file.path)
    if (known !== null && !isCurrent(known.get(file.path), file)) stale.push(file)
    else if (own !== undefined) files.push(usageFile(file, own.records))
  }
  for (const { row, records } of stored.values()) {
    if (row.goneMs !== null && isBelow(row.path, archive.roots) && isDeleted(row.path, archive.roots))
      files.push(goneUsage(row, records))
  }
  return { files, stale }
}

interface FileRow {
  readonly id: number
  readonly path: string
  readonly role: string
  readonly projectKey: string
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly goneMs: number | null
  readonly usages: string | null
}

interface StoredRecords {
  readonly row: FileRow
  records: readonly UsageRecord[]
}

/** By path: what each file that used tokens used, its unended last line included. */
function storedRecords(database: Database): Map<string, StoredRecords> {
  const { rows } = database
    .prepare(
      `SELECT json_group_array(json_array(id, path, role, project_key, session_id, agent_id, gone_ms,
       tail ->> 'usages')) AS rows FROM file`,
    )
    .get() as { readonly rows: string }
  const byId = new Map<number, StoredRecords>()
  for (const [id, path, role, projectKey, sessionId, agentId, goneMs, usages] of JSON.parse(
    rows,
  ) as readonly Listed[]) {
    byId.set(id, { row: { id, path, role, projectKey, sessionId, agentId, goneMs, usages }, records: [] })
  }
  const add = (stored: StoredRecords | undefined, packed: Uint8Array): void => {
    if (stored === undefined) return
    const records = readable(() => unpackUsageRuns(packed))
    stored.records = stored.records.length === 0 ? records : [...stored.records, ...records]
  }
  const pages = database.prepare('SELECT file, records FROM usage_page ORDER BY file, number').all()
  for (const { file, records } of pages as unknown as readonly PageRow[]) add(byId.get(file), records)
  const found = new Map<string, StoredRecords>()
  for (const stored of byId.values()) {
    const { usages, path } = stored.row
    if (usages !== null) add(stored, Buffer.from(usages, 'base64'))
    if (stored.records.length > 0) found.set(path, stored)
  }
  return found
}

type Listed = readonly [number, string, string, string, string | null, string | null, number | null, string | null]

interface PageRow {
  readonly file: number
  readonly records: Uint8Array
}

function goneUsage(
  { path, role, projectKey, sessionId, agentId }: FileRow,
  records: readonly UsageRecord[],
): UsageFile {
  return { path, role: role === 'main' ? 'main' : 'subagent', sessionId, agentId, projectKey, isGone: true, records }
}
