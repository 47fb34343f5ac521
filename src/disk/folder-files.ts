// All that lies below a folder, looked at and not read. Links are not followed: they count as files of their own size.

import { join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from './disk.ts'
import { realPath } from './real-path.ts'

export interface FolderFile {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

export interface FolderFiles {
  readonly files: readonly FolderFile[]
  /** The folder itself first, each before what is in it. */
  readonly folders: readonly string[]
  /** False when something may not be looked at. */
  readonly isWhole: boolean
}

/** Nothing for a folder that is not there. */
export function filesBelow(disk: Disk, folder: string): FolderFiles {
  return walk(disk, folder, disk.stat(folder)?.isFolder === true)
}

/** The same of a folder that may itself be a link, for those who only look: people keep `projects` on another disk. */
export function filesThrough(disk: Disk, folder: string): FolderFiles {
  return walk(disk, folder, disk.stat(realPath(folder))?.isFolder === true)
}

function walk(disk: Disk, folder: string, isThere: boolean): FolderFiles {
  const files: FolderFile[] = []
  const folders: string[] = isThere ? [folder] : []
  let isWhole = true
  // Grows while it is walked: folders inside of folders are found on the way.
  for (const at of folders) {
    try {
      for (const name of disk.names(at)) {
        const path = join(at, name)
        const stat = disk.stat(path)
        if (stat === null) continue
        if (stat.isFolder) folders.push(path)
        else files.push({ path, sizeBytes: stat.sizeBytes, modifiedMs: stat.modifiedMs })
      }
    } catch (error) {
      // Another user's folder, say. What the system did not say is no answer of the disk.
      if (systemCode(error) === null) throw error
      isWhole = false
    }
  }
  return { files, folders, isWhole }
}
