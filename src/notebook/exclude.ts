import picomatch from 'picomatch'

/** Which projects somebody does not want in their notes: by a glob over the path, or over the name of its folder. */
export function excluder(globs: readonly string[]): (project: string, folder: string) => boolean {
  const tests = globs.map((glob) => picomatch(glob.replaceAll('\\', '/'), { dot: true }))
  return (project, folder) => {
    const path = project.replaceAll('\\', '/')
    return tests.some((matches) => matches(folder) || withParents(path).some((one) => matches(one)))
  }
}

/** What lies below an excluded folder is excluded too. */
function withParents(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, place) => parts.slice(0, place + 1).join('/')).filter((one) => one !== '')
}
