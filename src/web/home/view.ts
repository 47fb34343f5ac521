// What the reader has asked the list for. It stands in the address, so that it can be shared and gone back to.

import { isDay } from '../parts/days.ts'

export const SORTS = ['newest', 'oldest', 'longest', 'costliest', 'largest', 'title'] as const
export type Sort = (typeof SORTS)[number]

export const SCOPES = ['repository', 'project', 'none'] as const
export type Scope = (typeof SCOPES)[number]

export const MARKS = ['running', 'problems', 'compacted', 'branched', 'subagents'] as const
export type Mark = (typeof MARKS)[number]

export interface HomeView {
  readonly words: string
  readonly sort: Sort
  readonly scope: Scope
  readonly project: string | null
  readonly marks: readonly Mark[]
  readonly days: { readonly from: string; readonly to: string } | null
}

export const PLAIN_VIEW: HomeView = {
  words: '',
  sort: 'newest',
  scope: 'repository',
  project: null,
  marks: [],
  days: null,
}

/** What is not understood is left out: an address of a later version still opens the list. */
export function viewOf(search: string): HomeView {
  const query = new URLSearchParams(search)
  const marks = (query.get('is') ?? '').split(',')
  const from = query.get('from') ?? ''
  const to = query.get('to') ?? from
  return {
    words: query.get('q') ?? '',
    sort: SORTS.find((sort) => sort === query.get('sort')) ?? PLAIN_VIEW.sort,
    scope: SCOPES.find((scope) => scope === query.get('group')) ?? PLAIN_VIEW.scope,
    project: query.get('project'),
    marks: MARKS.filter((mark) => marks.includes(mark)),
    days: isDay(from) && isDay(to) && from <= to ? { from, to } : null,
  }
}

/** `?q=dst&sort=longest`, without what is usual. */
export function searchOf({ words, sort, scope, project, marks, days }: HomeView): string {
  const query = new URLSearchParams()
  if (words !== '') query.set('q', words)
  if (sort !== PLAIN_VIEW.sort) query.set('sort', sort)
  if (scope !== PLAIN_VIEW.scope) query.set('group', scope)
  if (project !== null) query.set('project', project)
  if (marks.length > 0) query.set('is', marks.join(','))
  if (days !== null) query.set('from', days.from)
  if (days !== null && days.to !== days.from) query.set('to', days.to)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether anything is kept from the list. */
export function isFiltered({ words, project, marks, days }: HomeView): boolean {
  return words.trim() !== '' || project !== null || marks.length > 0 || days !== null
}
