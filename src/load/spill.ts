// A tool's output that was too long for its record. The path in the record is that of the machine it was made on: the
// file of that name is looked for beside the transcript, and nowhere else.

import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { decodeUtf8 } from '../base/text.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'

export interface ReadSpill {
  readonly text: string
  readonly isCut: boolean
}

export function readSpill(sessionFolder: string | null, path: string, bytesMax: number): ReadSpill | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  if (sessionFolder === null || name === '' || name === '..' || name.includes('\0')) return null
  const opened = openTranscript(join(sessionFolder, 'tool-results', name))
  if (isProblem(opened)) return null
  try {
    const isCut = opened.sizeBytes > bytesMax
    const text = decodeUtf8(readBytes(opened.fd, 0, Math.min(opened.sizeBytes, bytesMax)))
    // What was cut in two goes: a character, and a Secret, which would not be known by its beginning.
    return { text: isCut ? text.slice(0, Math.max(0, text.lastIndexOf('\n'))) : text, isCut }
  } finally {
    closeSync(opened.fd)
  }
}
