// One Session from disk, woven: its Project is read because only the other files tell what it continues or copies.

import type { Woven } from '../conversation/build.ts'
import { weave } from '../conversation/build.ts'
import type { AgentTranscript } from '../conversation/subagents.ts'
import type { TipRule } from '../graph/context.ts'
import type { Relation } from '../graph/relate.ts'
import { newLabels } from '../record/labels.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { FoundTranscripts, Project } from './found.ts'
import { mainFiles } from './found.ts'
import type { LoadedProject } from './project.ts'
import { finishProject, weaveMain } from './project.ts'
import type { LoadedFile, ReadFile } from './read.ts'
import { loadFile } from './read.ts'

export interface OpenSession {
  readonly woven: Woven
  readonly main: LoadedFile
  /** What was read to find its subagents: all of theirs, and in old projects those of others. */
  readonly agents: readonly LoadedFile[]
  /** Sessions that go on from this one or were forked from it. */
  readonly children: readonly SessionChild[]
}

export interface SessionChild {
  readonly sessionId: string
  readonly relation: 'continues' | 'forkOf'
}

/** What an index knows of how a session is related to others. */
export interface SessionKin {
  readonly relation: Relation
  readonly children: readonly SessionChild[]
  /** Main transcripts that its conversation is made of, its own among them. */
  readonly mains: readonly TranscriptFile[]
}

/** Null where the others have to be read. */
export type FindKin = (archive: FoundTranscripts, file: TranscriptFile) => SessionKin | null

const UNKNOWN: FindKin = () => null

export function openSession(
  archive: FoundTranscripts,
  file: TranscriptFile,
  tipRule: TipRule,
  read: ReadFile = loadFile,
  findKin = UNKNOWN,
): OpenSession {
  const { woven, main, agents, children } = openAlone(archive, file, tipRule, read, findKin)
  const { continues, forkOf } = woven.source.relation
  return { woven: { ...woven, source: { ...woven.source, relation: { continues, forkOf } } }, main, agents, children }
}

/**
 * The same without looking at the other sessions of the Project, unless this one needs a record from them. Its relation and
 * its children are found when somebody asks for them.
 */
export function openAlone(
  archive: FoundTranscripts,
  file: TranscriptFile,
  tipRule: TipRule,
  read: ReadFile = loadFile,
  findKin = UNKNOWN,
): OpenSession {
  const project = projectOf(archive, file)
  const { own, left } = agentFiles(archive, project, file)
  const main = read(file)
  const agents = [...own, ...left].map((one) => read(one))
  let known: Related | null = null
  const related = (): Related => {
    const readOther: ReadFile = (one) => (one === file ? main : read(one))
    const kin = known === null ? findKin(archive, file) : null
    known ??= kin === null ? amongAll(archive, project, main, agents, readOther) : amongKin(project, kin, readOther)
    return known
  }
  const woven = weaveMain(
    main,
    lazyRelation(() => related().relation),
    {
      agents,
      find: (uuid, except) => related().loaded.find(uuid, except),
      get mains() {
        return related().loaded.mains
      },
    },
    tipRule,
  )
  return {
    woven,
    main,
    agents,
    get children() {
      return related().children()
    },
  }
}

interface Related {
  readonly loaded: LoadedProject
  readonly relation: Relation | undefined
  readonly children: () => readonly SessionChild[]
}

function amongAll(
  archive: FoundTranscripts,
  project: Project,
  main: LoadedFile,
  agents: readonly LoadedFile[],
  read: ReadFile,
): Related {
  const loaded = loadWhole(archive, project, agents, read)
  const relation = loaded.relations[loaded.mains.indexOf(main)]
  return { loaded, relation, children: () => childrenOf(loaded, main.transcript.sessionId) }
}

function amongKin(project: Project, { mains, relation, children }: SessionKin, read: ReadFile): Related {
  const loaded = finishProject(project, mains.map(read), [], () => [])
  return { loaded, relation, children: () => children }
}

export function projectOf(archive: FoundTranscripts, file: TranscriptFile): Project {
  const project = archive.projects.find((one) => one.files.includes(file))
  if (project === undefined) throw new Error(`not a file of this archive: ${file.path}`)
  return project
}

