// A disk in memory that knows what would be left of it. A file remembers which of its bytes no sync has covered, a
// folder which changes of its names; a power cut keeps, tears or forgets each of these. It dies at an operation of
// one's choosing and fails when it is told to. All from one seed. After the file system of SQLite's test6.c.

import type { Disk, DiskStat } from '../../src/disk/disk.ts'
import type { Random } from '../random.ts'
import type { DiskNode, FileNode, FolderNode, NameChange } from './crash-nodes.ts'
import { makeLast, newFolderNode, nodeAt } from './crash-nodes.ts'
import { afterPowerCut } from './crash-remains.ts'

export type Operation = keyof Disk

/** What every later call meets once the machine, or the process, is gone. */
export class Crash extends Error {}

export interface Faults {
  /** The operation that is the last one; half the time it still happens. */
  readonly crashAt?: number
  /** The n-th of these operations fails, once. */
  readonly failing?: { readonly nth: number; readonly on: ReadonlySet<Operation>; readonly code: string }
  /** How often one of these operations fails, by chance. */
  readonly failShare?: number
  readonly shortShare?: number
  /** The disk is full when this many bytes have been written to it from now on. */
  readonly roomBytes?: number
}

const FAILING: ReadonlySet<Operation> = new Set(['write', 'sync', 'syncFolder', 'openToAppend', 'rename', 'makeFolder'])

export class SimulatedDisk implements Disk {
  readonly root: FolderNode
  readonly #random: Random
  #faults: Faults
  #order = 1
  #clockMs = 1_790_000_000_000
  #open = new Map<number, FileNode>()
  #nextFd = 3
  #roomBytes: number
  #failingSeen = 0
  #isDown = false
  /** Of this life. */
  operations = 0
  failures = 0
  failedSyncs = 0

  constructor(random: Random, faults: Faults = {}, root: FolderNode = newFolderNode()) {
    this.#random = random
    this.#faults = faults
    this.#roomBytes = faults.roomBytes ?? Number.POSITIVE_INFINITY
    this.root = root
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** How often the operations that `failing` names have been asked for. */
  get failingSeen(): number {
    return this.#failingSeen
  }

  /** No fault from now on: the machine is well again, the process goes on. */
  mend(): void {
    this.#faults = {}
    this.#roomBytes = Number.POSITIVE_INFINITY
  }

  /** The power fails: what is found when it comes back. */
  crash(random: Random, faults: Faults = {}): SimulatedDisk {
    this.#isDown = true
    return new SimulatedDisk(this.#random, faults, afterPowerCut(this.root, random))
  }

  /** The process is killed: the system still has all that was written, and has synced no more than before. */
  kill(faults: Faults = {}): SimulatedDisk {
    this.#isDown = true
    const next = new SimulatedDisk(this.#random, faults, this.root)
    next.#order = this.#order
    return next
  }

  openToAppend(path: string, isNew: boolean): number {
    return this.#run('openToAppend', () => {
      const { folder, name } = this.#placeOf(path)
      const found = folder.names.get(name)
      if (found !== undefined && isNew) throw systemError('EEXIST', path)
      if (found?.kind === 'folder') throw systemError('EISDIR', path)
      const file = found ?? { kind: 'file', bytes: Buffer.alloc(256), size: 0, unsynced: [], modifiedMs: this.#clockMs }
      if (found === undefined) this.#change(folder, [{ folder, name, node: file }])
      return this.#opened(file)
    })
  }

  openToRead(path: string): number {
    return this.#run('openToRead', () => {
      const node = this.#find(path)
      if (node === null) throw systemError('ENOENT', path)
      if (node.kind === 'folder') throw systemError('EISDIR', path)
      return this.#opened(node)
    })
  }

