// What `clew list` shows, project by project, and a large project by those that belong together, so that memory is bounded.

import type { Woven } from '../conversation/build.ts'
import type { ConversationSummary } from '../conversation/summary.ts'
import { summarise } from '../conversation/summary.ts'
import { titleOf } from '../conversation/title.ts'
import { readCustomTitle } from '../source/sidecar.ts'
import type { Project } from './found.ts'
import { partsOf, WHOLE_BYTES } from './parts.ts'
import type { LoadedProject } from './project.ts'
import { loadProject, weaveSession } from './project.ts'
import type { LoadedFile, ReadFile } from './read.ts'
import { loadFile } from './read.ts'

export interface ListedConversation extends ConversationSummary {
  readonly modifiedMs: number
  readonly sizeBytes: number
  /** Its own file was deleted; this is the archive's copy. Where it was found says so, not what is in it. */
  readonly isCopy: boolean
}

export function listProject(project: Project, read: ReadFile = loadFile): readonly ListedConversation[] {
  const places = new Map(project.files.map(({ path }, place) => [path, place]))
  const place = ({ path }: ListedConversation): number => places.get(path) ?? 0
  return [...wovenRows(project, read)].map(({ row }) => row).sort((one, other) => place(one) - place(other))
}

export interface WovenRow {
  readonly row: ListedConversation
  readonly woven: Woven
  readonly main: LoadedFile
}

/** One at a time, because a Woven is large: whoever wants more of it than a row takes that before the next. */
export function* wovenRows(
  project: Project,
  read: ReadFile,
  wholeBytes = WHOLE_BYTES,
): Generator<WovenRow, void, void> {
  yield* wovenParts(partsOf(project, read, wholeBytes), read)
}

export function* wovenParts(parts: Iterable<Project>, read: ReadFile): Generator<WovenRow, void, void> {
  for (const part of parts) {
    const loaded = loadProject(part, { readsAgents: false, read })
    for (const index of loaded.mains.keys()) {
      const row = wovenRow(loaded, index)
      if (row !== null) yield row
    }
  }
}

/** Null for what is no conversation. */
export function wovenRow(loaded: LoadedProject, index: number): WovenRow | null {
  const main = loaded.mains[index]
  if (main === undefined || !isConversation(main)) return null
  const woven = weaveSession(loaded, index, 'resume')
  const summary = summarise(woven, seriousProblems(main))
  // The last record's own time: copying or touching files changes what the file system says.
  const modifiedMs = summary.lastRecordMs ?? main.file.modifiedMs
  return { row: { ...summary, modifiedMs, sizeBytes: main.file.sizeBytes, isCopy: false }, woven, main }
}

/** Something was said in it, or it has a name. Queue leftovers, empty files and subagent stubs are no conversations. */
export function isConversation({ file, transcript }: LoadedFile): boolean {
  const isSaid = transcript.envelopes.some(
    ({ kind, isSidechain }) => (kind === 'prompt' || kind === 'reply' || kind === 'injection') && !isSidechain,
  )
  if (isSaid) return true
  const beside = file.sessionFolder === null ? null : readCustomTitle(file.sessionFolder).value
  return titleOf(transcript.labels, beside).source !== 'none'
}

/** Notes (a missing last line end, say) are for `clew check`; here they would only alarm. */
function seriousProblems({ transcript }: LoadedFile): number {
  return transcript.problems.filter(({ severity }) => severity !== 'info').length
}
