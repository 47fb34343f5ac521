import { basename, dirname } from 'node:path'
import type { ConversationSummary } from '../conversation/summary.ts'

/** Whether its path, or the name of the folder its transcript lies in, contains a part that somebody typed. */
export function isProjectNamed(
  { project, path }: Pick<ConversationSummary, 'project' | 'path'>,
  part: string,
): boolean {
  const wanted = part.toLowerCase()
  return [project, projectFolder(path)].some((name) => name.toLowerCase().includes(wanted))
}

/** Some tools keep a project's transcripts one folder deeper. */
function projectFolder(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'sessions' ? basename(dirname(folder)) : basename(folder)
}
