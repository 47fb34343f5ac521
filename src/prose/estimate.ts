// What prose will cost, before anything is sent. The same walk as the real one, with answers out of the cache where
// there are any, and as long as answers may be where there are none.

import { KEPT_TOKENS_MAX } from './answer.ts'
import { cacheKey, openCache } from './cache.ts'
import { condense } from './condense.ts'
import type { NumberedLine, PreparedTask } from './lines.ts'
import { prepareTask } from './lines.ts'
import type { ProseOptions, ProseTask, Spending } from './model.ts'
import type { Question } from './prompt.ts'
import { promptText, systemText } from './prompt.ts'
import { settings } from './settings.ts'
import { addSpending, excessOf, expectedSpending, NOTHING, priceOfRoute } from './spending.ts'

export interface TaskEstimate extends Spending {
  readonly id: string
  /** Why it will not be begun; null when it will. */
  readonly refusal: string | null
}

/** The sum is over the tasks that will be begun. */
export interface ProseEstimate extends Spending {
  readonly tasks: readonly TaskEstimate[]
}

export async function estimateProse(tasks: readonly ProseTask[], options: ProseOptions): Promise<ProseEstimate> {
  let sum = NOTHING
  let isFull = false
  const estimates: TaskEstimate[] = []
  for (const task of tasks) {
    const prepared = prepareTask(task, options.redactor)
    const expected = await expect(prepared, options)
    const refusal = refusalOf(prepared, expected, sum, isFull, options)
    // In order: a later task is not taken because it happens to be small. What is in the cache costs nothing.
    if (refusal === null) sum = addSpending(sum, expected)
    else if (expected.calls > 0) isFull = true
    estimates.push({ id: task.id, ...expected, refusal })
  }
  return { ...sum, tasks: estimates }
}

function refusalOf(
  prepared: PreparedTask,
  expected: Spending,
  before: Spending,
  isFull: boolean,
  options: ProseOptions,
): string | null {
  if (prepared.lines.length === 0) return 'there is nothing to write about'
  if (expected.calls === 0) return null
  if (isFull) return 'the limit was reached by what comes before it'
  return excessOf(addSpending(before, expected), options)
}

async function expect(prepared: PreparedTask, options: ProseOptions): Promise<Spending> {
  if (prepared.lines.length === 0) return NOTHING
  const { partTokensMax, wishes } = settings(options)
  const cache = openCache(options.cacheFolder)
  const price = priceOfRoute(options)
  let sum = NOTHING
  await condense(prepared, partTokensMax, async (stage, lines) => {
    const question: Question = { stage, heading: prepared.heading, lines, ...wishes }
    const kept = cache.read(cacheKey(options.route, question))
    if (kept !== null) return kept
    const ask = { system: systemText(stage), prompt: promptText(question, LONG_MARK) }
    sum = addSpending(sum, expectedSpending(ask, options.route, price))
    return longest(lines)
  })
  return sum
}

/** As long as a real one, so that the estimate is not a few tokens short. */
const LONG_MARK = `lines-${'0'.repeat(24)}`

/** No answer is kept that is longer than this. */
function longest(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  const PARAGRAPHS = 10
  const numbers = lines[0]?.numbers ?? []
  const text = 'x'.repeat(Math.floor((KEPT_TOKENS_MAX / PARAGRAPHS) * 3.5) - 10)
  return Array.from({ length: PARAGRAPHS }, () => ({ text, numbers }))
}
