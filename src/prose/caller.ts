// One question answered: out of the cache, or by the Route within the budget, as often as patience allows. Questions of
// all tasks wait in one line, so that a server is never asked by more than a few at once.

import { parseAnswer } from './answer.ts'
import type { Cache } from './cache.ts'
import { cacheKey } from './cache.ts'
import type { NumberedLine } from './lines.ts'
import type { Answer, Ask, Price, ProseOptions, Spending } from './model.ts'
import { persist } from './persist.ts'
import type { Question } from './prompt.ts'
import { promptText, systemText, unguessableMark } from './prompt.ts'
import { ProseError } from './prose-error.ts'
import { settings } from './settings.ts'
import type { Budget } from './spending.ts'
import { expectedSpending, openBudget, priceOfRoute, spendingOf } from './spending.ts'

export type Caller = (
  about: Pick<Question, 'stage' | 'heading' | 'lines'>,
  onSpent: (real: Spending) => void,
) => Promise<readonly NumberedLine[]>

export function openCaller(options: ProseOptions, cache: Cache): Caller {
  const { wishes, concurrency, retries, pauseMs, timeoutMs } = settings(options)
  const signal = options.signal ?? new AbortController().signal
  const inLine = openLine(concurrency)
  const attempt = openAttempts(options, openBudget(options))
  return async (about, onSpent) => {
    const question: Question = { ...about, ...wishes }
    const key = cacheKey(options.route, question)
    const kept = cache.read(key)
    if (kept !== null) return kept
    const lines = await inLine(() => {
      const prompt = promptText(question, unguessableMark(promptText(question)))
      const ask = { system: systemText(about.stage), prompt, timeoutMs, signal, budgetUsd: null }
      const once = async (): Promise<readonly NumberedLine[]> => linesOf(await attempt(ask, onSpent), about.lines)
      return persist(once, { retries, pauseMs, signal })
    })
    cache.write(key, lines)
    return lines
  }
}

type Attempt = (ask: Ask, onSpent: (real: Spending) => void) => Promise<Answer>

/** Within the budget. After a failure that every other call would share, no other is made. */
function openAttempts(options: ProseOptions, budget: Budget): Attempt {
  const { route } = options
  const price = priceOfRoute(options)
  let hopeless: ProseError | null = null
  return async (ask, onSpent) => {
    if (hopeless !== null) throw hopeless
    if (ask.signal.aborted) throw new ProseError('stopped', 'stopped before it was begun')
    const leftUsd = budget.leftUsd()
    const reserved = budget.reserve(expectedSpending(ask, route, price))
    try {
      const answer = await route.ask({ ...ask, budgetUsd: price === null ? null : leftUsd })
      const real = realSpending(answer, price)
      reserved.settle(real)
      onSpent(real)
      return answer
    } catch (error) {
      if (!(error instanceof ProseError)) throw error
      if (error.kind === 'setup') hopeless = error
      const real = failedSpending(error, price)
      reserved.settle(real)
      if (real !== null && real.calls > 0) onSpent(real)
      throw error
    }
  }
}

function realSpending(answer: Answer, price: Price | null): Spending {
  const counted = spendingOf(answer.inputTokens, answer.outputTokens, price)
  return answer.costUsd === null ? counted : { ...counted, costUsd: answer.costUsd }
}

/** Null: it may have cost something, and nobody knows what. */
function failedSpending({ facts }: ProseError, price: Price | null): Spending | null {
  const { inputTokens, outputTokens, costUsd, isCharged } = facts
  if (inputTokens === undefined && outputTokens === undefined) {
    return isCharged === true ? null : { ...spendingOf(0, 0, null), calls: 0, costUsd: 0 }
  }
  const counted = spendingOf(inputTokens ?? 0, outputTokens ?? 0, price)
  return costUsd === undefined || costUsd === null ? counted : { ...counted, costUsd }
}

/** An answer that cites nothing is none: it rests on no line, and may be somebody else's words. */
function linesOf({ text, isCut }: Answer, asked: readonly NumberedLine[]): readonly NumberedLine[] {
  const known = new Set(asked.flatMap(({ numbers }) => numbers))
  const lines = parseAnswer(text, known, isCut)
  if (lines.length === 0)
    throw new ProseError('lasting', 'the answer has no text in it. Try again, or name another model')
  if (lines.every(({ numbers }) => numbers.length === 0)) {
    throw new ProseError('lasting', 'the answer names none of the lines it rests on. Try again, or name another model')
  }
  return lines
}

/** At most so many at once, in the order they came. */
function openLine(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
