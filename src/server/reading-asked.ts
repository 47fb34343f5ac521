import type { Context } from 'hono'
import type { ReadingChoice } from './api/conversation.ts'
import { numberAsked, oneAsked, Refused, textAsked } from './asked.ts'

const WHOLE_MAX = 1e15

export function wholeAsked(context: Context, name: string, otherwise: number): number {
  return numberAsked(context, name, 0, WHOLE_MAX, otherwise)
}

export function readingAsked(context: Context): ReadingChoice {
  const reading = oneAsked(context, 'reading', ['full', 'context'] as const, 'full')
  const branch = wholeAsked(context, 'branch', 0)
  if (branch > 0 && reading === 'context') throw new Refused('only the full reading has branches')
  return {
    reading,
    branch,
    agent: textAsked(context, 'agent'),
    at: reading === 'context' ? textAsked(context, 'at') : null,
  }
}
