// From the reference a person typed to an open session, with every way it can fail said in one line.

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Woven } from '../conversation/build.ts'
import { inlineAgentOf } from '../conversation/locate.ts'
import type { Subagent } from '../conversation/model.ts'
import type { TipRule } from '../graph/context.ts'
import { FROM_DISK } from '../load/access.ts'
import type { FoundSession } from '../load/find.ts'
import { findSession } from '../load/find.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { findBeside, isCopy, mainFiles, onlyFiles } from '../load/found.ts'
import type { OpenSession } from '../load/session.ts'
import { findAgent, openAlone, openSession, openSubagent } from '../load/session.ts'
import { quoteWord } from '../render/resume-command.ts'
import { safeLine } from '../render/terminal.ts'
import { cutTo } from '../render/width.ts'
import type { GoneConversation } from '../search/access.ts'
import type { TranscriptFile } from '../source/model.ts'
import { chooseRoots, transcriptBehind } from '../source/roots.ts'
import type { World } from './command.ts'
import { keptHint, openTranscripts } from './command.ts'
import { Failure } from './failure.ts'
import type { Indexed } from './indexed.ts'
import { lookIntoIndex } from './indexed.ts'
import { isInside } from './scope.ts'

export interface Referenced {
  readonly session: OpenSession
  readonly agentId: string | null
  /** What stands behind a `#`: the record a search found. */
  readonly record: string | null
  /** Its own file was deleted. */
  readonly isCopy: boolean
  /** Another command may not find it by its id: it was named by its path, or looked for below a root that was named. */
  readonly isByPath: boolean
}

export interface ReferenceOptions {
  readonly root?: readonly string[] | undefined
  readonly 'no-index'?: boolean | undefined
  /** Nobody will ask what else the session is related to. */
  readonly isAlone?: boolean
}

export interface OpenedAgent {
  readonly woven: Woven
  readonly agent: Subagent
}

export async function openReference(
  reference: string | undefined,
  options: ReferenceOptions,
  world: World,
  tipRule: TipRule,
): Promise<Referenced> {
  return findReference(reference, options, world, async (found) => {
    if (options.isAlone !== true) await found.indexed.knowsKin(found.archive, found.file)
    return openFound(found, tipRule, options.isAlone)
  })
}

/** What a reference names, before any of it is read. */
export interface FoundReference extends Omit<Referenced, 'session'> {
  readonly archive: FoundTranscripts
  readonly file: TranscriptFile
  /** Open as long as somebody makes use of what was found. */
  readonly indexed: Indexed
}

export async function findReference<Value>(
  typed: string | undefined,
  { root: roots, 'no-index': noIndex }: ReferenceOptions,
  world: World,
  use: (found: FoundReference) => Value | Promise<Value>,
): Promise<Value> {
  if (typed === undefined) throw new Failure('which conversation? Give an id, a prefix, a title, a path or “latest”.')
  const transcript = transcriptIn(typed, world)
  const behind = transcript === null ? null : transcriptBehind(transcript)
  const reference = behind === transcript ? typed : `${behind}${resolve(world.folder, typed).slice(transcript?.length)}`
  const held = behind === null ? null : archiveHolding(sessionPath(behind), roots, noIndex !== true, world)
  const archive = held ?? archiveFor(behind, roots, noIndex !== true, world)
  const isByPath = behind !== null || roots !== undefined
  return lookIntoIndex(noIndex, world, async (opened) => {
    // What lies beside a path is no archive that the index is kept for.
    const indexed = behind === null || held !== null ? opened : { ...opened, knowsKin: async () => undefined }
    const { access, gone } = indexed
    // A title may hold such a mark too, so what has one is tried both ways.
    const [, before, record = null] = /^(.+)#(@?[\w-]+)$/s.exec(reference) ?? []
    const marked = before === undefined ? null : await findSession(archive, before, access)
    if (marked !== null && marked.state !== 'none')
      return use({ ...(await theOne(marked, reference, archive, world)), record, isByPath, archive, indexed })
    const found = await findSession(archive, reference, access)
    const deleted =
      found.state === 'none'
        ? gone(archive.roots).find(({ row }) => row.sessionId.startsWith(before ?? reference))
        : undefined
    if (deleted !== undefined) throw new Failure(deletedNote(deleted))
    return use({ ...(await theOne(found, reference, archive, world)), record: null, isByPath, archive, indexed })
  })
}

async function theOne(
  found: FoundSession,
  reference: string,
  archive: FoundTranscripts,
  world: World,
): Promise<Pick<FoundReference, 'file' | 'agentId' | 'isCopy'>> {
  if (found.state === 'none') throw new Failure(notFound(reference, archive, world))
  if (found.state === 'ambiguous') throw new Failure(await severalNote(reference, found.candidates, archive))
  const { file, agentId } = found
  noteOlder(found, world)
  return { file, agentId, isCopy: isCopy(archive, file.path) }
}

const FITTING_MAX = 5
const TITLE_COLUMNS = 40

/** With their titles: ids alone tell nobody which one was meant. The index would have to know all of their projects. */
export async function severalNote(
  reference: string,
  candidates: readonly TranscriptFile[],
  archive: FoundTranscripts,
): Promise<string> {
  const shown = candidates.slice(0, FITTING_MAX)
  const rows = await FROM_DISK.list(onlyFiles(archive, shown))
  const titles = new Map(rows.map(({ path, title }) => [path, cutTo(safeLine(title), TITLE_COLUMNS)]))
  const names = shown.map(({ path, sessionId }) => `${sessionId} (${titles.get(path) || 'no title'})`)
  const more = candidates.length > shown.length ? `, and ${candidates.length - shown.length} more` : ''
  return `“${reference}” fits ${candidates.length} conversations: ${names.join(', ')}${more}`
}

