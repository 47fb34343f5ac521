// A task to prose: at once where it fits, else part by part and then joined, again and again until it fits. How a
// question is answered is not known here, so that what is estimated and what is done cannot differ.

import type { NumberedLine, PreparedTask } from './lines.ts'
import { partsOf } from './lines.ts'
import type { Question } from './prompt.ts'
import { ProseError } from './prose-error.ts'

export type Answering = (stage: Question['stage'], lines: readonly NumberedLine[]) => Promise<readonly NumberedLine[]>

/** Each round leaves at most two thirds of what there was; nobody has a day that needs so many. */
const ROUNDS_MAX = 30

export async function condense(
  { lines: all }: PreparedTask,
  tokensMax: number,
  answer: Answering,
): Promise<readonly NumberedLine[]> {
  let lines = all
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const parts = partsOf(lines, tokensMax)
    if (parts.length <= 1) return answer(round === 0 ? 'whole' : 'join', lines)
    // All of them, even when one fails: what the others came to is kept for the next time.
    const answers = await Promise.allSettled(parts.map((part) => answer('part', part)))
    lines = answers.flatMap((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
  }
  throw new ProseError('lasting', 'it is too long to be joined')
}
