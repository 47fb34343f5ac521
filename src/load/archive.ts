// All transcripts below some roots, by project and session; only names and sizes so far.

import type { Problem } from '../base/problem.ts'
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
  const projects: Project[] = []
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const root of roots) {
    const found = discover(root)
    for (const one of found.problems) problems.push(one)
    const byKey = new Map<string, TranscriptFile[]>()
    for (const file of found.files) {
      if (seen.has(file.path)) continue
      seen.add(file.path)
      const known = byKey.get(file.projectKey)
      if (known === undefined) byKey.set(file.projectKey, [file])
      else known.push(file)
    }
    for (const [key, files] of byKey) {
      projects.push({ key, root, files, sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) })
    }
  }
  return { roots, projects, problems }
}

export function mainFiles(archive: FoundArchive): readonly TranscriptFile[] {
  return archive.projects.flatMap((project) => project.files.filter((file) => file.role === 'main'))
}
