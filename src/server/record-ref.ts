// The name of a record in an address: which of the conversation's files, from which byte, how many. It leads nowhere
// outside of those files.

import type { Spot } from '../conversation/layout.ts'

export interface RecordRef {
  readonly transcript: number
  readonly offset: number
  readonly length: number
}

export function refOf({ transcript, offset, length }: Pick<Spot, 'transcript' | 'offset' | 'length'>): string {
  return `${transcript}.${offset}.${length}`
}

/** No record is longer than a line that is kept whole. */
const LENGTH_MAX = 1 << 30

export function parseRef(text: string): RecordRef | null {
  const found = /^(\d{1,4})\.(\d{1,15})\.(\d{1,10})$/.exec(text)
  if (found === null) return null
  const [transcript = 0, offset = 0, length = 0] = found.slice(1).map(Number)
  return length > 0 && length <= LENGTH_MAX ? { transcript, offset, length } : null
}
