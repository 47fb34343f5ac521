// Paths as they stand in records: absolute mostly, of this machine or of another, with either kind of slash.

const ROOTED = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/

export function absolutePath(name: string, cwd: string | null): string {
  if (ROOTED.test(name) || cwd === null) return tidied(name)
  return tidied(`${cwd.replace(/[\\/]+$/, '')}/${name}`)
}

/** `/a/./b/../c` → `/a/c`, by words alone. */
function tidied(path: string): string {
  if (!/(?:^|[\\/])\.{1,2}(?:[\\/]|$)|\/\/|.\/$/.test(path)) return path
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue
    if (part === '..' && parts.length > 1) parts.pop()
    else parts.push(part)
  }
  return parts.join('/') || '/'
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** `day.ts` and `src/day.ts` name /home/ada/src/day.ts; `y.ts` does not. */
export function isNamedBy(path: string, typed: string): boolean {
  const [whole, wanted] = [path.replaceAll('\\', '/'), typed.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')]
  return wanted !== '' && (whole === wanted || whole.endsWith(wanted.startsWith('/') ? wanted : `/${wanted}`))
}
