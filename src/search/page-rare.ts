// What few records have: links, Boundaries, and numbers that are none of the usual.

import type { Boundary, Envelope } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import type { LinkWriters } from './page-links.ts'
import { linkNumbers, packLinks } from './page-links.ts'
import { HAS_BOUNDARY, NEXT, UUID, wayOf } from './page-marks.ts'
import { blockIndexOf, ELSEWHERE } from './page-moulds.ts'
import type { TextReader, TextWriter } from './page-texts.ts'

interface PackedRare {
  readonly rare: ColumnWriter
  /** Which links each record has. */
  readonly links: readonly (readonly number[] | null)[]
}

export function packRare(
  envelopes: readonly Envelope[],
  marks: Uint16Array,
  writers: Omit<LinkWriters, 'rare'>,
): PackedRare {
  const { texts } = writers
  const rare = new ColumnWriter()
  const to = { ...writers, rare }
  const numbers: (readonly number[] | null)[] = []
  let own = 0
  for (let index = 0; index < envelopes.length; index++) {
    const one = envelopes[index] as Envelope
    if (wayOf(marks[index] as number, UUID) === NEXT) own++
    const { links, boundary, blockIndex } = one
    const present = links === null ? null : linkNumbers(links)
    numbers.push(present)
    if (blockIndexOf(one) === ELSEWHERE) rare.number(blockIndex)
    if (boundary !== null) {
      packBoundary(rare, texts, boundary)
      marks[index] = (marks[index] as number) | HAS_BOUNDARY
    }
    if (links !== null && present !== null) packLinks(links, present, own, to)
  }
  return { rare, links: numbers }
}

/** JSON will do; but for numbers, of which it cannot write all. It tells whether the rarest of them follows. */
function packBoundary(rare: ColumnWriter, texts: TextWriter, boundary: Boundary): void {
  const { trigger, preserved, tokensSaved } = boundary
  rare.whole(texts.text(JSON.stringify([trigger, preserved, ...(tokensSaved === null ? [] : [true])])))
  rare.number(boundary.preTokens)
  rare.number(boundary.postTokens)
  if (tokensSaved !== null) rare.number(tokensSaved)
}

export function unpackBoundary(rare: ColumnReader, texts: TextReader): Boundary {
  const text = texts.text(rare.whole()) as string
  const [trigger, preserved, isSaved] = JSON.parse(text) as [Boundary['trigger'], Boundary['preserved'], true?]
  const [preTokens, postTokens] = [rare.number(), rare.number()]
  return { trigger, preTokens, postTokens, tokensSaved: isSaved === true ? rare.number() : null, preserved }
}

/** What joins calls with the subagents they started. */
export function packPromptKeys(envelopes: readonly Envelope[]): ColumnWriter {
  const to = new ColumnWriter()
  for (const { toolUses } of envelopes)
    for (const { promptKey } of toolUses) if (promptKey !== undefined) to.number(promptKey)
  return to
}
