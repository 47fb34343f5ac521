import { WHOLE_BYTES } from '../load/parts.ts'

/** How much is done at once. Only tests set it: what is measured in megabytes here shows its seams there. */
export interface IngestSizes {
  /** How much of a file is read at once. */
  readonly windowBytes: number
  /** A Batch ends with the first window behind so much text or so many records. */
  readonly batchBytes: number
  readonly batchRecords: number
  /** A transaction is large enough that commits do not count, small enough that little is lost. */
  readonly commitBytes: number
  readonly commitMs: number
  /** A worker pays for itself above this. */
  readonly workerBytes: number
  /** A project is woven as a whole up to this. */
  readonly wholeBytes: number
  /** From so much on it is a first build: words are gathered by the loader, and some indexes are made at the end. */
  readonly bulkBytes: number
}

export const SIZES: IngestSizes = {
  windowBytes: 1 << 20,
  batchBytes: 4 << 20,
  batchRecords: 8192,
  commitBytes: 256 << 20,
  commitMs: 5000,
  workerBytes: 16 << 20,
  wholeBytes: WHOLE_BYTES,
  bulkBytes: 64 << 20,
}
