// Which files `clew check` was asked for: everything, folders, transcripts by path, conversations by name. All of them
// become one archive, so that a file named twice is read once.

import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { CheckedFile } from '../load/check.ts'
import { findSession } from '../load/find.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { findBeside, findTranscripts, joinFound, onlyFiles } from '../load/found.ts'
import { agentFiles, projectOf } from '../load/session.ts'
import { transcriptBehind } from '../source/roots.ts'
import type { World } from './command.ts'
import { openTranscripts } from './command.ts'
import { Failure } from './failure.ts'
import type { Indexed } from './indexed.ts'
import { archiveHolding, noteOlder, sessionPath, severalNote } from './reference.ts'
import { isInside } from './scope.ts'

export interface Choice {
  readonly archive: FoundTranscripts
  readonly isChosen: (file: Pick<CheckedFile, 'path' | 'role' | 'sessionId'>) => boolean
}

export async function chooseFiles(
  names: readonly string[],
  roots: readonly string[] | undefined,
  indexed: Pick<Indexed, 'access' | 'knowsKin'>,
  world: World,
): Promise<Choice> {
  if (names.length === 0) return { archive: openTranscripts(roots, world, { failureCode: 2 }), isChosen: () => true }
  const folders: string[] = []
  const paths: string[] = []
  const ids: string[] = []
  for (const name of names) {
    const path = resolve(world.folder, name)
    const kind = kindOf(path)
    if (kind === 'folder') folders.push(path)
    else if (kind === null) ids.push(name)
    else if (path.endsWith('.jsonl')) paths.push(transcriptBehind(path))
    else throw new Failure(`${name} is neither a transcript (.jsonl) nor a folder`, 2)
  }
  const mains = paths.map(sessionPath)
  const [main = ''] = mains
  // For several, all that lies beside them is read once.
  const held = names.length === 1 && mains.length === 1 ? archiveHolding(main, roots, false, world) : null
  const named =
    ids.length === 0 ? [] : await findNamed(ids, openTranscripts(roots, world, { failureCode: 2 }), indexed, world)
  const beside = held === null ? findBeside(mains) : await belongingTo(main, held, indexed, world)
  const archive = joinFound([findTranscripts(folders), ...named.map((one) => one.archive), beside])
  const chosen = [...paths, ...named.map((one) => one.path)]
  const isWithin = (path: string): boolean =>
    folders.some((folder) => isInside(path, folder)) ||
    chosen.some((one) => path === one || isInside(path, sessionFolder(one)))
  return {
    archive: { ...archive, problems: archive.problems.filter((one) => isWithin(one.position?.path ?? '')) },
    isChosen: (file) => isWithin(file.path) || chosen.some((path) => isFlatAgent(file, path)),
  }
}

interface Named {
  readonly path: string
  readonly archive: FoundTranscripts
}

/** What `findBeside` finds, of an archive that the index is kept for. */
async function belongingTo(
  path: string,
  archive: FoundTranscripts,
  indexed: Pick<Indexed, 'access' | 'knowsKin'>,
  world: World,
): Promise<FoundTranscripts> {
  const named = await findNamed([path], archive, indexed, world)
  return joinFound(named.map((one) => one.archive))
}

/** Only the projects that hold them are read, and of these only what belongs to them, where that is known. */
async function findNamed(
  ids: readonly string[],
  archive: FoundTranscripts,
  { access, knowsKin }: Pick<Indexed, 'access' | 'knowsKin'>,
  world: World,
): Promise<readonly Named[]> {
  const named: Named[] = []
  for (const id of ids) {
    const found = await findSession(archive, id, access)
    if (found.state === 'none') throw new Failure(`no conversation, file or folder “${id}”. Try: clew list`, 2)
    if (found.state === 'ambiguous') throw new Failure(await severalNote(id, found.candidates, archive), 2)
    noteOlder(found, world)
    const { file } = found
    const project = projectOf(archive, file)
    // Two that are named may be kin themselves, and a file is read for one of them.
    if (ids.length === 1) await knowsKin(archive, file)
    const kin = ids.length > 1 ? null : (access.kin?.(archive, file) ?? null)
    const files = kin === null ? project.files : [...kin.mains, ...agentFiles(archive, project, file).own]
    named.push({ path: file.path, archive: onlyFiles(archive, files) })
  }
  return named
}

/** A conversation is checked with its subagents: those in its own folder and, from 2.0.x, those beside it. */
function sessionFolder(path: string): string {
  return join(dirname(path), basename(path, '.jsonl'))
}

function isFlatAgent(file: Pick<CheckedFile, 'path' | 'role' | 'sessionId'>, path: string): boolean {
  return file.role === 'subagent' && dirname(file.path) === dirname(path) && file.sessionId === basename(path, '.jsonl')
}

function kindOf(path: string): 'folder' | 'file' | null {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return null
  }
}
