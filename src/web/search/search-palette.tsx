// Search from anywhere. The field keeps the focus and names the place that Enter goes to; what narrows the search stands
// below it as chips, whether it was typed or pressed.

import type { JSX, KeyboardEvent, RefObject } from 'react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { count, counted, lastName } from '../parts/units.ts'
import { FilterChips } from './filter-chips.tsx'
import type { Typed } from './filters.ts'
import { isNarrow, NO_FILTERS, readTyped, typedText } from './filters.ts'
import { HitList, LIST_ID, optionId } from './hit-list.tsx'
import { groupHits } from './places.ts'
import { forgetSearches, keepSearch, recentSearches } from './recent.ts'
import { RecentList } from './recent-list.tsx'
import type { Search } from './use-search.ts'
import { useSearch } from './use-search.ts'
import './search-palette.css'

export function SearchPalette({
  typedAhead,
  onClose,
}: {
  /** What was typed before this was here. */
  readonly typedAhead: RefObject<string>
  readonly onClose: () => void
}): JSX.Element {
  const [, go] = useLocation()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [filters, setFilters] = useState(NO_FILTERS)
  const [chosen, setChosen] = useState(0)
  const [recent, setRecent] = useState(recentSearches)
  // A filter that is still being typed counts already, and becomes a chip with the space behind it.
  const typed = readTyped(text, filters)
  const search = useSearch(typed)
  const { answer } = search
  const groups = useMemo(() => groupHits(answer?.hits ?? [], typed.words), [answer, typed.words])
  const places = groups.flatMap((group) => group.places)
  const isOpen = typed.words.trim() === '' && typed.filters.tool === null && typed.filters.file === null
  const options = isOpen ? recent.length : places.length
  const at = Math.min(chosen, Math.max(0, options - 1))

  // This may have been rendered long before it is shown, and no key may fall between the field before and this one.
  useLayoutEffect(() => {
    setText(typedAhead.current)
    field.current?.focus()
  }, [typedAhead])
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const type = (next: string): void => {
    const read = readTyped(next, filters, true)
    setText(read.words)
    setFilters(read.filters)
    setChosen(0)
  }
  const take = (kept: string): void => {
    const read = readTyped(kept, NO_FILTERS)
    setText(read.words)
    setFilters(read.filters)
    setChosen(0)
    field.current?.focus()
  }
  const leave = (href: string): void => {
    keepSearch(typedText(typed))
    onClose()
    go(href)
  }
  const press = (pressed: KeyboardEvent): void => {
    const { key } = pressed
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      pressed.preventDefault()
      const step = key === 'ArrowDown' ? 1 : -1
      if (options > 0) setChosen((at + step + options) % options)
    } else if (key === 'Enter') {
      pressed.preventDefault()
      const kept = recent[at]
      if (isOpen && kept !== undefined) take(kept)
      const place = isOpen ? undefined : places[at]
      if (place !== undefined) leave(place.href)
    } else if (key === 'Backspace' && text === '' && isNarrow(filters)) {
      setFilters(withoutLast(filters))
    } else if (key === 'Escape') {
      pressed.preventDefault()
      onClose()
    }
  }

  return (
    <div className="palette">
      <input
        ref={field}
        className="palette-field"
        type="text"
        role="combobox"
        aria-label="Search all conversations"
        aria-expanded={options > 0}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={options > 0 ? optionId(at) : undefined}
        placeholder="Search all conversations"
        autoComplete="off"
        spellCheck={false}
        maxLength={900}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={press}
      />
      <FilterChips filters={filters} projects={projectsOf(groups)} onChange={setFilters} />
      <div className="palette-body">
        {isOpen ? (
          <RecentList
            searches={recent}
            chosen={at}
            onPoint={setChosen}
            onTake={take}
            onForget={() => {
              forgetSearches()
              setRecent([])
            }}
          />
        ) : groups.length > 0 ? (
          <HitList groups={groups} chosen={at} onPoint={setChosen} onGo={leave} />
        ) : (
          <Nothing search={search} isNarrow={isNarrow(typed.filters)} onWiden={() => setFilters(NO_FILTERS)} />
        )}
      </div>
      <p className="palette-foot">
        <span role="status">{isOpen ? '' : statusOf(search)}</span>
        <span className="palette-keys" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
        </span>
      </p>
    </div>
  )
}

/** What a backspace in an empty field takes away. */
function withoutLast(filters: Typed['filters']): Typed['filters'] {
  const last = (['until', 'since', 'file', 'tool', 'project'] as const).find((name) => filters[name] !== null)
  return last === undefined ? { ...filters, fields: filters.fields.slice(0, -1) } : { ...filters, [last]: null }
}

function projectsOf(groups: readonly { readonly project: string }[]): readonly string[] {
  return [...new Set(groups.map(({ project }) => lastName(project)))].slice(0, 3)
}

interface NothingProps {
  readonly search: Search
  readonly isNarrow: boolean
  readonly onWiden: () => void
}

function Nothing({ search, isNarrow: hasFilters, onWiden }: NothingProps): JSX.Element | null {
  const { error, answer, isAsking, isDeep, again } = search
  if (error !== null) {
    return (
      <div className="palette-state" role="alert">
        <p className="bad">{error.message}</p>
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </div>
    )
  }
  if (answer === null || isAsking) return <p className="palette-state">Searching…</p>
  if (isDeep) return <p className="palette-state">No word matches. Looking inside words…</p>
  return (
    <div className="palette-state">
      <p>{answer.isInBytes ? 'No word matches; looked inside words too.' : 'No word matches.'}</p>
      {hasFilters ? (
        <button type="button" className="button" onClick={onWiden}>
          Search without filters
        </button>
      ) : null}
    </div>
  )
}

function statusOf({ answer, error, isAsking, isDeep }: Search): string {
  if (error !== null || answer === null) return ''
  if (isAsking || isDeep) return 'Searching…'
  const { total, hits, isBounded, isInBytes, tookMs } = answer
  if (total === 0) return 'Nothing found'
  const shown = hits.length < total ? `, ${count(hits.length)} shown` : ''
  const where = isInBytes ? ' inside of words' : ''
  return `${isBounded ? 'At least ' : ''}${counted(total, 'hit')}${where}${shown} · ${Math.max(1, Math.round(tookMs))} ms`
}
