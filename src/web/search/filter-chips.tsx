// What narrows a search: kinds of text and times to press, and what was typed, to be taken away again.

import type { JSX } from 'react'
import type { Field, Filters } from './filters.ts'
import { FIELDS, namedFilters } from './filters.ts'

export interface FilterChipsProps {
  readonly filters: Filters
  /** Where something was found: one press away. */
  readonly projects: readonly string[]
  readonly onChange: (filters: Filters) => void
}

const TIMES = [
  [null, 'Any time'],
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

export function FilterChips({ filters, projects, onChange }: FilterChipsProps): JSX.Element {
  const { fields, since } = filters
  const toggle = (field: Field): void =>
    onChange({
      ...filters,
      fields: fields.includes(field) ? fields.filter((one) => one !== field) : [...fields, field],
    })
  const isUsualTime = TIMES.some(([value]) => value === since)
  const named = namedFilters(filters).filter(({ name }) => name !== 'since' || !isUsualTime)
  const offered = filters.project === null && projects.length > 1 ? projects : []
  return (
    <div className="filters">
      <fieldset className="filter-row filter-fields" aria-label="Search in">
        {FIELDS.map((field) => (
          <button
            key={field}
            type="button"
            className="chip"
            aria-pressed={fields.includes(field)}
            onClick={() => toggle(field)}
          >
            {field}
          </button>
        ))}
      </fieldset>
      <fieldset className="filter-row" aria-label="Since when">
        {TIMES.map(([value, name]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={since === value}
            onClick={() => onChange({ ...filters, since: value })}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {named.length + offered.length === 0 ? null : (
        <fieldset className="filter-row" aria-label="Other filters">
          {named.map(({ name, value }) => (
            <button
              key={name}
              type="button"
              className="chip chosen"
              aria-label={`Remove the filter ${name} ${value}`}
              onClick={() => onChange({ ...filters, [name]: null })}
            >
              {name}: {value} <span aria-hidden="true">×</span>
            </button>
          ))}
          {offered.map((project) => (
            <button
              key={project}
              type="button"
              className="chip offered"
              onClick={() => onChange({ ...filters, project })}
            >
              only {project}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
