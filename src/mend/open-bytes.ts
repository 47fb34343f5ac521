import { closeSync } from 'node:fs'
import { isProblem, openTranscript } from '../source/open.ts'
import type { OpenBytes } from './apply.ts'
import { RepairRefused } from './repair-refused.ts'
import { bytesInFile } from './transcript-bytes.ts'

/** A transcript on this machine, as long as it was when it was opened. */
export function openBytes(path: string): OpenBytes {
  const opened = openTranscript(path)
  if (isProblem(opened)) throw new RepairRefused('changed', `${path}: ${opened.message}`)
  return { bytes: bytesInFile(opened.fd, opened.sizeBytes, path), close: () => closeSync(opened.fd) }
}
