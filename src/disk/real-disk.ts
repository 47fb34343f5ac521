import type { Stats } from 'node:fs'
import {
  chmodSync,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from '../base/system-code.ts'
import type { Disk, DiskStat } from './disk.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])
const syncFile = promisify(fdatasync)

/** The file system of this machine. A link is never followed: it may lead out of the Claude directory. */
export const REAL_DISK: Disk = {
  openToAppend: (path, isNew) =>
    openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0), 0o600),
  openToRead: (path) => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  // Node's own streams and promises cut a long write into several; this is one call of the system.
  write: (fd, bytes) => writeSync(fd, bytes),
  read: (fd, offset, length) => {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset))
  },
  sizeOf: (fd) => fstatSync(fd).size,
  // With the size of the file, and without its times, which nobody relies on.
  sync: (fd) => syncFile(fd),
  close: (fd) => closeSync(fd),
  syncFolder: async (path) => {
    // Windows has no descriptors of folders.
    if (process.platform === 'win32') return
    const fd = openSync(path, O_RDONLY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  makeFolder: (path) => {
    try {
      mkdirSync(path, 0o700)
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw error
    }
  },
  names: (path) => {
    try {
      return readdirSync(path).sort()
    } catch (error) {
      if (ABSENT.has(systemCode(error) ?? '')) return []
      throw error
    }
  },
  stat: (path) => {
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat === undefined ? null : statOf(stat)
    } catch (error) {
      // Below a file there is nothing either, but Node throws.
      if (ABSENT.has(systemCode(error) ?? '')) return null
      throw error
    }
  },
  rename: (from, to) => renameSync(from, to),
  remove: (path) => {
    if (lstatSync(path).isDirectory()) rmdirSync(path)
    else unlinkSync(path)
  },
  setModified: (path, modifiedMs) => {
    // In seconds: a Date would cut off what is finer than a millisecond. What is finer than a microsecond is cut off all
    // the same, so half a one goes on top: a time that was restored is then the time that was read.
    const seconds = (modifiedMs + 0.0005) / 1000
    lutimesSync(path, seconds, seconds)
  },
  setMode: (path, mode) => chmodSync(path, mode),
}

function statOf(stat: Stats): DiskStat {
  return { isFolder: stat.isDirectory(), sizeBytes: stat.size, modifiedMs: stat.mtimeMs, mode: stat.mode & 0o7777 }
}
