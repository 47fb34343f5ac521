// From an archive to the histories of its files, and to the Turn behind each Version. Projects are read one after the
// other, and only those in which something that is asked for can be found.

import type { Woven } from '../conversation/build.ts'
import type { Bodies } from '../load/bodies.ts'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { ReadFile } from '../load/read.ts'
import type { FindKin, OpenSession } from '../load/session.ts'
import { openAlone } from '../load/session.ts'
import type { TranscriptFile } from '../source/model.ts'
import { deedsOfTranscript, inOrder, mentions } from './gather.ts'
import { historiesOf } from './history.ts'
import type { DeedPlace, FileHistory, PlacedDeed } from './model.ts'
import type { FolderMove } from './moved.ts'
import { deedsNow } from './moved.ts'
import { nameOf } from './paths.ts'
import type { FindTurn, TurnRef } from './turns.ts'
import { turnFinder } from './turns.ts'

export interface RecoverScope {
  readonly archive: FoundTranscripts
  readonly read: ReadFile
  readonly kin?: FindKin | undefined
  readonly bodies: Bodies
  /** Which main transcripts, with their subagents; null for all. */
  readonly sessions: ReadonlySet<string> | null
  /** Names of files: transcripts that mention none of them are passed over. Null for all. */
  readonly names: readonly string[] | null
  readonly moves: readonly FolderMove[]
}

export interface Recovered {
  readonly histories: ReadonlyMap<string, FileHistory>
  readonly turnOf: (place: DeedPlace) => TurnRef | null
}

export function recoverFiles(scope: RecoverScope): Recovered {
  const deeds = new Map<string, readonly PlacedDeed[]>()
  const finders = new Map<string, () => FindTurn | null>()
  let names = scope.names === null ? null : new Set(scope.names.map(nameOf))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const project of scope.archive.projects)
      gather(project, { ...scope, names: names && [...names] }, deeds, finders)
    const moved = names === null ? null : formerNames([...deeds.values()].flat(), names)
    if (moved === null || moved.size === names?.size) break
    names = moved
  }
  const turnOf = (place: DeedPlace): TurnRef | null => finders.get(place.sessionId)?.()?.(place) ?? null
  return { histories: historiesOf(deedsNow(inOrder([...deeds.values()].flat()), scope.moves)), turnOf }
}

/** The files of one conversation, with its subagents and with what it continues. */
export function recoverConversation(session: OpenSession, bodies: Bodies, moves: readonly FolderMove[]): Recovered {
  const { main, agents, earlier } = session.woven.source
  const ownAgents = agents.filter(({ isInline }) => !isInline)
  const deeds = [
    ...deedsOfTranscript({ ...main, agentId: null }, bodies),
    ...ownAgents.flatMap((agent) => deedsOfTranscript({ ...agent, sessionId: main.sessionId }, bodies)),
    ...earlier.flatMap((one) => inThread(deedsOfTranscript({ ...one, agentId: null }, bodies), session.woven)),
  ]
  return { histories: historiesOf(deedsNow(inOrder(deeds), moves)), turnOf: turnFinder(session.woven, bodies) }
}

/** Of an earlier file only what belongs to this conversation: it may have gone on another way. */
function inThread(deeds: readonly PlacedDeed[], { joined }: Woven): readonly PlacedDeed[] {
  return deeds.filter(({ place }) => place.uuid === null || joined.byUuid.has(place.uuid))
}

/** What was moved had another name before, and another conversation may know it by that. */
const ROUNDS_MAX = 4

function formerNames(deeds: readonly PlacedDeed[], names: ReadonlySet<string>): Set<string> {
  const all = new Set(names)
  for (const { deed } of deeds) {
    if (deed.kind === 'move' && names.has(nameOf(deed.to))) all.add(nameOf(deed.from))
  }
  return all
}

function gather(
  project: Project,
  scope: RecoverScope,
  deeds: Map<string, readonly PlacedDeed[]>,
  finders: Map<string, () => FindTurn | null>,
): void {
  for (const file of project.files) {
    if (deeds.has(file.path) || !isWanted(file, scope)) continue
    const read = scope.read(file)
    const { sessionId } = read.transcript
    if (scope.sessions !== null && !scope.sessions.has(sessionId)) continue
    deeds.set(file.path, deedsOfTranscript({ ...read.transcript, agentId: file.agentId }, scope.bodies))
    if (!finders.has(sessionId))
      finders.set(
        sessionId,
        once(() => finderFor(project, sessionId, scope)),
      )
  }
}

function isWanted(file: TranscriptFile, { sessions, names }: RecoverScope): boolean {
  const isChosen = sessions === null || file.sessionId === null || sessions.has(file.sessionId)
  return isChosen && (names === null || mentions(file, names))
}

function finderFor({ files }: Project, sessionId: string, scope: RecoverScope): FindTurn | null {
  const main = files.find((file) => file.role === 'main' && file.sessionId === sessionId)
  if (main === undefined) return null
  const { woven } = openAlone(scope.archive, main, 'resume', scope.read, scope.kin)
  return turnFinder(woven, scope.bodies)
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
