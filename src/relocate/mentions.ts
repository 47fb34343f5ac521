// Files beside the transcripts in which an old path stands and of which nobody here knows what it means there: settings,
// rules, plans. They are told to their owner and left alone.

import { Buffer } from 'node:buffer'
import { join, relative } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'

export interface Mention {
  readonly path: string
  readonly count: number
}

/** Conversations and copies of files speak of paths all the time; what holds keys is not opened at all. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set([
  'projects',
  'file-history',
  'clew-trash',
  'clew-moves',
  'debug',
  'cache',
  'statsig',
  'node_modules',
  '.git',
  '.credentials.json',
  'history.jsonl',
])
const SIZE_BYTES_MAX = 4 << 20
const FILES_MAX = 5000
const DEPTH_MAX = 6

/** Below a Claude directory, without the files that are changed anyway. */
export function mentionsBelow(disk: Disk, root: string, path: string, known: ReadonlySet<string>): readonly Mention[] {
  const found: Mention[] = []
  const folders = [root]
  let looked = 0
  for (const folder of folders) {
    for (const name of namesIn(disk, folder)) {
      if (NOT_LOOKED_AT.has(name)) continue
      const at = join(folder, name)
      const stat = disk.stat(at)
      if (stat?.isFolder === true && relative(root, at).split(/[\\/]/).length < DEPTH_MAX) folders.push(at)
      if (stat === null || stat.isFolder || stat.sizeBytes > SIZE_BYTES_MAX || known.has(at)) continue
      if (++looked > FILES_MAX) return found
      const count = countIn(disk, at, path)
      if (count > 0) found.push({ path: at, count })
    }
  }
  return found
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.names(folder)
  } catch {
    // Somebody else's folder: it cannot be told what is in it.
    return []
  }
}

function countIn(disk: Disk, at: string, path: string): number {
  try {
    return countMentions(readWhole(disk, at), path)
  } catch {
    return 0
  }
}

/** How often a path or one below it stands in some bytes; /a/b does not stand in /a/b-docker, nor in /x/a/b. */
export function countMentions(bytes: Buffer, path: string): number {
  const spellings = new Set([path, JSON.stringify(path).slice(1, -1)])
  let count = 0
  for (const spelling of spellings) {
    const needle = Buffer.from(spelling)
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length)) {
      if (!isOfName(bytes[at - 1]) && !isOfName(bytes[at + needle.length])) count++
    }
  }
  return count
}

/** Letters, digits, `-`, `_`, `.` and whatever is outside of ASCII. */
function isOfName(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x80 || /[\w.-]/.test(String.fromCharCode(byte)))
}
