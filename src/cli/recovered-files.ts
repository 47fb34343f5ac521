// The histories of files that a command asks for: of one conversation, of some projects, or of everything that mentions a
// name.

import { openBodies } from '../load/bodies.ts'
import type { FileHistory } from '../recover/model.ts'
import type { FolderMove } from '../recover/moved.ts'
import { pathNow } from '../recover/moved.ts'
import { isNamedBy } from '../recover/paths.ts'
import type { Recovered } from '../recover/recovered.ts'
import { recoverConversation, recoverFiles } from '../recover/recovered.ts'
import { counted } from '../render/units.ts'
import type { World } from './command.ts'
import { nothingNote, openTranscripts } from './command.ts'
import { Failure } from './failure.ts'
import { folderMoves } from './folder-moves.ts'
import { lookIntoIndex } from './indexed.ts'
import type { ReferenceOptions } from './reference.ts'
import { openReference, subagentOf } from './reference.ts'
import { conversationFilter } from './scope.ts'

export interface FileScope extends ReferenceOptions {
  /** One conversation. */
  readonly session?: string | undefined
  readonly project?: string | undefined
  /** Names of the files that are asked for; without them all. */
  readonly names?: readonly string[] | undefined
}

/** With the moves that the paths of its histories have gone through. */
export interface RecoveredHere extends Recovered {
  readonly moves: readonly FolderMove[]
}

export async function withRecovered<Value>(
  scope: FileScope,
  world: World,
  use: (recovered: RecoveredHere) => Value | Promise<Value>,
): Promise<Value> {
  const bodies = openBodies()
  const moves = folderMoves(scope.root, world)
  try {
    if (scope.session !== undefined) {
      const { session, agentId } = await openReference(scope.session, scope, world, 'resume')
      const opened = agentId === null ? session : { ...session, woven: subagentOf(session, agentId, 'resume').woven }
      return await use({ ...recoverConversation(opened, bodies, moves), moves })
    }
    const archive = openTranscripts(scope.root, world)
    if (archive.projects.length === 0) throw new Failure(nothingNote(archive.roots, world).replace(/^clew: /, ''))
    return await lookIntoIndex(scope['no-index'], world, async ({ access }) => {
      const isWanted = conversationFilter(scope, world.folder)
      const rows = scope.project === undefined ? null : (await access.list(archive)).filter(isWanted)
      if (rows?.length === 0) throw new Failure(`no project has “${scope.project}” in its path. Try: clew list`)
      const sessions = rows === null ? null : new Set(rows.map(({ sessionId }) => sessionId))
      const names = scope.names ?? null
      const { read, kin } = access
      return use({ ...recoverFiles({ archive, read, kin, bodies, sessions, names, moves }), moves })
    })
  } finally {
    bodies.close()
  }
}

/** The one file that was meant: by its path, or by the end of it. */
export function oneFile({ histories, moves }: RecoveredHere, typed: string, whole: string): FileHistory {
  const exact = histories.get(whole) ?? histories.get(typed) ?? histories.get(pathNow(whole, moves))
  if (exact !== undefined) return exact
  const fitting = [...histories.values()].filter(({ path }) => isNamedBy(path, typed))
  const [first] = fitting
  if (first === undefined)
    throw new Failure(`no conversation saw a file “${typed}”. Try: clew search path:${typed.split('/').at(-1)}`)
  if (fitting.length === 1) return first
  const names = fitting.slice(0, 5).map(({ path }) => path)
  const more = fitting.length > names.length ? ` and ${fitting.length - names.length} more` : ''
  throw new Failure(`“${typed}” fits ${counted(fitting.length, 'file')}: ${names.join(', ')}${more}`)
}
