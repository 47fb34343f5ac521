// Search as one types. Words alone are asked for: the index answers in milliseconds. Only who says `deep=1` waits for the
// bytes to be looked through, and of those one at a time.

import type { Context, Hono } from 'hono'
import { sinceMs } from '../base/time.ts'
import { dateAfter, dateIn, isDate, startOfDate } from '../base/zone.ts'
import { isProjectNamed } from '../load/project-name.ts'
import type { SearchField, SearchHit, SearchOptions, SearchResult } from '../search/model.ts'
import { SEARCH_FIELDS } from '../search/model.ts'
import type { ConversationFilter } from '../search/scope.ts'
import type { SearchAnswer, SearchHitView } from './api/search.ts'
import { answered, numberAsked, Refused, textAsked } from './asked.ts'
import { searchTyping } from './search-typing.ts'
import type { ServerWorld } from './server-world.ts'

const LIMIT = 30
const LIMIT_MAX = 100
const PER_CONVERSATION = 3

export function searchRoutes(app: Hono, world: ServerWorld): void {
  const inTurn = oneByOne()
  app.get(
    '/api/search',
    answered(async (context): Promise<SearchAnswer> => {
      const startedMs = performance.now()
      const options = optionsAsked(context, world)
      const filter = filterAsked(context)
      const isDeep = numberAsked(context, 'deep', 0, 1, 0) === 1
      const isTyping = numberAsked(context, 'typing', 0, 1, 0) === 1
      const archive = world.archive()
      const nowMs = world.nowMs()
      const search = (asked: SearchOptions): SearchResult => world.index.search(archive, asked, filter, nowMs)
      const found: SearchResult & { readonly isInBytes?: boolean } = isDeep
        ? await inTurn(context.req.raw.signal, () => world.index.find(archive, options, filter, { nowMs }))
        : isTyping
          ? searchTyping(options, search)
          : search(options)
      return {
        hits: found.hits.map(hitView),
        total: found.total,
        isBounded: found.isBounded,
        isInBytes: found.isInBytes ?? false,
        tookMs: Math.round((performance.now() - startedMs) * 10) / 10,
      }
    }),
  )
}

function optionsAsked(context: Context, world: ServerWorld): SearchOptions {
  const typed = textAsked(context, 'q') ?? ''
  const tool = textAsked(context, 'tool')
  const file = textAsked(context, 'file')
  if (typed === '' && tool === null && file === null) throw new Refused('search for what? Say it with q')
  return {
    typed,
    fields: fieldsAsked(context),
    sinceMs: timeAsked(context, 'since', world),
    untilMs: timeAsked(context, 'until', world),
    tool,
    file,
    limit: numberAsked(context, 'limit', 1, LIMIT_MAX, LIMIT),
    perConversation: PER_CONVERSATION,
  }
}

function fieldsAsked(context: Context): ReadonlySet<SearchField> {
  const names = (textAsked(context, 'in') ?? '').split(',').map((name) => name.trim())
  return new Set(
    names
      .filter((name) => name !== '')
      .map((name) => {
        const field = SEARCH_FIELDS.find((one) => one === name)
        if (field === undefined) throw new Refused(`in takes ${SEARCH_FIELDS.join(', ')}`)
        return field
      }),
  )
}

function timeAsked(context: Context, name: string, { nowMs, timeZone }: ServerWorld): number | null {
  const typed = textAsked(context, name)
  if (typed === null) return null
  const date = typed === 'today' ? dateIn(nowMs(), timeZone) : typed
  // A date is meant with its day, as everywhere.
  if (isDate(date))
    return name === 'until' ? startOfDate(dateAfter(date, 1), timeZone) - 1 : startOfDate(date, timeZone)
  const ms = sinceMs(typed, nowMs())
  if (ms === null) throw new Refused(`${name} takes today, 30m, 12h, 7d, 2w or a date`)
  return ms
}

function filterAsked(context: Context): ConversationFilter {
  const project = textAsked(context, 'project')
  return {
    isWanted: project === null ? null : (row) => isProjectNamed(row, project),
    gitBranch: null,
    model: null,
  }
}

/** Ids of the event-log dialect are made up: there the place in the file leads back. */
function hitView(hit: SearchHit): SearchHitView {
  return {
    id: hit.sessionId,
    agentId: hit.agentId,
    uuid: hit.uuid?.startsWith('event-log:') === true ? null : hit.uuid,
    offset: hit.offset,
    field: hit.field,
    title: hit.title,
    project: hit.project,
    turn: hit.turn,
    ms: hit.timestampMs,
    snippet: hit.snippet,
    more: hit.more,
    isGone: hit.isGone,
    isLoose: hit.isLoose === true,
  }
}

/** Each look through the bytes takes all cores; what nobody waits for any more is not begun. */
function oneByOne(): <Value>(signal: AbortSignal, work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (signal, work) => {
    const next = last.then(() => {
      if (signal.aborted) throw new Refused('nobody waits for it any more')
      return work()
    })
    last = next.catch(() => undefined)
    return next
  }
}