export interface AgentFiles {
  /** In the project of the session. Of some only their records say whose they are. */
  readonly own: readonly TranscriptFile[]
  readonly left: readonly TranscriptFile[]
}

/** A session that moved into a worktree leaves its subagents behind in the folder it came from. */
export function agentFiles(archive: FoundTranscripts, project: Project, file: TranscriptFile): AgentFiles {
  const own = project.files.filter(
    (one) => one.role === 'subagent' && (one.sessionId === null || one.sessionId === file.sessionId),
  )
  // Where the session lies once more, they are of that one.
  const left = archive.projects
    .filter((one) => one !== project && !one.files.some((other) => isSameMain(other, file)))
    .flatMap((one) => one.files.filter((left) => isAgentOf(left, file)))
  return { own, left }
}

function loadWhole(
  archive: FoundTranscripts,
  project: Project,
  agents: readonly LoadedFile[],
  read: ReadFile,
): LoadedProject {
  const mains = project.files.filter(({ role }) => role === 'main').map((one) => read(one))
  return finishProject(project, [...mains, ...relatives(archive, mains).map((one) => read(one))], agents)
}

function lazyRelation(find: () => Relation | undefined): Relation {
  return {
    get continues() {
      return find()?.continues ?? null
    },
    get forkOf() {
      return find()?.forkOf ?? null
    },
  }
}

function isSameMain(one: TranscriptFile, other: TranscriptFile): boolean {
  return one.role === 'main' && one.sessionId === other.sessionId
}

function isAgentOf(agent: TranscriptFile, main: TranscriptFile): boolean {
  return agent.role === 'subagent' && agent.sessionId !== null && agent.sessionId === main.sessionId
}

function childrenOf(project: LoadedProject, sessionId: string): readonly SessionChild[] {
  return project.relations.flatMap(({ continues, forkOf }, index): readonly SessionChild[] => {
    const child = (project.mains[index] as LoadedFile).transcript.sessionId
    if (continues === sessionId) return [{ sessionId: child, relation: 'continues' }]
    return forkOf === sessionId ? [{ sessionId: child, relation: 'forkOf' }] : []
  })
}

/** A subagent seen as a conversation of its own. */
export function openSubagent(session: OpenSession, agentId: string, tipRule: TipRule): Woven | null {
  const agent = findAgent(session.woven, agentId)
  if (agent === null) return null
  const { sessionId, projectKey } = session.woven.source
  const main = { path: agent.path, sessionId, envelopes: agent.envelopes, problems: [], labels: newLabels() }
  const relation = { continues: null, forkOf: null }
  const agents = agentsBelow(session.woven, agent.agentId)
  return weave(
    { sessionId, projectKey, main, earlier: [], agents, relation, sidecarTitle: null, isSubagent: true },
    tipRule,
  )
}

function agentsBelow(woven: Woven, agentId: string): readonly AgentTranscript[] {
  const below = new Set([agentId])
  // Sorted by depth: a parent is met before its children.
  for (const one of woven.agents.subagents) if (below.has(one.parentAgentId ?? '')) below.add(one.agentId)
  below.delete(agentId)
  return woven.source.agents.filter((agent) => below.has(agent.agentId))
}

export function findAgent(woven: Woven, agentId: string): AgentTranscript | null {
  const all = [...woven.source.agents, ...woven.inline]
  const exact = all.find((agent) => agent.agentId === agentId)
  if (exact !== undefined) return exact
  const byPrefix = all.filter((agent) => agent.agentId.startsWith(agentId))
  return byPrefix.length === 1 ? (byPrefix[0] ?? null) : null
}

/** Files of other projects that a record names by session id: a fork taken in a worktree lies in another folder. */
function relatives(archive: FoundTranscripts, mains: readonly LoadedFile[]): readonly TranscriptFile[] {
  const named = new Set<string>()
  const known = new Set(mains.map((main) => main.transcript.sessionId))
  for (const { transcript } of mains) {
    for (const { sessionId, links } of transcript.envelopes) {
      for (const id of [sessionId, links?.forkedFromSessionId, links?.parentSessionId]) {
        if (typeof id === 'string' && !known.has(id)) named.add(id)
      }
    }
  }
  return mainFiles(archive).filter((file) => file.sessionId !== null && named.has(file.sessionId))
}
