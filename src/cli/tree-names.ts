// Where the files of a restored tree lie in its folder. Paths come from transcripts, and different ones may come to the
// same name once they are made harmless: each gets a name that no other has, on systems that ignore case as well.

import { posix } from 'node:path'

/** `taken` are names that are not given away. What it gives to a path is not given again. */
export function treeNames(base: string, taken: readonly string[]): (path: string) => string {
  const files = new Set(taken.map(folded))
  const folders = new Set<string>()
  return (path) => {
    const parts = harmless(path.startsWith(`${base}/`) ? path.slice(base.length + 1) : `_elsewhere/${path}`)
    let folder = ''
    for (const part of parts.slice(0, -1)) {
      folder = unused(posix.join(folder, part), (name) => files.has(name))
      folders.add(folded(folder))
    }
    const file = unused(posix.join(folder, parts.at(-1) ?? NAMELESS), (name) => files.has(name) || folders.has(name))
    files.add(folded(file))
    return file
  }
}

const NAMELESS = '_nameless'

/** Never above the folder, and never what Clew itself writes on the way. */
function harmless(path: string): readonly string[] {
  return path
    .replace(/[\0:]/g, '_')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replace(/\.clew-next$/i, '$&_'))
}

function unused(name: string, isTaken: (folded: string) => boolean): string {
  const suffix = posix.extname(name)
  const stem = name.slice(0, name.length - suffix.length)
  let free = name
  for (let number = 2; isTaken(folded(free)); number++) free = `${stem}-${number}${suffix}`
  return free
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
