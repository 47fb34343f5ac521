// Whether archiving is set up, what `clew doctor` says about it, and the command that helps.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeLine, safeName } from './terminal.ts'
import { counted, iso } from './units.ts'

export interface DoctorArchiving {
  readonly folder: string
  /** Claude directories that have the hooks. */
  readonly hookedRoots: readonly string[]
  /** Programs that the hooks would start, and that are not there any more. */
  readonly missingPrograms: readonly string[]
  readonly isAuto: boolean
  readonly lastSnapshotMs: number | null
  /** Of the last run in the background; null when it went well, or there was none. */
  readonly lastFailure: string | null
}

interface Sessions {
  readonly folders: readonly { readonly root: string }[]
  readonly expiring: readonly { readonly isArchived?: boolean }[]
}

interface Layout {
  readonly style: Style
  readonly home: string
}

export function archivingJson({ isAuto, lastSnapshotMs, ...facts }: DoctorArchiving): unknown {
  return { ...facts, auto: isAuto, lastSnapshotAt: iso(lastSnapshotMs) }
}

export function archivingLines(
  archiving: DoctorArchiving,
  { folders, expiring }: Sessions,
  { style, home }: Layout,
): readonly string[] {
  const { hookedRoots, missingPrograms, isAuto, lastSnapshotMs, lastFailure } = archiving
  const open = folders.filter(({ root }) => !hookedRoots.includes(root))
  const bare = expiring.filter(({ isArchived }) => isArchived !== true).length
  const lines = [`${style.bold('Archive')}: ${setUpText(hookedRoots.length, isAuto)}; ${lastText(lastSnapshotMs)}.`]
  for (const path of missingPrograms) {
    lines.push(
      style.bad(`The hooks start ${shortPath(safeName(path), home)}, which is gone. Mend them: clew archive install`),
    )
  }
  if (lastFailure !== null) lines.push(style.bad(`The last run in the background failed: ${safeLine(lastFailure)}`))
  if (bare > 0) {
    lines.push(
      style.bad(
        `${counted(bare, 'conversation')} of those that go soon have no copy. To archive them now: clew archive`,
      ),
    )
  }
  if (open.length > 0 && !isAuto) lines.push('To archive from now on by itself: clew archive install')
  return lines
}

function setUpText(hooked: number, isAuto: boolean): string {
  const ways = [...(hooked > 0 ? ['hooks of the client'] : []), ...(isAuto ? ['once a day by any command'] : [])]
  return ways.length === 0 ? 'not set up' : `set up, ${ways.join(' and ')}`
}

function lastText(lastSnapshotMs: number | null): string {
  return lastSnapshotMs === null
    ? 'nothing was archived yet'
    : `the last snapshot is of ${iso(lastSnapshotMs)?.slice(0, 10)}`
}
