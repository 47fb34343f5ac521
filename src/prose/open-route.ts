// Which way to a model. Everything it needs is looked at before anything is sent, so that what is missing is told at once.

import { assertUnreachable } from '../base/assert.ts'
import type { Route, RouteKind, RouteOptions } from './model.ts'
import { ProseError } from './prose-error.ts'
import { anthropicRoute } from './route-anthropic.ts'
import { claudeRoute } from './route-claude.ts'
import { openaiRoute } from './route-openai.ts'

export const ROUTE_KINDS: readonly RouteKind[] = ['claude', 'anthropic', 'openai']

/** Throws a ProseError that says what to set. Asks nobody yet. */
export function openRoute(kind: RouteKind, options: RouteOptions): Route {
  const { environment } = options
  // Our own client may run hooks, and a hook may run us: that would never end.
  if ((environment['CLEW_REENTRY'] ?? '') !== '') {
    throw new ProseError(
      'setup',
      'Clew was started by a model that Clew had asked (CLEW_REENTRY is set), and asks no other',
    )
  }
  switch (kind) {
    case 'claude':
      return claudeRoute(options)
    case 'anthropic':
      return anthropicRoute(options)
    case 'openai':
      return openaiRoute(options)
    default:
      return assertUnreachable(kind)
  }
}
