// All that Clew does to a file system where it matters what a crash leaves. It is small so that tests can put a simulated disk in its place: one that
// forgets what was not synced, tears and shortens writes, and fails when it is told to.

export interface DiskStat {
  readonly isFolder: boolean
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The permission bits. */
  readonly mode: number
}

export interface Disk {
  /** Made, for its user alone, when it is not there; `isNew` refuses one that is (EEXIST). Every write goes to its end. */
  openToAppend(path: string, isNew: boolean): number
  openToRead(path: string): number
  /** How many bytes the system took, which may be fewer than it was given. */
  write(fd: number, bytes: Uint8Array): number
  /** Fewer bytes than were asked for at the end of the file. */
  read(fd: number, offset: number, length: number): Uint8Array
  sizeOf(fd: number): number
  /** What was written lasts when this has returned. A sync that failed says nothing about the next one. */
  sync(fd: number): Promise<void>
  close(fd: number): void
  /** Makes last what was made in a folder, renamed or removed there. */
  syncFolder(path: string): Promise<void>
  /** One level; false when it is there already. */
  makeFolder(path: string): boolean
  /** Empty for a folder that is not there. */
  names(path: string): readonly string[]
  /** Null when there is nothing. Links are not followed. */
  stat(path: string): DiskStat | null
  rename(from: string, to: string): void
  /** A file, or an empty folder. */
  remove(path: string): void
  /** When a file says it was written last: what a client deletes by, and lists by. */
  setModified(path: string, modifiedMs: number): void
  setMode(path: string, mode: number): void
}
