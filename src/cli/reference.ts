// From the reference a person typed to an open session, with every way it can fail said in one line.

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { TipRule } from '../graph/context.ts'
import type { FoundArchive } from '../load/archive.ts'
import { findArchive } from '../load/archive.ts'
import { findSession } from '../load/find.ts'
import type { OpenSession } from '../load/session.ts'
import { openSession } from '../load/session.ts'
import type { World } from './command.ts'
import { openArchive } from './command.ts'
import { Failure } from './failure.ts'

export interface Referenced {
  readonly session: OpenSession
  readonly agentId: string | null
}

export async function openReference(
  reference: string | undefined,
  roots: readonly string[] | undefined,
  world: World,
  tipRule: TipRule,
): Promise<Referenced> {
  if (reference === undefined)
    throw new Failure('which conversation? Give an id, a prefix, a title, a path or “latest”.')
  const archive = archiveFor(reference, roots, world)
  const found = await findSession(archive, reference)
  if (found.state === 'none') throw new Failure(notFound(reference, archive))
  if (found.state === 'ambiguous') {
    const names = found.candidates.map((file) => file.sessionId).slice(0, 10)
    const more = found.candidates.length > names.length ? ` and ${found.candidates.length - names.length} more` : ''
    throw new Failure(`“${reference}” fits ${found.candidates.length} conversations: ${names.join(', ')}${more}`)
  }
  const session = openSession(archive, found.file, tipRule)
  const unread = session.main.transcript.problems.find(
    ({ code }) => code === 'file-unreadable' || code === 'file-not-regular',
  )
  if (unread !== undefined) throw new Failure(`${found.file.path}: ${unread.message}`)
  return { session, agentId: found.agentId }
}

/** A path outside of the archive is looked at with the folder it lies in, so that its relatives are found too. */
function archiveFor(reference: string, roots: readonly string[] | undefined, world: World): FoundArchive {
  const path = resolve(world.folder, reference)
  if (!reference.endsWith('.jsonl') || !existsSync(path)) return openArchive(roots, world)
  const folder = findArchive([dirname(path)])
  return folder.projects.some((project) => project.files.some((file) => file.path === path))
    ? folder
    : findArchive([path])
}

function notFound(reference: string, archive: FoundArchive): string {
  if (archive.projects.length === 0) {
    return 'there are no conversations here. Name a Claude directory with --root DIR or CLAUDE_CONFIG_DIR.'
  }
  return `no conversation has the id, title or path “${reference}”. Try: clew list`
}
