import picomatch from 'picomatch'

/** Which projects somebody does not want in their notes: by a glob over the path, any folder in it, or the transcripts' own. */
export function excluder(globs: readonly string[]): (project: string, folder: string) => boolean {
  const tests = globs.map((glob) => picomatch(glob.replaceAll('\\', '/'), { dot: true }))
  return (project, folder) => {
    const path = project.replaceAll('\\', '/')
    const names = [folder, ...path.split('/'), ...withParents(path)].filter((one) => one !== '')
    return tests.some((matches) => names.some((one) => matches(one)))
  }
}

/** What lies below an excluded folder is excluded too. */
function withParents(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, place) => parts.slice(0, place + 1).join('/')).filter((one) => one !== '')
}
