// The bytes and Bodies of records by their places. Descriptors are kept for the few files that are looked at, and given
// up when a file was replaced: an open one would show what is not there any more.

import { closeSync, statSync } from 'node:fs'
import type { Spot } from '../conversation/layout.ts'
import { parseBody } from '../load/bodies.ts'
import type { Body } from '../record/model.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'

const OPEN_MAX = 16

interface Opened {
  readonly fd: number
  readonly identity: string
}

export type Place = Pick<Spot, 'offset' | 'length'>

export class RecordBytes {
  readonly #open = new Map<string, Opened>()

  /** Null when the file is not there, or ends before. */
  read(path: string, { offset, length }: Place): Buffer | null {
    const opened = this.#openFile(path)
    if (opened === null) return null
    const bytes = readBytes(opened.fd, offset, length)
    return bytes.length === length ? bytes : null
  }

  body(path: string, place: Place): Body | null {
    const bytes = this.read(path, place)
    return bytes === null ? null : parseBody(bytes)
  }

  close(): void {
    for (const { fd } of this.#open.values()) closeSync(fd)
    this.#open.clear()
  }

  #openFile(path: string): Opened | null {
    const known = this.#open.get(path)
    if (known !== undefined) {
      if (identityOf(path) === known.identity) return known
      closeSync(known.fd)
      this.#open.delete(path)
    }
    const opened = openTranscript(path)
    if (isProblem(opened)) return null
    const kept = { fd: opened.fd, identity: identityOf(path) }
    this.#open.set(path, kept)
    const [oldest] = this.#open
    if (this.#open.size > OPEN_MAX && oldest !== undefined) {
      closeSync(oldest[1].fd)
      this.#open.delete(oldest[0])
    }
    return kept
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`
}
