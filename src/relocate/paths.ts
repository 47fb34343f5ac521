// Paths as they stand in files, which may come from another machine: nothing here asks this machine's file system.
// A path is changed only at a boundary: /a/b is not the beginning of /a/b-docker.

import { posix, win32 } from 'node:path'

export interface PathMove {
  readonly from: string
  readonly to: string
}

/** Where a path is after the move; null for one that is neither the old folder nor below it. */
export function movedPath(path: string, { from, to }: PathMove): string | null {
  const [old, found] = [foldedAs(from, from), foldedAs(from, path)]
  if (found === old || found === `${old}/`) return to
  if (!found.startsWith(old.endsWith('/') ? old : `${old}/`)) return null
  const below = path.slice(old.endsWith('/') ? old.length : old.length + 1)
  const separator = isWindowsPath(to) ? '\\' : '/'
  const isOther = isWindowsPath(from) !== isWindowsPath(to)
  const rest = isOther ? below.split(isWindowsPath(from) ? /[\\/]/ : '/').join(separator) : below
  return `${to.endsWith(separator) ? to : to + (isOther ? separator : separatorOf(path, from))}${rest}`
}

export function isWithin(path: string, folder: string): boolean {
  return movedPath(path, { from: folder, to: folder }) !== null
}

/** Without what does not count: a last separator, dots, doubled separators. Null for a path that is relative. */
export function normalPath(path: string): string | null {
  if (isWindowsPath(path)) {
    const plain = win32.normalize(path)
    return plain.length > 3 ? plain.replace(/[\\/]+$/, '') : plain
  }
  if (!path.startsWith('/')) return null
  const plain = posix.normalize(path)
  return plain === '/' ? plain : plain.replace(/\/+$/, '')
}

/** A drive, or a machine in the network. */
export function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path) || path.startsWith('\\\\')
}

/** Windows takes large and small letters for the same, and so do its drives where WSL shows them. */
export function foldsCase(path: string): boolean {
  return isWindowsPath(path) || /^\/mnt\/[A-Za-z](?:\/|$)/.test(path)
}

/** For comparing, by the rules of the system that `kind` is a path of. It stays as long as it is. */
function foldedAs(kind: string, path: string): string {
  const slashed = isWindowsPath(kind) ? path.replaceAll('\\', '/') : path
  return foldsCase(kind) ? lowered(slashed) : slashed
}

function lowered(text: string): string {
  let small = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at)
    const lower = unit.toLowerCase()
    small += lower.length === 1 ? lower : unit
  }
  return small
}

/** The one behind the old folder: some tools write slashes on Windows. */
function separatorOf(path: string, from: string): string {
  return path.charAt(from.length) === '\\' ? '\\' : '/'
}
