// What a walk found, looked at again. The names in a folder stay the same as long as its own times do, so one look at each
// folder and each file stands for listing them all. Where a folder has changed, or a file is not what it was, all is walked
// anew. The times of a folder tell only what happened well before it was listed, and only where file systems keep them.

import { lstatSync, statSync } from 'node:fs'
import type { Discovery } from './discover.ts'
import type { Look } from './look.ts'
import { BORN, CHANGED, DEVICE, INODE, isPlainFile, MODIFIED, openLook, SIZE, timeOf } from './look.ts'
import type { TranscriptFile } from './model.ts'
import type { FilePlace } from './transcript-file.ts'
import { transcriptFile } from './transcript-file.ts'

/** How folders and what lies beside transcripts stood just before they were listed. */
export interface Walked {
  readonly startedMs: number
  /** The first is where the walk began. */
  readonly folders: readonly string[]
  /** Of each folder FOLDER_MARKS numbers. */
  readonly folderMarks: ArrayLike<number>
  /** Of each sidecar SIDECAR_MARKS numbers. */
  readonly sidecarMarks: ArrayLike<number>
  /** Under which name this was kept, when nothing at all has changed since. */
  readonly keptAs: string | null
}

export const FOLDER_MARKS = 4
export const SIDECAR_MARKS = 4
export const FILE_MARKS = 6

/** A walk as it is kept. */
export interface KeptWalk {
  readonly name: string
  readonly startedMs: number
  readonly folders: readonly string[]
  readonly folderMarks: Float64Array
  readonly sidecars: readonly string[]
  readonly sidecarMarks: Float64Array
  readonly paths: readonly string[]
  /** Size, times of content and of inode, inode, birth and whether a folder of its name lies beside it. */
  readonly fileMarks: Float64Array
  /** What the folders above each file say about it: made when somebody asks. */
  readonly places: () => readonly FilePlace[]
}

/** Null when something has changed that only a walk can tell. */
export function lookAgain(kept: KeptWalk): Discovery | null {
  try {
    const look = openLook(kept.folders[0] as string)
    const marks = isSameFolders(kept, look) ? marksOfFiles(kept, look) : null
    if (marks === null) return null
    const sidecarMarks = kept.sidecars.flatMap(marksOfSidecar)
    const isSame = marks === kept.fileMarks && isEqual(sidecarMarks, kept.sidecarMarks)
    return discovery(kept, marks, sidecarMarks, isSame)
  } catch {
    // Something is not there any more, or may not be looked at.
    return null
  }
}

function isSameFolders({ folders, folderMarks }: KeptWalk, look: Look): boolean {
  const first = marksOfFolder(folders[0] as string, true)
  if (first.some((mark, index) => mark !== folderMarks[index])) return false
  for (let index = 1; index < folders.length; index++) {
    const seen = look(folders[index] as string)
    const at = index * FOLDER_MARKS
    const isSame =
      timeOf(seen, MODIFIED) === folderMarks[at + 2] &&
      timeOf(seen, CHANGED) === folderMarks[at + 3] &&
      seen[INODE] === folderMarks[at + 1] &&
      seen[DEVICE] === folderMarks[at]
    if (!isSame) return false
  }
  return true
}

/** The very marks that were kept where all are the same; null when one is no plain file, or not where it was. */
function marksOfFiles({ paths, fileMarks, folderMarks }: KeptWalk, look: Look): Float64Array | null {
  const device = folderMarks[0]
  let marks = fileMarks
  for (let index = 0; index < paths.length; index++) {
    const seen = look(paths[index] as string)
    if (!isPlainFile(seen) || seen[DEVICE] !== device) return null
    const at = index * FILE_MARKS
    const isSame =
      timeOf(seen, MODIFIED) === fileMarks[at + 1] &&
      // Another file with the same inode was made later, so its birth need not be asked for.
      timeOf(seen, CHANGED) === fileMarks[at + 2] &&
      seen[SIZE] === fileMarks[at] &&
      seen[INODE] === fileMarks[at + 3]
    if (isSame) continue
    if (marks === fileMarks) marks = fileMarks.slice()
    // Whether a folder lies beside it has not changed: that is a matter of names.
    const times = [timeOf(seen, MODIFIED), timeOf(seen, CHANGED)]
    marks.set([seen[SIZE] ?? 0, ...times, seen[INODE] ?? 0, Math.floor(timeOf(seen, BORN))], at)
  }
  return marks
}

/** A root may be a link; below it links are not followed. */
export function marksOfFolder(path: string, isRoot: boolean): readonly number[] {
  const { dev, ino, mtimeMs, ctimeMs } = isRoot ? statSync(path) : lstatSync(path)
  return [dev, ino, mtimeMs, ctimeMs]
}

export function marksOfSidecar(path: string): readonly number[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? NOT_THERE : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino]
}

/** The same as a text, also where it may not be looked at. */
export function sidecarStamp(path: string): string {
  try {
    return marksOfSidecar(path).join(':')
  } catch {
    return '?'
  }
}

const NOT_THERE: readonly number[] = [-1, -1, -1, -1]

function isEqual(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

/** The files are made when somebody asks for them: who only wants to know that nothing has changed does not. */
function discovery(kept: KeptWalk, marks: Float64Array, sidecarMarks: readonly number[], isSame: boolean): Discovery {
  const { startedMs, folders, folderMarks, sidecars, name } = kept
  let made: readonly TranscriptFile[] | null = null
  return {
    get files() {
      made ??= filesOf(kept, marks)
      return made
    },
    problems: [],
    sidecars,
    walked: { startedMs, folders, folderMarks, sidecarMarks, keptAs: isSame ? name : null },
  }
}

function filesOf({ paths, places, folderMarks }: KeptWalk, marks: Float64Array): readonly TranscriptFile[] {
  const dev = folderMarks[0] as number
  const around = places()
  return paths.map((path, index) => {
    const at = index * FILE_MARKS
    const stat = {
      dev,
      ino: marks[at + 3] as number,
      size: marks[at] as number,
      mtimeMs: marks[at + 1] as number,
      ctimeMs: marks[at + 2] as number,
      birthtimeMs: marks[at + 4] as number,
    }
    return transcriptFile(path, around[index] as FilePlace, marks[at + 5] === 1 ? BESIDE : NOT_BESIDE, stat)
  })
}

const BESIDE = { has: () => true }
const NOT_BESIDE = { has: () => false }
