// A transcript that is read more than once: line by line to understand it, by place to copy it.

import { splitLines } from '../record/split.ts'
import { readBytes, readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'

export interface TranscriptBytes {
  readonly path: string
  readonly sizeBytes: number
  readonly lines: () => Iterable<Line>
  readonly read: (offset: number, length: number) => Uint8Array
}

export function bytesInMemory(bytes: Uint8Array, path = ''): TranscriptBytes {
  return {
    path,
    sizeBytes: bytes.length,
    lines: () => splitLines(bytes),
    read: (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** The descriptor stays the caller's; what a live file grows by meanwhile is not looked at. */
export function bytesInFile(fd: number, sizeBytes: number, path: string): TranscriptBytes {
  return {
    path,
    sizeBytes,
    lines: () => upTo(readLines(fd), sizeBytes),
    read: (offset, length) => readBytes(fd, offset, length),
  }
}

function* upTo(lines: Iterable<Line>, sizeBytes: number): Generator<Line, void, void> {
  for (const line of lines) {
    if (line.offset >= sizeBytes) return
    if (line.offset + line.length <= sizeBytes) {
      yield line
      continue
    }
    const length = sizeBytes - line.offset
    yield { ...line, length, bytes: line.bytes?.subarray(0, length) ?? null, ended: false }
  }
}
