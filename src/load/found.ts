// All transcripts below some roots, by project and session; only names and sizes so far.

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Problem } from '../base/problem.ts'
import type { Discovery } from '../source/discover.ts'
import { discover } from '../source/discover.ts'
import type { Walked } from '../source/look-again.ts'
import type { TranscriptFile } from '../source/model.ts'

export interface Project {
  /** Folder name, with the root it lies in where several roots have one of that name. */
  readonly key: string
  readonly root: string
  readonly files: readonly TranscriptFile[]
  readonly sizeBytes: number
}

export interface FoundTranscripts {
  readonly roots: readonly string[]
  /** Those of the roots that hold no more than copies, of sessions that were deleted where they belong. */
  readonly copies: readonly string[]
  readonly projects: readonly Project[]
  readonly problems: readonly Problem[]
  /** What lies beside their transcripts about whole sessions, where all folders were looked into. */
  readonly sidecars?: readonly string[]
  /** How each root was walked, where that is known of all of them and all is in them. */
  readonly walks?: readonly RootWalk[]
}

export interface RootWalk {
  readonly root: string
  readonly discovery: Discovery
  readonly walked: Walked
}

/** Brings out copies of the sessions below a root that are not among these files: the folder they are in, if any. */
export type BringOut = (root: string, files: () => readonly TranscriptFile[]) => string | null

export type Discover = (root: string) => Discovery

export function findTranscripts(
  roots: readonly string[],
  bringOut: BringOut = () => null,
  discoverRoot: Discover = discover,
): FoundTranscripts {
  const walks: RootWalk[] = []
  const found = roots.map((root) => {
    const own = discoverRoot(root)
    const copies = bringOut(root, () => own.files)
    if (copies === null && own.walked !== undefined) walks.push({ root, discovery: own, walked: own.walked })
    return { root, own, copies }
  })
  const isKnown = walks.length === roots.length
  const [first] = walks
  if (isKnown && first !== undefined && roots.length === 1 && first.walked.keptAs !== null) return unchanged(first)
  return { ...joinFound(found.map(withCopies)), ...(isKnown ? { walks } : {}) }
}

/** Most who find nothing changed ask for no file of it. */
function unchanged(walk: RootWalk): FoundTranscripts {
  const { root, discovery } = walk
  let made: readonly Project[] | null = null
  return {
    roots: [root],
    copies: [],
    get projects() {
      made ??= withCopies({ root, own: discovery, copies: null }).projects
      return made
    },
    problems: [],
    sidecars: discovery.sidecars,
    walks: [walk],
  }
}

interface FoundBelow {
  readonly root: string
  readonly own: Discovery
  readonly copies: string | null
}

function withCopies({ root, own, copies }: FoundBelow): FoundTranscripts {
  const brought = copies === null ? NOTHING : discover(copies)
  const copied = copiesBeside(own.files, brought.files)
  const files = [...own.files, ...copied]
  const byKey = new Map<string, TranscriptFile[]>()
  for (const file of files) {
    const known = byKey.get(file.projectKey)
    if (known === undefined) byKey.set(file.projectKey, [file])
    else known.push(file)
  }
  const projects = [...byKey].map(([key, files]) => projectOf(key, root, files))
  const folders = copies === null ? [] : [copies]
  const sidecars = [...own.sidecars, ...brought.sidecars]
  return { roots: [root, ...folders], copies: folders, projects, problems: own.problems, sidecars }
}

const NOTHING: Discovery = { files: [], problems: [], sidecars: [] }

/**
 * A session that is there again, restored say, needs no copy. A clean-up may leave the folder of a session behind: what
 * is still in it counts, and not its copy.
 */
function copiesBeside(own: readonly TranscriptFile[], copies: readonly TranscriptFile[]): readonly TranscriptFile[] {
  if (copies.length === 0) return copies
  const there = new Set(own.flatMap(({ role, sessionId }) => (role === 'main' && sessionId !== null ? sessionId : [])))
  const agents = new Set(own.filter(({ role }) => role === 'subagent').map(agentKey))
  return copies.filter((file) => {
    if (file.sessionId !== null && there.has(file.sessionId)) return false
    return file.role === 'main' || !agents.has(agentKey(file))
  })
}