  write(fd: number, bytes: Uint8Array): number {
    return this.#run('write', () => {
      const file = this.#file(fd)
      let count = bytes.length
      const isShort = this.#isDown || this.#random.chance(this.#faults.shortShare ?? 0)
      if (isShort && count > 1) count = 1 + this.#random.below(count)
      if (count > this.#roomBytes) {
        // A full disk takes what fits without a word, and refuses the next write.
        count = this.#roomBytes
        if (count === 0) {
          this.failures++
          throw systemError('ENOSPC', 'write')
        }
      }
      this.#roomBytes -= count
      const to = file.size + count
      if (to > file.bytes.length) file.bytes = Buffer.concat([file.bytes], Math.max(to, file.bytes.length * 2))
      file.bytes.set(bytes.subarray(0, count), file.size)
      if (count > 0) file.unsynced.push({ from: file.size, to, isLost: false })
      file.size = to
      file.modifiedMs = ++this.#clockMs
      return count
    })
  }

  read(fd: number, offset: number, length: number): Uint8Array {
    return this.#run('read', () => {
      const { bytes, size } = this.#file(fd)
      return Buffer.from(bytes.subarray(Math.min(offset, size), Math.min(offset + length, size)))
    })
  }

  sizeOf(fd: number): number {
    return this.#run('sizeOf', () => this.#file(fd).size)
  }

  /** Covers what was written before it was asked, and only when it is done. */
  async sync(fd: number): Promise<void> {
    const file = this.#run(
      'sync',
      () => this.#file(fd),
      () => {
        // The pages are called clean all the same: the next sync has nothing to write, and succeeds.
        for (const one of this.#file(fd).unsynced) one.isLost = true
        this.failedSyncs++
      },
    )
    const covered = new Set(file.unsynced)
    await this.#turns()
    file.unsynced = file.unsynced.filter((one) => one.isLost || !covered.has(one))
  }

  close(fd: number): void {
    this.#run('close', () => {
      this.#file(fd)
      this.#open.delete(fd)
    })
  }

  async syncFolder(path: string): Promise<void> {
    const folder = this.#run('syncFolder', () => this.#folder(path))
    const covered = new Set(folder.changes)
    await this.#turns()
    folder.changes = folder.changes.filter((one) => !covered.has(one))
    for (const change of covered) makeLast(change)
  }

  makeFolder(path: string): boolean {
    return this.#run('makeFolder', () => {
      const { folder, name } = this.#placeOf(path)
      if (folder.names.has(name)) return false
      this.#change(folder, [{ folder, name, node: newFolderNode() }])
      return true
    })
  }

  names(path: string): readonly string[] {
    return this.#run('names', () => {
      const node = this.#find(path)
      return node?.kind === 'folder' ? [...node.names.keys()].sort() : []
    })
  }

  stat(path: string): DiskStat | null {
    return this.#run('stat', () => {
      const node = this.#find(path)
      if (node === null) return null
      if (node.kind === 'folder') return { isFolder: true, sizeBytes: 4096, modifiedMs: this.#clockMs, mode: 0o700 }
      return { isFolder: false, sizeBytes: node.size, modifiedMs: node.modifiedMs, mode: node.mode ?? 0o600 }
    })
  }

  rename(from: string, to: string): void {
    this.#run('rename', () => {
      const [old, next] = [this.#placeOf(from), this.#placeOf(to)]
      const node = old.folder.names.get(old.name)
      if (node === undefined) throw systemError('ENOENT', from)
      const [gone, come] = [
        { ...old, node: null },
        { ...next, node },
      ]
      if (old.folder === next.folder) this.#change(next.folder, [gone, come])
      else this.#change(old.folder, [gone], this.#change(next.folder, [come]))
    })
  }

  remove(path: string): void {
    this.#run('remove', () => {
      const { folder, name } = this.#placeOf(path)
      const node = folder.names.get(name)
      if (node === undefined) throw systemError('ENOENT', path)
      if (node.kind === 'folder' && node.names.size > 0) throw systemError('ENOTEMPTY', path)
      this.#change(folder, [{ folder, name, node: null }])
    })
  }

  /** Times and modes are taken to last: nothing that must not be lost depends on them. */
  setModified(path: string, modifiedMs: number): void {
    this.#run('setModified', () => {
      this.#existing(path).modifiedMs = modifiedMs
    })
  }

  setMode(path: string, mode: number): void {
    this.#run('setMode', () => {
      this.#existing(path).mode = mode
    })
  }

  #run<Value>(operation: Operation, act: () => Value, onFailure?: () => void): Value {
    if (this.#isDown) throw new Crash()
    this.operations++
    if (this.operations === this.#faults.crashAt) {
      this.#isDown = true
      if (operation !== 'sync' && operation !== 'syncFolder' && this.#random.chance(0.5)) act()
      throw new Crash()
    }
    const code = this.#failureOf(operation)
    if (code !== null) {
      this.failures++
      onFailure?.()
      throw systemError(code, operation)
    }
    return act()
  }

  #failureOf(operation: Operation): string | null {
    const { failing, failShare = 0 } = this.#faults
    if (failing?.on.has(operation) && ++this.#failingSeen === failing.nth) return failing.code
    return failShare > 0 && FAILING.has(operation) && this.#random.chance(failShare) ? 'EIO' : null
  }

  /** Others have their turn while the disk is at work, and the machine may be gone when it is done. */
  async #turns(): Promise<void> {
    for (let count = 1 + this.#random.below(6); count > 0; count--) await null
    if (this.#isDown) throw new Crash()
  }

  #change(home: FolderNode, names: NameChange['names'], after: NameChange | null = null): NameChange {
    for (const { folder, name, node } of names) {
      if (node === null) folder.names.delete(name)
      else folder.names.set(name, node)
    }
    const change = { order: this.#order++, names, after }
    home.changes.push(change)
    return change
  }

  #opened(file: FileNode): number {
    this.#open.set(this.#nextFd, file)
    return this.#nextFd++
  }

  #file(fd: number): FileNode {
    const file = this.#open.get(fd)
    if (file === undefined) throw systemError('EBADF', String(fd))
    return file
  }

  #placeOf(path: string): { folder: FolderNode; name: string } {
    const at = path.lastIndexOf('/')
    return { folder: this.#folder(path.slice(0, at)), name: path.slice(at + 1) }
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path)
    if (node === null) throw systemError('ENOENT', path)
    if (node.kind !== 'folder') throw systemError('ENOTDIR', path)
    return node
  }

  #existing(path: string): FileNode {
    const node = this.#find(path)
    if (node?.kind !== 'file') throw systemError('ENOENT', path)
    return node
  }

  #find(path: string): DiskNode | null {
    return nodeAt(this.root, path)
  }
}

function systemError(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${what}`), { code })
}
