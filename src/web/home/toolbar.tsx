// What narrows the list down: words, a project, marks, days; and how it is ordered and grouped.

import type { JSX, KeyboardEvent } from 'react'
import { useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import type { HomeRow } from '../../server/api/home.ts'
import { writtenDays } from '../parts/days.ts'
import { Icon } from '../parts/icons.tsx'
import { useShortcuts } from '../parts/shortcuts.ts'
import { count, lastName } from '../parts/units.ts'
import { hasMark } from './find-rows.ts'
import { ProjectChoice } from './project-choice.tsx'
import type { ViewState } from './use-view.ts'
import type { Mark, Scope, Sort } from './view.ts'
import { isFiltered, MARKS, SCOPES, SORTS } from './view.ts'
import './toolbar.css'

const SORT_WORDS: Readonly<Record<Sort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  longest: 'Longest first',
  costliest: 'Most expensive first',
  largest: 'Largest first',
  title: 'By title',
}
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  repository: 'By repository',
  project: 'By project',
  none: 'No groups',
}
const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  repository: 'Worktrees stand with the repository they belong to',
  project: 'Every folder stands by itself',
  none: 'One list',
}
const MARK_WORDS: Readonly<Record<Mark, string>> = {
  running: 'Open now',
  problems: 'Problems',
  compacted: 'Compacted',
  branched: 'Branched',
  subagents: 'Subagents',
}

export interface ToolbarProps {
  readonly rows: readonly HomeRow[]
  /** The first of the list, for Enter. */
  readonly first: HomeRow | undefined
  readonly state: ViewState
}

export function FilterBar({ first, state }: ToolbarProps): JSX.Element {
  const { view, change } = state
  const [, go] = useLocation()
  const field = useRef<HTMLInputElement>(null)
  useShortcuts({
    '/': () => {
      field.current?.focus()
      field.current?.select()
    },
  })
  const press = (pressed: KeyboardEvent<HTMLInputElement>): void => {
    if (pressed.nativeEvent.isComposing) return
    if (pressed.key === 'Escape') {
      if (view.words === '') field.current?.blur()
      change({ words: '' })
    } else if (pressed.key === 'Enter' && first !== undefined && isFiltered(view)) go(`/c/${first.id}`)
    else if (pressed.key === 'ArrowDown') {
      pressed.preventDefault()
      document.querySelector<HTMLElement>('.conversations [data-row]')?.focus()
    }
  }
  return (
    <search className="filter-bar toolbar">
      <div className="filter-field">
        <Icon name="search" />
        <input
          ref={field}
          className="field"
          type="search"
          value={view.words}
          onChange={({ target }) => change({ words: target.value })}
          onKeyDown={press}
          placeholder="Filter by title, prompt, project, branch, model or id"
          aria-label="Filter conversations"
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>/</kbd>
      </div>
      <select
        className="field"
        aria-label="Order"
        value={view.sort}
        onChange={({ target }) => change({ sort: SORTS.find((sort) => sort === target.value) ?? 'newest' })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_WORDS[sort]}
          </option>
        ))}
      </select>
    </search>
  )
}

export function Chips({ rows, state: { view, change, clear } }: Omit<ToolbarProps, 'first'>): JSX.Element {
  const totals = useMemo(
    () => MARKS.map((mark) => rows.reduce((sum, row) => sum + Number(hasMark(row, mark)), 0)),
    [rows],
  )
  const toggle = (mark: Mark): void =>
    change({ marks: MARKS.filter((one) => (one === mark) !== view.marks.includes(one)) })
  return (
    <fieldset className="chips toolbar">
      <legend className="unseen">Groups and filters</legend>
      <span className="choice">
        {SCOPES.map((scope) => (
          <button
            key={scope}
            type="button"
            aria-pressed={view.scope === scope}
            title={SCOPE_TITLES[scope]}
            onClick={() => change({ scope })}
          >
            {SCOPE_WORDS[scope]}
          </button>
        ))}
      </span>
      <ProjectChoice rows={rows} project={view.project} onProject={(project) => change({ project })} />
      {MARKS.map((mark, index) =>
        totals[index] === 0 && !view.marks.includes(mark) ? null : (
          <button
            key={mark}
            type="button"
            className="chip"
            aria-pressed={view.marks.includes(mark)}
            onClick={() => toggle(mark)}
          >
            {MARK_WORDS[mark]} <span className="number">{count(totals[index] ?? 0)}</span>
          </button>
        ),
      )}
      {view.days === null ? null : (
        <button type="button" className="chip chosen" onClick={() => change({ days: null })} title="Any day">
          {writtenDays(view.days.from, view.days.to)} <Icon name="close" />
          <span className="unseen">: show any day</span>
        </button>
      )}
      {view.project === null ? null : (
        <button
          type="button"
          className="chip chosen"
          onClick={() => change({ project: null })}
          title={`${view.project}: show all projects`}
        >
          {lastName(view.project)} <Icon name="close" />
          <span className="unseen">: show all projects</span>
        </button>
      )}
      {isFiltered(view) ? (
        <button type="button" className="button quiet" onClick={clear}>
          Clear
        </button>
      ) : null}
    </fieldset>
  )
}