function agentKey({ projectKey, sessionId, workflowId, agentId }: TranscriptFile): string {
  return [projectKey, sessionId, workflowId, agentId].join('\0')
}

/** Whether this is a copy of a transcript that was deleted. */
export function isCopy({ copies }: Pick<FoundTranscripts, 'copies'>, path: string): boolean {
  return copies.some((folder) => path.startsWith(`${folder}${sep}`))
}

/** The roots that were asked for. */
export function ownRoots({ roots, copies }: Pick<FoundTranscripts, 'roots' | 'copies'>): readonly string[] {
  return roots.filter((root) => !copies.includes(root))
}

/**
 * The transcripts with these paths and what lies beside them: the other transcripts of their folders, which may be
 * their relatives, and the folders of their own sessions. Nothing deeper is looked at: it may be a home folder.
 */
export function findBeside(paths: readonly string[]): FoundTranscripts {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  return joinFound(
    folders.map((folder) => {
      const asked = paths.filter((path) => dirname(path) === folder)
      const found = [...new Set([...asked, ...transcriptsIn(folder)])].map(discover).concat(asked.map(discoverOwn))
      const files = found.flatMap((one) => one.files)
      const problems = found.flatMap((one) => one.problems)
      return { roots: [folder], copies: [], projects: [projectOf(basename(folder), folder, files)], problems }
    }),
  )
}

/** None when the folder may not be listed: files in it may be readable all the same. */
function transcriptsIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** What is in the folder that has the session's name. A walk from above would have told whose it is. */
function discoverOwn(path: string): Discovery {
  const sessionId = basename(path, '.jsonl')
  const folder = join(dirname(path), sessionId)
  if (!existsSync(folder)) return NOTHING
  const { files, problems, sidecars } = discover(folder)
  const projectKey = basename(dirname(path))
  return { files: files.map((file) => ({ ...file, sessionId, projectKey })), problems, sidecars }
}

/** Several archives as one; a file that is in two of them counts once, in the first, and so does a problem. */
export function joinFound(archives: readonly FoundTranscripts[]): FoundTranscripts {
  const problems = new Map<string, Problem>()
  for (const archive of archives) {
    for (const found of archive.problems) problems.set(`${found.code} ${found.position?.path}`, found)
  }
  const seen = new Set<string>()
  const projects = archives
    .flatMap((archive) => archive.projects)
    .map(({ key, root, files }) => {
      const fresh = new Map(files.filter(({ path }) => !seen.has(path)).map((file) => [file.path, file]))
      for (const path of fresh.keys()) seen.add(path)
      return projectOf(key, root, [...fresh.values()])
    })
  const isAllKnown = archives.every(({ sidecars }) => sidecars !== undefined)
  return {
    ...(isAllKnown ? { sidecars: archives.flatMap(({ sidecars }) => sidecars ?? []) } : {}),
    roots: archives.flatMap((archive) => archive.roots),
    copies: archives.flatMap((archive) => archive.copies),
    projects: projects.filter(({ files }) => files.length > 0),
    problems: [...problems.values()],
  }
}

function projectOf(key: string, root: string, files: readonly TranscriptFile[]): Project {
  return { key, root, files, sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) }
}

export function mainFiles(archive: FoundTranscripts): readonly TranscriptFile[] {
  return archive.projects.flatMap((project) => project.files.filter((file) => file.role === 'main'))
}

/** The same archive with no other files than these, so that nobody takes it for all that is below its roots. */
export function onlyFiles(
  { roots, copies, projects: all, problems }: FoundTranscripts,
  files: readonly TranscriptFile[],
): FoundTranscripts {
  const wanted = new Set(files)
  const projects = all.map((project) => {
    const own = project.files.filter((file) => wanted.has(file))
    return { ...project, files: own, sizeBytes: own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
  })
  return { roots, copies, projects: projects.filter(({ files: own }) => own.length > 0), problems }
}
