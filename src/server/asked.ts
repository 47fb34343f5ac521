// What a request asks for, as values; and what cannot be answered as one line with its status.

import type { Context } from 'hono'
import type { Refusal } from './api/refusal.ts'

export class Refused extends Error {
  readonly status: 400 | 404

  constructor(message: string, status: 400 | 404 = 400) {
    super(message)
    this.status = status
  }
}

/** A route that answers JSON. */
export function answered<Answer>(
  make: (context: Context) => Answer | Promise<Answer>,
): (context: Context) => Promise<Response> {
  return orRefused(async (context) => context.json(await make(context)))
}

export function orRefused(
  make: (context: Context) => Response | Promise<Response>,
): (context: Context) => Promise<Response> {
  return async (context) => {
    try {
      return await make(context)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const refusal: Refusal = { error: error.message }
      return context.json(refusal, error.status)
    }
  }
}

/** Nobody means more; it is answered before anything is done with it. */
const VALUE_MAX = 1000

/** Null when it is absent or empty. */
export function textAsked(context: Context, name: string): string | null {
  const value = context.req.query(name)?.trim() ?? ''
  if (value.length > VALUE_MAX) throw new Refused(`${name} is longer than ${VALUE_MAX} characters`)
  return value === '' ? null : value
}

export function oneAsked<Value extends string>(
  context: Context,
  name: string,
  allowed: readonly Value[],
  otherwise: Value,
): Value {
  const value = textAsked(context, name)
  if (value === null) return otherwise
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Refused(`${name} takes ${allowed.join(', ')}`)
  return found
}

export function numberAsked(context: Context, name: string, from: number, to: number, otherwise?: number): number {
  const value = textAsked(context, name)
  if (value === null && otherwise !== undefined) return otherwise
  const number = value !== null && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= from && number <= to)) throw new Refused(`${name} takes a whole number from ${from} to ${to}`)
  return number
}
