// Everything `clew check` says about a file: where each byte went, what is wrong, what the live tip reaches, what is new.

import { basename } from 'node:path'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { conversationProblems } from '../conversation/build.ts'
import type { Reach } from '../conversation/reach.ts'
import { reachOf } from '../conversation/reach.ts'
import type { Drift, DriftCounts } from '../record/drift.ts'
import { countDrift, countKinds, driftOf } from '../record/drift.ts'
import type { ByteAccount, Envelope } from '../record/model.ts'
import { holdsLoneSurrogate } from '../record/surrogates.ts'
import type { TranscriptFile, TranscriptRole } from '../source/model.ts'
import { readAgentMeta, readArchivedMs, readCustomTitle } from '../source/sidecar.ts'
import type { Project } from './found.ts'
import { partsOf, WHOLE_BYTES } from './parts.ts'
import { loadProject, weaveSession } from './project.ts'
import type { LoadedFile } from './read.ts'
import { loadFile } from './read.ts'

export interface UnplacedRecord {
  readonly line: number
  readonly type: string
  readonly reason: string
}

export interface CheckedFile {
  readonly path: string
  readonly role: TranscriptRole
  readonly sessionId: string
  readonly account: ByteAccount
  readonly recordCount: number
  /** Records with a uuid that repeat an earlier one. */
  readonly replays: number
  readonly problems: readonly Problem[]
  readonly unplaced: readonly UnplacedRecord[]
  /** Null for a subagent's file. */
  readonly reach: Reach | null
  readonly drift: readonly Drift[]
}

/** A file with what can only be seen while its Bodies pass by. */
export interface CheckedRead {
  readonly loaded: LoadedFile
  readonly drift: readonly Drift[]
  readonly textProblems: readonly Problem[]
}

export function readForCheck(file: TranscriptFile): CheckedRead {
  const drift: DriftCounts = new Map()
  const textProblems: Problem[] = []
  const loaded = loadFile(file, {
    visit: (envelope, body) => {
      countDrift(drift, envelope, body)
      const { line, offset, length } = envelope
      if (holdsLoneSurrogate(body))
        textProblems.push(problem('lone-surrogate', { path: file.path, line, offset, length }))
    },
    visitSketch: (envelope) => countKinds(drift, envelope),
  })
  return { loaded, drift: driftOf(drift), textProblems }
}

export function checkProject(
  project: Project,
  readOne = readForCheck,
  wholeBytes = WHOLE_BYTES,
): readonly CheckedFile[] {
  const places = new Map(project.files.map(({ path, role }, place) => [path, role === 'main' ? place - OTHERS : place]))
  const place = ({ path }: CheckedFile): number => places.get(path) ?? 0
  return [...partsOf(project, (file) => readOne(file).loaded, wholeBytes)]
    .flatMap((part) => checkPart(part, readOne))
    .sort((one, other) => place(one) - place(other))
}

/** Subagents come behind all main transcripts. */
const OTHERS = 2 ** 40

function checkPart(project: Project, readOne: typeof readForCheck): readonly CheckedFile[] {
  const reads = new Map<string, CheckedRead>()
  const read = (file: TranscriptFile): LoadedFile => {
    const one = readOne(file)
    reads.set(file.path, one)
    return one.loaded
  }
  const loaded = loadProject(project, { readsAgents: true, read })
  // A subagent that nothing refers to is noticed with its conversation, and told with its own file.
  const told = new Map<string, Problem[]>()
  const reaches = loaded.mains.map((_, index) => {
    const woven = weaveSession(loaded, index, 'resume')
    for (const found of conversationProblems(woven)) {
      const path = found.position?.path ?? woven.source.main.path
      const known = told.get(path)
      if (known === undefined) told.set(path, [found])
      else known.push(found)
    }
    return reachOf(woven)
  })
  const checked = (one: LoadedFile, problems: readonly Problem[], reach: Reach | null): CheckedFile => {
    const { file, transcript, account } = one
    const seen = reads.get(file.path)
    const others = [told.get(file.path) ?? [], seen?.textProblems ?? [], tornTail(one), sidecarProblems(file)]
    return {
      path: file.path,
      role: file.role,
      sessionId: transcript.sessionId,
      account,
      recordCount: transcript.envelopes.length,
      replays: replaysOf(transcript.envelopes),
      problems: [problems, ...others].flat(),
      unplaced: unplacedOf(transcript.envelopes),
      reach,
      drift: seen?.drift ?? [],
    }
  }
  return [
    ...loaded.mains.map((main, index) => checked(main, [], reaches[index] ?? null)),
    ...loaded.agents.map((agent) => checked(agent, agent.transcript.problems, null)),
  ]
}

/** Records that belong to no Turn, no Subagent and not to the Conversation as a whole. */
function unplacedOf(envelopes: readonly Envelope[]): readonly UnplacedRecord[] {
  return envelopes
    .filter(({ uuid, kind }) => uuid === null && kind !== 'metadata')
    .map(({ line, type, kind }) => {
      const reason = kind === 'unknown' ? 'unknown type without a uuid' : `a ${type} record without a uuid`
      return { line, type: type === '' ? '(none)' : type, reason }
    })
}

function replaysOf(envelopes: readonly Envelope[]): number {
  const seen = new Set<string>()
  let replays = 0
  for (const { uuid } of envelopes) {
    if (uuid === null) continue
    if (seen.has(uuid)) replays++
    seen.add(uuid)
  }
  return replays
}

const QUIET_MS = 60_000

/** A half-written last line is only a loss once the file has stopped growing. */
export function tornTail({ file, account, lineCount }: LoadedFile): readonly Problem[] {
  if (account.tail === 0 || Date.now() - file.modifiedMs < QUIET_MS) return []
  const offset = account.sizeBytes - account.tail
  return [problem('torn-tail', { path: file.path, line: lineCount, offset, length: account.tail })]
}

/** What is wrong with the small files beside a transcript is told with it: they have no account of their own. */
function sidecarProblems(file: TranscriptFile): readonly Problem[] {
  const { role, sessionFolder } = file
  const titles = sessionFolder === null ? [] : [readCustomTitle(sessionFolder), readArchivedMs(sessionFolder)]
  return (role === 'subagent' ? [readAgentMeta(file)] : titles).flatMap(({ problem: found }) => {
    if (found === null) return []
    const message = `${basename(found.position?.path ?? '')} cannot be read or is not JSON`
    return [problem(found.code, { path: file.path, line: 0, offset: 0, length: 0 }, message)]
  })
}
