// Names in an archive become paths when files are restored, and an archive may come from somebody else. A name that could
// lead out of the folder it is restored to is refused, and so is what is never archived: settings, skills and commands
// are things that the client acts on.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { ArchiveError } from './archive-error.ts'
import { isSourceName } from './source-files.ts'

const NAME_LENGTH_MAX = 4096

/** Throws for what is no plain relative path, or leads to what is never archived. */
export function checkName(name: string): void {
  const parts = name.split('/')
  const isSafe =
    isSourceName(name) &&
    name.length <= NAME_LENGTH_MAX &&
    !name.includes('\0') &&
    !/^[a-zA-Z]:/.test(name) &&
    !(process.platform === 'win32' && /[\\:]/.test(name)) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSafe)
    throw new ArchiveError('unsafe-name', `${JSON.stringify(name)} is not a name a file may be restored under`)
}

/** Where a file goes. No folder on the way below `folder` may be a link or a file. */
export function safePath(disk: Disk, folder: string, name: string): string {
  checkName(name)
  const parts = name.split('/')
  for (let count = 1; count < parts.length; count++) {
    const path = join(folder, ...parts.slice(0, count))
    const stat = disk.stat(path)
    if (stat === null) break
    if (!stat.isFolder) throw new ArchiveError('unsafe-name', `${path} is a file or a link, not a folder`)
  }
  return join(folder, ...parts)
}
