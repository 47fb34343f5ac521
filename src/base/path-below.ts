/**
 * A path as it is seen from a folder: without it where it lies below, whole where not. On Windows either slash parts
 * folders, and the case of letters is not told apart.
 */
export function pathBelow(path: string, folder: string): string {
  if (folder === '' || folder === '/' || path.length <= folder.length + 1) return path
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder)
  if (!isWindows) return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
  const bare = folder.replace(/[\\/]+$/, '')
  const isBelow = plain(path.slice(0, bare.length)) === plain(bare) && /^[\\/]/.test(path.slice(bare.length))
  return isBelow && path.length > bare.length + 1 ? path.slice(bare.length + 1) : path
}

function plain(path: string): string {
  return path.replaceAll('/', '\\').toLowerCase()
}
