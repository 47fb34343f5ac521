// Bodies by Position, with each file opened once. Holds descriptors, so whoever opens it closes it.

import { closeSync } from 'node:fs'
import type { Body, Envelope } from '../record/model.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'

export interface Bodies {
  readonly read: (path: string, place: Pick<Envelope, 'offset' | 'length'>) => Body | null
  readonly close: () => void
}

export function openBodies(): Bodies {
  const descriptors = new Map<string, number | null>()
  const descriptorOf = (path: string): number | null => {
    const known = descriptors.get(path)
    if (known !== undefined) return known
    const opened = openTranscript(path)
    const fd = isProblem(opened) ? null : opened.fd
    descriptors.set(path, fd)
    return fd
  }
  return {
    read: (path, { offset, length }) => {
      const fd = descriptorOf(path)
      return fd === null ? null : parseBody(readBytes(fd, offset, length))
    },
    close: () => {
      for (const fd of descriptors.values()) if (fd !== null) closeSync(fd)
      descriptors.clear()
    },
  }
}

/** Null when the file has changed since its Envelopes were read: the record is then shown without its content. */
export function parseBody(bytes: Buffer): Body | null {
  try {
    const start = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0
    const value: unknown = JSON.parse(bytes.toString('utf8', start))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
  } catch {
    return null
  }
}
