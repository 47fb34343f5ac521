// Two commands pack sessions into one file, and people give both the same ending. What begins like the other one's is sent
// to the command that takes it.

import { closeSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { EXPORT_HEAD } from '../archive/export-archive.ts'
import { CARRY_HEAD } from '../relocate/carry-format.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import { behindLink } from '../source/real-place.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'

const HEAD_BYTES = 1 << 12

/** The two commands that take such a file. */
const TAKERS = { carry: 'clew carry --import', archive: 'clew archive import' } as const

/** The file that was named. A link is followed, as everywhere where a person names it. */
export function packedFile(named: string, wanted: keyof typeof TAKERS, { folder }: World): string {
  const path = resolve(folder, named)
  const isFile = isPlainFile(path)
  if (isFile === null) throw new Failure(`no such file: ${path}`)
  if (!isFile) throw new Failure(`${path} is no file. Name one: ${TAKERS[wanted]} FILE`)
  const file = behindLink(path)
  refuseOtherKind(file, wanted)
  return file
}

/** Null where nothing is. */
function isPlainFile(path: string): boolean | null {
  try {
    return statSync(path).isFile()
  } catch {
    return null
  }
}

function refuseOtherKind(path: string, wanted: keyof typeof TAKERS): void {
  const kind = kindOf(path)
  if (kind === null || kind === wanted) return
  const made = kind === 'carry' ? 'clew carry' : 'clew archive export'
  throw new Failure(`${path} was made by ${made}. Try: ${TAKERS[kind]} ${path}`)
}

function kindOf(path: string): keyof typeof TAKERS | null {
  const head = headOf(path)
  if (head.toString('latin1').startsWith(EXPORT_HEAD)) return 'archive'
  return unpacked(head).startsWith(CARRY_HEAD) ? 'carry' : null
}

/** Nothing of what cannot be read: whoever opens it next says why. */
function headOf(path: string): Buffer {
  const opened = openTranscript(path)
  if (isProblem(opened)) return Buffer.alloc(0)
  try {
    return readBytes(opened.fd, 0, Math.min(HEAD_BYTES, opened.sizeBytes))
  } finally {
    closeSync(opened.fd)
  }
}

/** As much of it as there is: it is only the beginning. */
function unpacked(head: Buffer): string {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  } catch {
    return ''
  }
}
