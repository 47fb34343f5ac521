// All transcripts below some roots, by project and session; only names and sizes so far.

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Problem } from '../base/problem.ts'
import type { Discovery } from '../source/discover.ts'
import { discover } from '../source/discover.ts'
import type { TranscriptFile } from '../source/model.ts'

export interface Project {
  /** Folder name, with the root it lies in where several roots have one of that name. */
  readonly key: string
  readonly root: string
  readonly files: readonly TranscriptFile[]
  readonly sizeBytes: number
}

export interface FoundArchive {
  readonly roots: readonly string[]
  readonly projects: readonly Project[]
  readonly problems: readonly Problem[]
}

export function findArchive(roots: readonly string[]): FoundArchive {
  return joinArchives(
    roots.map((root) => {
      const { files, problems } = discover(root)
      const byKey = new Map<string, TranscriptFile[]>()
      for (const file of files) {
        const known = byKey.get(file.projectKey)
        if (known === undefined) byKey.set(file.projectKey, [file])
        else known.push(file)
      }
      return { roots: [root], projects: [...byKey].map(([key, own]) => projectOf(key, root, own)), problems }
    }),
  )
}

/**
 * The transcripts with these paths and what lies beside them: the other transcripts of their folders, which may be
 * their relatives, and the folders of their own sessions. Nothing deeper is looked at: it may be a home folder.
 */
export function findBeside(paths: readonly string[]): FoundArchive {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  return joinArchives(
    folders.map((folder) => {
      const asked = paths.filter((path) => dirname(path) === folder)
      const found = [...new Set([...asked, ...transcriptsIn(folder)])].map(discover).concat(asked.map(discoverOwn))
      const files = found.flatMap((one) => one.files)
      const problems = found.flatMap((one) => one.problems)
      return { roots: [folder], projects: [projectOf(basename(folder), folder, files)], problems }
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
  if (!existsSync(folder)) return { files: [], problems: [] }
  const { files, problems } = discover(folder)
  const projectKey = basename(dirname(path))
  return { files: files.map((file) => ({ ...file, sessionId, projectKey })), problems }
}

/** Several archives as one; a file that is in two of them counts once, in the first, and so does a problem. */
export function joinArchives(archives: readonly FoundArchive[]): FoundArchive {
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
  return {
    roots: archives.flatMap((archive) => archive.roots),
    projects: projects.filter(({ files }) => files.length > 0),
    problems: [...problems.values()],
  }
}

function projectOf(key: string, root: string, files: readonly TranscriptFile[]): Project {
  return { key, root, files, sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) }
}

export function mainFiles(archive: FoundArchive): readonly TranscriptFile[] {
  return archive.projects.flatMap((project) => project.files.filter((file) => file.role === 'main'))
}

/** The same archive with no other files than these. */
export function onlyFiles(archive: FoundArchive, files: readonly TranscriptFile[]): FoundArchive {
  const wanted = new Set(files)
  const projects = archive.projects.map((project) => {
    const own = project.files.filter((file) => wanted.has(file))
    return { ...project, files: own, sizeBytes: own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
  })
  return { ...archive, projects: projects.filter(({ files: own }) => own.length > 0) }
}
