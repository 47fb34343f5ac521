// What the archive says about itself. It keeps files of Claude directories byte for byte and understands none of them:
// a session here is no more than an id that stands in the path of a file.

/** One version of one file. The newest of each name is what the archive has of that file; older ones stay. */
export interface ArchivedFile {
  /** The Claude directory it was found in, as an absolute path. It says where a file came from and is never opened. */
  readonly root: string
  /** Below that, with slashes on every system: `projects/-home-ada-tidewatch/<session>.jsonl`. */
  readonly name: string
  /** The session whose id stands in the name; null for what belongs to a project or to nobody. */
  readonly sessionId: string | null
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
  readonly sha256: string
  /** The snapshot that brought this version, and where it stands in it. */
  readonly snapshotId: string
  readonly position: number
}

/** So many bytes of what a pack holds, one after another. A version of a file is a list of these. */
export interface Stretch {
  readonly packId: string
  readonly offset: number
  readonly length: number
}

/** All that an archive holds, read from its snapshots. */
export interface Catalogue {
  /** The newest version of each file, by root and name in that order. */
  readonly files: readonly ArchivedFile[]
  readonly snapshots: readonly SnapshotHead[]
  /** Snapshots that are there and cannot be read; `verifyArchive` says more. */
  readonly damaged: readonly string[]
}

export interface SnapshotHead {
  readonly id: string
  readonly takenMs: number
  readonly fileCount: number
  /** Of the files it brought, as they were. */
  readonly sizeBytes: number
  /** What they took in the archive. */
  readonly storedBytes: number
}

/** A file to be kept, as it was found. */
export interface SourceFile {
  readonly root: string
  readonly name: string
  readonly path: string
  readonly sessionId: string | null
}
