// What a request asks for, checked: a wrong word is refused with one line that says what was expected.

import type { Context } from 'hono'
import type { ReadingChoice } from './api.ts'

export class RefusedRequest extends Error {
  readonly status: 400 | 404

  constructor(message: string, status: 400 | 404 = 400) {
    super(message)
    this.status = status
  }
}

export function wholeParameter(context: Context, name: string, otherwise: number): number {
  const value = context.req.query(name)
  if (value === undefined) return otherwise
  if (!/^\d{1,15}$/.test(value)) throw new RefusedRequest(`“${name}” takes a whole number`)
  return Number(value)
}

const NAME_MAX = 200

export function nameParameter(context: Context, name: string): string | null {
  const value = context.req.query(name)
  if (value === undefined || value === '') return null
  if (value.length > NAME_MAX) throw new RefusedRequest(`“${name}” is too long`)
  return value
}

export function readingChoice(context: Context): ReadingChoice {
  const reading = context.req.query('reading') ?? 'full'
  if (reading !== 'full' && reading !== 'context') throw new RefusedRequest('“reading” takes full or context')
  const branch = wholeParameter(context, 'branch', 0)
  if (branch > 0 && reading === 'context') throw new RefusedRequest('only the full reading has branches')
  const at = reading === 'context' ? nameParameter(context, 'at') : null
  return { reading, branch, agent: nameParameter(context, 'agent'), at }
}
