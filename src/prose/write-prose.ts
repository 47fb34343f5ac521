// Tasks in, prose out. A task that fails fails alone, and costs nothing twice: whatever was answered is in the cache, so
// a second run asks only for what is missing.

import { assertUnreachable } from '../base/assert.ts'
import { openCache } from './cache.ts'
import type { Caller } from './caller.ts'
import { openCaller } from './caller.ts'
import { condense } from './condense.ts'
import { estimateProse } from './estimate.ts'
import { citedLine, prepareTask } from './lines.ts'
import type { ProseOptions, ProseReport, ProseResult, ProseState, ProseTask, Spending } from './model.ts'
import { oneLine, ProseError } from './prose-error.ts'
import { settings } from './settings.ts'
import { addSpending, NOTHING } from './spending.ts'

/** Never throws for what a model, a server or a transcript does. */
export async function writeProse(tasks: readonly ProseTask[], options: ProseOptions): Promise<ProseReport> {
  const { tasks: estimates, ...estimate } = await estimateProse(tasks, options)
  const cache = openCache(options.cacheFolder)
  const caller = openCaller(options, cache)
  let done = 0
  const results = await Promise.all(
    tasks.map(async (task, index): Promise<ProseResult> => {
      const refusal = estimates[index]?.refusal ?? null
      const result = refusal === null ? await writeTask(task, options, caller) : skipped(task, refusal)
      done++
      options.onProgress?.({ done, total: tasks.length })
      return result
    }),
  )
  const spent = results.reduce<Spending>(addSpending, NOTHING)
  return { results, estimate, spent, cacheProblem: cache.problem() }
}

async function writeTask(task: ProseTask, options: ProseOptions, caller: Caller): Promise<ProseResult> {
  let spent: Spending = NOTHING
  const onSpent = (real: Spending): void => {
    spent = addSpending(spent, real)
  }
  try {
    const prepared = prepareTask(task, options.redactor)
    const lines = await condense(prepared, settings(options).partTokensMax, (stage, some) =>
      caller({ stage, heading: prepared.heading, lines: some }, onSpent),
    )
    const state = spent.calls === 0 ? 'cached' : 'written'
    return { id: task.id, state, paragraphs: lines.map((line) => citedLine(line, task)), error: null, ...spent }
  } catch (error) {
    if (!(error instanceof ProseError)) throw error
    // A server may quote what it was sent, the key among it.
    const said = oneLine(options.redactor.text(error.message).text)
    return { id: task.id, state: stateOf(error), paragraphs: [], error: said, ...spent }
  }
}

function stateOf({ kind }: ProseError): ProseState {
  switch (kind) {
    case 'setup':
    case 'passing':
    case 'lasting':
      return 'failed'
    case 'stopped':
      return 'skipped'
    default:
      return assertUnreachable(kind)
  }
}

function skipped(task: ProseTask, error: string): ProseResult {
  return { id: task.id, state: 'skipped', paragraphs: [], error, ...NOTHING }
}
