// The client's own copies of files (`file-history/<session>/<hash>@v<N>`), as the records of the transcript name them.
// Their bytes are those of the file before a change, or at the moment of a prompt.

import { timeMs } from '../base/time.ts'
import { object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { Deed } from './model.ts'
import { absolutePath, nameOf } from './paths.ts'

/** The bytes of a copy; null when it is not there any more. */
export type ReadBackup = (name: string) => Uint8Array | null

interface BackupDeed {
  readonly deed: Deed
  readonly tool: string
  readonly timeMs: number | null
  readonly callId: string | null
}

export function backupDeeds(body: Body, cwd: string | null, read: ReadBackup): readonly BackupDeed[] {
  const tracked = object(object(body['snapshot'])?.['trackedFileBackups'])
  const named = text(body['trackingPath'])
  const backups =
    tracked !== null
      ? Object.entries(tracked).map(([path, backup]) => ({ path, backup: object(backup) }))
      : named === null
        ? []
        : [{ path: named, backup: object(body['backup']) }]
  return backups.flatMap(({ path, backup }) => (backup === null ? [] : (deedOf(path, backup, cwd, read) ?? [])))
}

function deedOf(path: string, backup: Body, cwd: string | null, read: ReadBackup): BackupDeed | null {
  const name = backup['backupFileName']
  const parent = text(backup['realParentDir'])
  const whole = parent === null ? absolutePath(path, cwd) : `${parent}/${nameOf(path)}`
  const at = timeMs(backup['backupTime'])
  const about = { tool: 'file-history', timeMs: at, callId: `${String(name)} ${whole}` }
  if (name === null) return { deed: { kind: 'backup', path: whole, bytes: null }, ...about }
  if (typeof name !== 'string' || !/^[\w.-]+@v\d+$/.test(name)) return null
  const bytes = read(name)
  return bytes === null ? null : { deed: { kind: 'backup', path: whole, bytes }, ...about }
}
