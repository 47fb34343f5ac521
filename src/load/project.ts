// A Project from disk to woven Conversations: all its transcripts read once, related to each other, each with its
// subagents and with what it needs from the others.

import type { FindSession, FindTranscript } from '../conversation/ancestors.ts'
import { earlierTranscripts } from '../conversation/ancestors.ts'
import type { ConversationSource, LoadedTranscript, Woven } from '../conversation/build.ts'
import { weave } from '../conversation/build.ts'
import type { AgentTranscript } from '../conversation/subagents.ts'
import type { TipRule } from '../graph/context.ts'
import type { Owners } from '../graph/owners.ts'
import { isMadeUp, ownersOf } from '../graph/owners.ts'
import type { Relation } from '../graph/relate.ts'
import { relate } from '../graph/relate.ts'
import { buildThread } from '../graph/thread.ts'
import { newLabels } from '../record/labels.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Sidecar } from '../source/sidecar.ts'
import { readArchivedMs, readCustomTitle } from '../source/sidecar.ts'
import type { Project } from './found.ts'
import type { LoadedFile, ReadFile } from './read.ts'
import { agentOf, loadFile } from './read.ts'

export interface LoadedProject {
  readonly project: Project
  readonly mains: readonly LoadedFile[]
  readonly agents: readonly LoadedFile[]
  readonly relations: readonly Relation[]
  readonly find: FindTranscript
}

export interface LoadOptions {
  /** Subagents in their own folders can be counted without being read. */
  readonly readsAgents: boolean
  /** From disk unless told otherwise. */
  readonly read?: ReadFile
  /** Where only some of the transcripts are given, what is known of how the others are related to them. */
  readonly relations?: (mains: readonly LoadedFile[]) => readonly Relation[]
}

export function loadProject(project: Project, options: LoadOptions): LoadedProject {
  const read = options.read ?? ((file) => loadFile(file))
  const mains: LoadedFile[] = []
  const agents: LoadedFile[] = []
  for (const file of project.files) {
    // A flat agent file does not say in its name whose it is.
    if (file.role === 'main') mains.push(read(file))
    else if (options.readsAgents || file.sessionId === null) agents.push(read(file))
    else agents.push(unread(file))
  }
  return finishProject(project, mains, agents, options.relations)
}

export function finishProject(
  project: Project,
  mains: readonly LoadedFile[],
  agents: readonly LoadedFile[],
  relations: LoadOptions['relations'] = undefined,
): LoadedProject {
  const transcripts = mains.map(({ transcript }) => transcript)
  let known: Owners | null = null
  const owners = (): Owners => {
    known ??= ownersOf(transcripts)
    return known
  }
  const related = relations?.(mains) ?? relate(transcripts, transcripts.length < 2 ? null : owners())
  return { project, mains, agents, relations: related, find: finder(transcripts, owners) }
}

export function weaveSession(loaded: LoadedProject, index: number, tipRule: TipRule): Woven {
  const relation = loaded.relations[index] ?? { continues: null, forkOf: null }
  return weaveMain(loaded.mains[index] as LoadedFile, relation, loaded, tipRule)
}

/** Who is asked only about what the transcript itself does not hold: `mains` and `find` may take long. */
export function weaveMain(
  { file, transcript }: LoadedFile,
  relation: Relation,
  loaded: Pick<LoadedProject, 'mains' | 'agents' | 'find'>,
  tipRule: TipRule,
): Woven {
  const own = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
  const title = file.sessionFolder === null ? null : readCustomTitle(file.sessionFolder)
  const findSession: FindSession = (sessionId, except) => sessionFinder(loaded.mains)(sessionId, except)
  const earlier = earlierTranscripts(transcript, own, loaded.find, findSession)
  const agents = agentsOf(loaded.agents, transcript.sessionId)
  const broken = [title?.problem ?? null, ...agents.map((agent) => agent.problem)].filter((one) => one !== null)
  const source: ConversationSource = {
    sessionId: transcript.sessionId,
    projectKey: file.projectKey,
    main: broken.length === 0 ? transcript : { ...transcript, problems: [...transcript.problems, ...broken] },
    own,
    earlier: earlier.transcripts,
    joins: earlier.joins,
    agents: agents.flatMap((agent) => agent.value ?? []),
    relation,
    sidecarTitle: title?.value ?? null,
    archivedMs: file.sessionFolder === null ? null : readArchivedMs(file.sessionFolder).value,
  }
  return weave(source, tipRule)
}

function sessionFinder(mains: readonly LoadedFile[]): FindSession {
  return (sessionId, except) =>
    mains.find(({ transcript }) => transcript.sessionId === sessionId && !except.has(transcript.path))?.transcript ??
    null
}

function agentsOf(agents: readonly LoadedFile[], sessionId: string): readonly Sidecar<AgentTranscript>[] {
  return agents.filter(({ transcript }) => transcript.sessionId === sessionId).map(agentOf)
}

function unread(file: TranscriptFile): LoadedFile {
  const sessionId = file.sessionId ?? ''
  const account = { sizeBytes: file.sizeBytes, records: 0, problems: 0, tail: 0, blank: 0 }
  const transcript = { path: file.path, sessionId, envelopes: [], problems: [], labels: newLabels() }
  return { file, account, lineCount: 0, transcript }
}

function finder(transcripts: readonly LoadedTranscript[], owners: () => Owners): FindTranscript {
  // Whoever asks does not mean the one that asks.
  if (transcripts.length < 2) return () => null
  return (uuid, except) => {
    if (isMadeUp(uuid)) return null
    const known = owners().get(uuid) ?? []
    for (const index of typeof known === 'number' ? [known] : known) {
      const transcript = transcripts[index] as LoadedTranscript
      if (!except.has(transcript.path)) return transcript
    }
    return null
  }
}
