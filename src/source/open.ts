// The one way a transcript is opened. O_NONBLOCK keeps a FIFO from hanging the process, O_NOFOLLOW a link from leading
// out of the archive, and fstat on the descriptor itself leaves no gap between looking and reading.

import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'

export interface OpenFile {
  readonly fd: number
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly changedMs: number
  /** Device, inode and birth time: what tells this file from the next one with the same name. */
  readonly identity: string
}

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

export function openTranscript(path: string): OpenFile | Problem {
  let fd: number
  try {
    fd = openSync(path, FLAGS)
  } catch (error) {
    return refused(path, error)
  }
  try {
    const stat = fstatSync(fd, { bigint: true })
    if (stat.isFile()) {
      const identity = `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`
      const [modifiedMs, changedMs] = [msOf(stat.mtimeNs), msOf(stat.ctimeNs)]
      return { fd, sizeBytes: Number(stat.size), modifiedMs, changedMs, identity }
    }
  } catch (error) {
    closeSync(fd)
    return refused(path, error)
  }
  closeSync(fd)
  return problem('file-not-regular', { path, line: 0, offset: 0, length: 0 })
}

/** The same number that a plain stat gives: with what is below the millisecond. */
function msOf(ns: bigint): number {
  return Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1_000_000
}

export function isProblem(value: OpenFile | Problem): value is Problem {
  return 'code' in value
}

function refused(path: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const position = { path, line: 0, offset: 0, length: 0 }
  if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') return problem('file-not-regular', position)
  return problem('file-unreadable', position, `cannot open the file: ${code}`)
}
