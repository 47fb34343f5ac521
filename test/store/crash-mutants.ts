// Writers that are wrong in the ways writers usually are. Each is the real store on a disk that leaves out one thing the
// store relies on: a simulator that does not notice would prove nothing.

import type { Disk } from '../../src/disk/disk.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

type Mutant = (disk: SimulatedDisk) => Disk

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'never syncs a file': (disk) => changed(disk, { sync: async () => undefined }),

  'does not end a torn line': (disk) =>
    // Whoever asks how a file ends is told that its last line is finished.
    changed(disk, {
      read: (fd, offset, length) =>
        length === 1 && offset === disk.sizeOf(fd) - 1 ? Buffer.from('\n') : disk.read(fd, offset, length),
    }),

  'promises before the sync': (disk) =>
    changed(disk, {
      sync: async (fd) => {
        // It is done in the end, but nobody waits for it.
        disk.sync(fd).catch(() => undefined)
      },
    }),

  'renames before the sync': (disk) => renamesFirst(disk),

  'takes a short write for a whole one': (disk) =>
    changed(disk, {
      write: (fd, bytes) => {
        disk.write(fd, bytes)
        return bytes.length
      },
    }),

  'never syncs a folder': (disk) => changed(disk, { syncFolder: async () => undefined }),
}

/** A file that is to replace another gets its name first and is synced afterwards. */
function renamesFirst(disk: SimulatedDisk): Disk {
  const waiting = new Set<number>()
  return changed(disk, {
    openToAppend: (path, isNew) => {
      const fd = disk.openToAppend(path, isNew)
      if (path.endsWith('.next')) waiting.add(fd)
      return fd
    },
    sync: async (fd) => {
      if (!waiting.has(fd)) await disk.sync(fd)
    },
    rename: (from, to) => {
      disk.rename(from, to)
      disk.sync(disk.openToRead(to)).catch(() => undefined)
    },
  })
}

function changed(disk: SimulatedDisk, changes: Partial<Disk>): Disk {
  return {
    openToAppend: (path, isNew) => disk.openToAppend(path, isNew),
    openToRead: (path) => disk.openToRead(path),
    write: (fd, bytes) => disk.write(fd, bytes),
    read: (fd, offset, length) => disk.read(fd, offset, length),
    sizeOf: (fd) => disk.sizeOf(fd),
    sync: (fd) => disk.sync(fd),
    close: (fd) => disk.close(fd),
    syncFolder: (path) => disk.syncFolder(path),
    makeFolder: (path) => disk.makeFolder(path),
    names: (path) => disk.names(path),
    stat: (path) => disk.stat(path),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    setModified: (path, modifiedMs) => disk.setModified(path, modifiedMs),
    setMode: (path, mode) => disk.setMode(path, mode),
    ...changes,
  }
}
