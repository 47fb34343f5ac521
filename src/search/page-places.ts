// Where records stand and when they were written. Records mostly follow each other, line by line: what stands between them is
// stored where it changes. Times are steps from the one before.

import type { Envelope } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import { HAS_TIME } from './page-marks.ts'

/** Runs of records with the same bytes and lines in front of them. */
export function packGaps(envelopes: readonly Envelope[]): ColumnWriter {
  const to = new ColumnWriter()
  let end = 0
  let lastLine = 0
  let lastGap = 0
  let lastStep = 0
  let count = 0
  for (const { offset, length, line } of envelopes) {
    const gap = offset - end
    const step = line - lastLine
    if (count === 0 || gap !== lastGap || step !== lastStep) {
      if (count > 0) to.whole(count)
      to.number(gap)
      to.number(step)
      count = 0
    }
    count++
    end = offset + length
    lastLine = line
    lastGap = gap
    lastStep = step
  }
  to.whole(count)
  return to
}

/** The place of the next record, field by field. */
export class PlaceReader {
  readonly #gaps: ColumnReader
  readonly #lengths: ColumnReader
  #gap = 0
  #step = 0
  #left = 0
  offset = 0
  length = 0
  line = 0

  constructor(gaps: ColumnReader, lengths: ColumnReader) {
    this.#gaps = gaps
    this.#lengths = lengths
  }

  next(): void {
    if (this.#left === 0) {
      this.#gap = this.#gaps.number() as number
      this.#step = this.#gaps.number() as number
      this.#left = this.#gaps.whole()
    }
    this.#left--
    this.offset += this.length + this.#gap
    this.length = this.#lengths.whole()
    this.line += this.#step
  }
}

export function packLengths(envelopes: readonly Envelope[]): ColumnWriter {
  const to = new ColumnWriter()
  for (const { length } of envelopes) to.whole(length)
  return to
}

/** 0 for one that is no whole number near the one before, else the step, its sign in the lowest bit. */
export function packTimes(envelopes: readonly Envelope[], marks: Uint16Array): ColumnWriter {
  const to = new ColumnWriter()
  let before = 0
  for (const [index, { timestampMs }] of envelopes.entries()) {
    if (timestampMs === null) continue
    marks[index] = (marks[index] as number) | HAS_TIME
    const step = timestampMs - before
    if (Number.isSafeInteger(step) && Math.abs(step) < 2 ** 50 && Object.is(before + step, timestampMs))
      to.whole(1 + (step < 0 ? -step * 2 + 1 : step * 2))
    else {
      to.whole(0)
      to.number(timestampMs)
    }
    before = timestampMs
  }
  return to
}

export class TimeReader {
  readonly #from: ColumnReader
  #before = 0

  constructor(from: ColumnReader) {
    this.#from = from
  }

  next(): number {
    const code = this.#from.whole()
    const step = Math.floor((code - 1) / 2)
    if (code === 0) this.#before = this.#from.number() as number
    else this.#before += code % 2 === 1 ? step : -step
    return this.#before
  }
}