/** A session may lie in two projects: whoever named it by its id should know which file is meant. */
export function noteOlder({ file, older }: Extract<FoundSession, { readonly state: 'found' }>, world: World): void {
  const [first] = older
  if (first === undefined) return
  const more = older.length > 1 ? ` and ${older.length - 1} more` : ''
  world.output.note(`clew: ${file.path} is taken; an older file of this session is ${first.path}${more}`)
}

/** `isAlone`: nobody will ask what else the session is related to. */
export function openFound(found: FoundReference, tipRule: TipRule, isAlone = false): Referenced {
  const { archive, file, agentId, record, isCopy, isByPath, indexed } = found
  const { read, kin } = indexed.access
  const session = (isAlone ? openAlone : openSession)(archive, file, tipRule, read, kin)
  const unread = session.main.transcript.problems.find(
    ({ code }) => code === 'file-unreadable' || code === 'file-not-regular',
  )
  if (unread !== undefined) throw new Failure(`${file.path}: ${unread.message}`)
  // Old clients wrote their subagents into the main file, and nobody names a record of them with its agent.
  const inside = agentId ?? (record === null ? null : inlineAgentOf(session.woven, record))
  return { session, agentId: inside, record, isCopy, isByPath }
}

/** A command that finds the same conversation. */
export function commandFor(name: string, referenced: Pick<Referenced, 'session' | 'isByPath'>): string {
  return `clew ${name} ${wordFor(referenced)}`
}

/** What any command finds it by. */
export function wordFor({ session, isByPath }: Pick<Referenced, 'session' | 'isByPath'>): string {
  const { sessionId } = session.woven.source
  const isName = !isByPath && /^[\w-]{8}/.test(sessionId)
  return isName ? sessionId.slice(0, 8) : quoteWord(session.main.file.path)
}

/**
 * All that is below the roots when a session that was named by its path is among it: then the index knows what it is
 * related to, as it does when it is named by its id.
 */
export function archiveHolding(
  path: string,
  roots: readonly string[] | undefined,
  mayLookAgain: boolean,
  world: World,
): FoundTranscripts | null {
  const { environment, home } = world
  const places = chooseRoots({ roots: roots ?? [], environment, home }).roots
  // A root may be this one file: then its relatives are what lies beside it.
  if (!places.some((root) => root !== path && isInside(path, root))) return null
  try {
    const archive = openTranscripts(roots, world, { mayLookAgain })
    return mainFiles(archive).some((file) => file.path === path) ? archive : null
  } catch (error) {
    // Whoever names a file needs no root: one may be missing, or not to be listed.
    if (error instanceof Failure) return null
    throw error
  }
}

/** A path is looked at with what lies beside it, so that its relatives are found; the archive need not hold it. */
function archiveFor(
  transcript: string | null,
  roots: readonly string[] | undefined,
  mayLookAgain: boolean,
  world: World,
): FoundTranscripts {
  return transcript === null ? openTranscripts(roots, world, { mayLookAgain }) : findBeside([sessionPath(transcript)])
}

/** The path that a reference begins with: a subagent, a record or both may be named behind it. */
function transcriptIn(reference: string, world: World): string | null {
  const path = resolve(world.folder, reference)
  const places = [path, path.replace(/#@?[\w-]+$/, ''), dirname(path)]
  return places.find((one) => one.endsWith('.jsonl') && existsSync(one)) ?? null
}

/** Where the session of a subagent's file has its own; any other path as it is. */
export function sessionPath(path: string): string {
  const folder = /^(.*)\/subagents\/.*$/s.exec(path)?.[1]
  return folder !== undefined && existsSync(`${folder}.jsonl`) ? `${folder}.jsonl` : path
}

/** A subagent as a conversation of its own, and what is known about it. */
export function subagentOf(session: OpenSession, agentId: string, tipRule: TipRule): OpenedAgent {
  const { subagents } = session.woven.agents
  const found = findAgent(session.woven, agentId)?.agentId
  const agent = subagents.find((one) => one.agentId === found)
  const woven = agent === undefined ? null : openSubagent(session, agent.agentId, tipRule)
  if (agent !== undefined && woven !== null) return { woven, agent }
  const fitting = subagents.filter((one) => one.agentId.startsWith(agentId))
  const names = (fitting.length === 0 ? subagents : fitting).slice(0, 10).map((one) => one.agentId)
  if (fitting.length > 0) throw new Failure(`“${agentId}” fits ${fitting.length} subagents: ${names.join(', ')}`)
  const hint = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}`
  throw new Failure(`the conversation has no subagent “${agentId}”. ${hint}`)
}

function deletedNote({ row, goneMs }: GoneConversation): string {
  const day = new Date(goneMs).toISOString().slice(0, 10)
  return `“${row.title}” (${row.sessionId}) was deleted; it was missed first on ${day}, and ${row.path} is not there any more`
}

function notFound(reference: string, archive: FoundTranscripts, world: World): string {
  if (archive.projects.length === 0) {
    return `there are no conversations here. Name a Claude directory with --root DIR or CLAUDE_CONFIG_DIR.${keptHint(archive.roots, world)}`
  }
  return `no conversation has the id, title or path “${reference}”. Try: clew list`
}
