import type { JSX } from 'react'
import type { By, UsageView } from './view.ts'
import { BY, RANGES } from './view.ts'

export interface UsageChoicesProps {
  readonly view: UsageView
  readonly onChange: (more: Partial<UsageView>) => void
}

const MEASURES = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
] as const

/** By what, from when to when, and of cost or tokens. */
export function UsageChoices({ view, onChange }: UsageChoicesProps): JSX.Element {
  const { by, range, since, until, measure } = view
  const chooseBy = (next: By): void =>
    onChange({
      by: next,
      sort: next === 'day' || next === 'week' || next === 'month' ? 'label' : 'cost',
      isDescending: true,
      explained: null,
    })
  return (
    <div className="usage-choices">
      <fieldset className="choice" aria-label="Range">
        {RANGES.map(([name, words]) => (
          <button key={name} type="button" aria-pressed={name === range} onClick={() => onChange({ range: name })}>
            {words}
          </button>
        ))}
      </fieldset>
      {range === 'custom' ? (
        <span className="usage-days">
          <input
            type="date"
            className="field"
            aria-label="From"
            value={since ?? ''}
            max={until ?? undefined}
            onChange={({ target }) => onChange({ since: target.value === '' ? null : target.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="date"
            className="field"
            aria-label="Up to and with"
            value={until ?? ''}
            min={since ?? undefined}
            onChange={({ target }) => onChange({ until: target.value === '' ? null : target.value })}
          />
        </span>
      ) : null}
      <fieldset className="choice" aria-label="By">
        {BY.map((name) => (
          <button key={name} type="button" aria-pressed={name === by} onClick={() => chooseBy(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      <fieldset className="choice" aria-label="Of what">
        {MEASURES.map(([name, words]) => (
          <button key={name} type="button" aria-pressed={name === measure} onClick={() => onChange({ measure: name })}>
            {words}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
