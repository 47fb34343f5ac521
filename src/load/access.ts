// Where transcripts, lists and checks come from. Everything can be read from the disk; an index that has read the same
// files before can answer in its place, and must give the same answers.

import type { CheckedFile } from './check.ts'
import type { FoundTranscripts } from './found.ts'
import type { ListedConversation } from './list.ts'
import { listConversations } from './list-all.ts'
import type { OnProgress } from './pool.ts'
import { runProjects } from './pool.ts'
import type { ReadFile } from './read.ts'
import { loadFile } from './read.ts'
import type { FindKin } from './session.ts'

export interface Access {
  readonly read: ReadFile
  readonly list: (archive: FoundTranscripts, onProgress?: OnProgress) => Promise<readonly ListedConversation[]>
  /** When the conversations that a list shows were last added to, by the paths of their files; of others nothing is known. */
  readonly lastTimes?: (archive: FoundTranscripts) => LastTimes | undefined
  /** How a session is related to others, where it is known without reading them. */
  readonly kin?: FindKin
  readonly check: (archive: FoundTranscripts, onProgress?: OnProgress) => Promise<readonly CheckedFile[]>
}

export interface LastTimes {
  readonly byPath: ReadonlyMap<string, number>
  /** No list shows the other files of the archive. */
  readonly isWhole: boolean
}

export const FROM_DISK: Access = {
  read: loadFile,
  list: listConversations,
  check: async (archive, onProgress) => (await runProjects(archive.projects, 'check', onProgress)).flat(),
}
