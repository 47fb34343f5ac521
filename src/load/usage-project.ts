// The tokens of one project, as bytes: what a worker hands over.

import { closeSync } from 'node:fs'
import type { UsageRecord } from '../record/usage-record.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Project } from './found.ts'
import { readUsageLines } from './usage-lines.ts'
import { packUsage } from './usage-pack.ts'

export interface PackedUsage {
  readonly path: string
  readonly packed: Uint8Array
}

/** Files that used nothing are left out. */
export function usageOfProject(project: Project): readonly PackedUsage[] {
  return project.files.flatMap((file) => {
    const records = readUsageFile(file)
    return records.length === 0 ? [] : [{ path: file.path, packed: packUsage(records) }]
  })
}

/** What was read of it when it cannot be read to its end. */
function readUsageFile(file: TranscriptFile): readonly UsageRecord[] {
  const records: UsageRecord[] = []
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return records
  try {
    readUsageLines(opened.fd, (record) => records.push(record))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  } finally {
    closeSync(opened.fd)
  }
  return records
}
