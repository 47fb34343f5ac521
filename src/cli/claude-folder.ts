// Commands that look beside the transcripts (settings, live sessions, a trash of their own) need the Claude directory
// itself. Its `projects` folder says where that is; any other folder with transcripts does not.

import type { FoundTranscripts } from '../load/found.ts'
import { distinctPlaces } from '../source/real-place.ts'
import { claudeFolder } from '../source/roots.ts'
import type { World } from './command.ts'
import { openOwnTranscripts } from './command.ts'
import { Failure } from './failure.ts'

/** The archive with Claude directories as its roots. */
export function openClaudeFolders(
  command: string,
  roots: readonly string[] | undefined,
  world: World,
): FoundTranscripts {
  const archive = openOwnTranscripts(roots, world)
  const folders = archive.roots.map(claudeFolder)
  const wrong = archive.roots.find((_, place) => folders[place] === null)
  const found = distinctPlaces(folders.flatMap((folder) => folder ?? []))
  // Of the places that are looked at unasked, one may be there for something else.
  if (wrong !== undefined && (roots !== undefined || found.length === 0)) {
    throw new Failure(`${command} needs a Claude directory, one with a “projects” folder in it, not ${wrong}`)
  }
  return found.join('\n') === archive.roots.join('\n') ? archive : openOwnTranscripts(found, world)
}
