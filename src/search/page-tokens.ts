// What replies used. The records of one message tell the same numbers, or all but the tokens written so far.

import type { Envelope, Usage } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import { USAGE } from './page-marks.ts'

const NO_USAGE = 0
const NEW = 1
const NEW_OUTPUT = 2
const SAME = 3

export function packTokens(envelopes: readonly Envelope[], marks: Uint16Array): ColumnWriter {
  const to = new ColumnWriter()
  let before: Usage | null = null
  for (let index = 0; index < envelopes.length; index++) {
    const { usage } = envelopes[index] as Envelope
    if (usage === null) continue
    const way = before === null ? NEW : usageWay(usage, before)
    marks[index] = (marks[index] as number) | (way << USAGE)
    before = usage
    if (way !== SAME) to.number(usage.outputTokens)
    if (way !== NEW) continue
    to.number(usage.inputTokens)
    to.number(usage.cacheReadTokens)
    to.number(usage.cacheWriteTokens)
    to.number(usage.cacheWrite1hTokens)
  }
  return to
}

function usageWay(usage: Usage, before: Usage): number {
  const isSameInput =
    Object.is(usage.cacheReadTokens, before.cacheReadTokens) &&
    Object.is(usage.cacheWriteTokens, before.cacheWriteTokens) &&
    Object.is(usage.inputTokens, before.inputTokens) &&
    Object.is(usage.cacheWrite1hTokens, before.cacheWrite1hTokens)
  if (!isSameInput) return NEW
  return Object.is(usage.outputTokens, before.outputTokens) ? SAME : NEW_OUTPUT
}

export class TokenReader {
  readonly #from: ColumnReader
  #before: Usage | null = null

  constructor(from: ColumnReader) {
    this.#from = from
  }

  next(way: number): Usage | null {
    if (way === NO_USAGE) return null
    if (way !== SAME) this.#before = unpackUsage(this.#from, way === NEW ? null : this.#before)
    return this.#before
  }
}

function unpackUsage(from: ColumnReader, before: Usage | null): Usage {
  const outputTokens = from.number() as number
  if (before !== null) {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = before
    return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens }
  }
  return {
    inputTokens: from.number() as number,
    outputTokens,
    cacheReadTokens: from.number() as number,
    cacheWriteTokens: from.number() as number,
    cacheWrite1hTokens: from.number() as number,
  }
}
