// A transcript that is being written → its new Lines, step by step, exactly as one read at the end would give them. A
// client may truncate the file, put another in its place or move it to another project folder while it runs. An inode
// and its birth time can come back for the next file, so the bytes before the Watermark are compared too. One thing
// goes unseen: bytes changed in place, with the length kept, after the first line and before the last 4 KiB.

import { closeSync, lstatSync } from 'node:fs'
import type { Position, Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { readBytes, readLines } from './lines.ts'
import type { Line } from './model.ts'
import type { OpenFile } from './open.ts'
import { isProblem, openTranscript } from './open.ts'

/** After `truncated` and `replaced` the lines count from 1 again, and all that was delivered before is void. */
export type FollowChange = 'none' | 'grown' | 'truncated' | 'replaced' | 'moved' | 'gone'

export interface FollowStep {
  readonly change: FollowChange
  readonly path: string
  /** Their bytes are copies and stay valid. */
  readonly lines: readonly Line[]
  /** The step ended at its limit, so the next one need not wait. */
  readonly more: boolean
  readonly problem: Problem | null
}

export interface FollowOptions {
  /** Where the session's file is now. Asked only when nothing is at its path any more. */
  readonly locate?: () => string | null
}

const STEP_BYTES_MAX = 1 << 23
const FINGERPRINT_BYTES = 1 << 12
/** About what a Line takes beside its bytes. Without it, a step over empty lines would take far more than its limit. */
const LINE_COST_BYTES = 1 << 8
const LINE_END = Buffer.from('\n')

interface Watermark {
  readonly offset: number
  /** The number of the line that begins at `offset`. */
  readonly number: number
  /** Null until the file was opened once. */
  readonly identity: string | null
  /** The first line and the last bytes before `offset`, FINGERPRINT_BYTES of each. A line too long to keep adds none. */
  readonly head: Buffer
  readonly tail: Buffer
  /** False when the last line delivered had no line end. */
  readonly ended: boolean
}

const NOTHING = Buffer.alloc(0)
const START: Watermark = { offset: 0, number: 1, identity: null, head: NOTHING, tail: NOTHING, ended: true }

export class Follower {
  #path: string
  #watermark = START
  readonly #locate: () => string | null

  constructor(path: string, options: FollowOptions = {}) {
    this.#path = path
    this.#locate = options.locate ?? (() => null)
  }

  /** The complete lines written since the last step, up to about `bytesMax` bytes but at least one line. */
  poll(bytesMax = STEP_BYTES_MAX): FollowStep {
    return this.#step(bytesMax, false)
  }

  /** As `poll`, with the unfinished last line. Should that line go on after all, the next step is a `replaced`. */
  finish(bytesMax = STEP_BYTES_MAX): FollowStep {
    return this.#step(bytesMax, true)
  }

  #step(bytesMax: number, withUnended: boolean): FollowStep {
    const here = openTranscript(this.#path)
    if (!isProblem(here)) return this.#readAndClose(here, this.#path, bytesMax, withUnended)
    if (!isAbsent(this.#path)) return this.#still('none', here)
    const path = this.#locate()
    if (path === null) return this.#still('gone', null)
    const there = openTranscript(path)
    if (!isProblem(there)) return this.#readAndClose(there, path, bytesMax, withUnended)
    return this.#still('gone', isAbsent(path) ? null : there)
  }

  #readAndClose(file: OpenFile, path: string, bytesMax: number, withUnended: boolean): FollowStep {
    try {
      return this.#read(file, path, bytesMax, withUnended)
    } catch (error) {
      return this.#still('none', unreadable(path, this.#watermark, error))
    } finally {
      closeSync(file.fd)
    }
  }

  #read(file: OpenFile, path: string, bytesMax: number, withUnended: boolean): FollowStep {
    const before = this.#watermark
    const isKnown = before.identity === null || before.identity === file.identity
    const isElsewhere = path !== this.#path
    const content = compareContent(file, before)
    // A move to another device is a copy: it has another identity, and it may still be shorter than what we know.
    if (isElsewhere && !isKnown && content !== 'same') return this.#still('gone', null)
    const hasGoneOn = !before.ended && file.sizeBytes > before.offset
    const isOther = (!isKnown && !isElsewhere) || (content === 'same' && hasGoneOn)
    const change = isOther ? 'replaced' : content
    const start = change === 'same' ? before : START
    const { lines, more, error } = linesAfter(file, start, bytesMax, withUnended)
    this.#path = path
    this.#watermark = advance(start, file.identity, lines)
    const refusal = error === null ? null : unreadable(path, this.#watermark, error)
    if (change !== 'same') {
      return { change, path, lines, more, problem: refusal ?? problem('file-changed', positionOf(path, before)) }
    }
    const sameFile = lines.length > 0 ? 'grown' : 'none'
    return { change: isElsewhere ? 'moved' : sameFile, path, lines, more, problem: refusal }
  }

  #still(change: 'none' | 'gone', reason: Problem | null): FollowStep {
    return { change, path: this.#path, lines: [], more: false, problem: reason }
  }
}

function compareContent(file: OpenFile, watermark: Watermark): 'same' | 'truncated' | 'replaced' {
  const { offset, head, tail } = watermark
  if (file.sizeBytes < offset) return 'truncated'
  const hasHead = readBytes(file.fd, 0, head.length).equals(head)
  const hasTail = readBytes(file.fd, offset - tail.length, tail.length).equals(tail)
  return hasHead && hasTail ? 'same' : 'replaced'
}

interface NewLines {
  readonly lines: readonly Line[]
  readonly more: boolean
  readonly error: unknown
}

function linesAfter(file: OpenFile, start: Watermark, bytesMax: number, withUnended: boolean): NewLines {
  const lines: Line[] = []
  let cost = 0
  try {
    for (const line of file.sizeBytes > start.offset ? readLines(file.fd, start) : []) {
      if (!line.ended && !withUnended) break
      lines.push({ ...line, bytes: line.bytes === null ? null : Buffer.from(line.bytes) })
      cost += line.length + LINE_COST_BYTES
      const isFull = cost >= bytesMax
      // What is written meanwhile behind an unfinished line belongs to that line and not to the next.
      if (isFull || !line.ended) return { lines, more: line.offset + line.length < file.sizeBytes, error: null }
    }
  } catch (error) {
    // The lines before a bad sector are good, and no later step would bring them.
    return { lines, more: false, error }
  }
  return { lines, more: false, error: null }
}

/** Takes the fingerprint from what was delivered and not from the file, which may have been rewritten since. */
function advance(start: Watermark, identity: string, lines: readonly Line[]): Watermark {
  const last = lines.at(-1)
  if (last === undefined) return { ...start, identity }
  const first = lines[0]?.bytes?.subarray(0, FINGERPRINT_BYTES) ?? NOTHING
  const head = start.offset === 0 ? Buffer.from(first) : start.head
  const tail = tailOf(start.tail, lines)
  return { offset: last.offset + last.length, number: last.number + 1, identity, head, tail, ended: last.ended }
}

function tailOf(before: Buffer, lines: readonly Line[]): Buffer {
  const parts: Uint8Array[] = []
  let missing = FINGERPRINT_BYTES
  for (const line of lines.slice(-FINGERPRINT_BYTES).reverse()) {
    if (missing <= 0) break
    if (line.ended) parts.unshift(LINE_END)
    if (line.bytes === null) return Buffer.concat(parts)
    parts.unshift(line.bytes.subarray(-missing))
    missing -= line.length
  }
  if (missing > 0) parts.unshift(before.subarray(-missing))
  return Buffer.concat(parts)
}

function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    // Something keeps us from looking, which is not the same as nothing being there.
    return false
  }
}

function positionOf(path: string, watermark: Watermark): Position {
  return { path, line: watermark.number, offset: watermark.offset, length: 0 }
}

function unreadable(path: string, watermark: Watermark, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return problem('file-unreadable', positionOf(path, watermark), `cannot read the file: ${code}`)
}
