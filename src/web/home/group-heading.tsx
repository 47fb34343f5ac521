import type { JSX } from 'react'
import { useMemo } from 'react'
import type { Activity, HomeRow } from '../../server/api/home.ts'
import { Icon } from '../parts/icons.tsx'
import { counted, folderOf, lastName, money } from '../parts/units.ts'
import type { ListLine } from './group-rows.ts'
import type { HomeView } from './view.ts'

export interface GroupHeadingProps {
  readonly line: ListLine & { readonly kind: 'group' }
  readonly activity: Activity | null
  readonly view: HomeView
  readonly onFold: (path: string) => void
  readonly onProject: (path: string) => void
}

export function GroupHeading({ line, activity, view, onFold, onProject }: GroupHeadingProps): JSX.Element {
  const { group, isFolded } = line
  const { path, rows } = group
  const cost = useMemo(() => costOf(rows, activity), [rows, activity])
  return (
    <div className="group">
      <h2>
        <button
          type="button"
          className="group-name"
          aria-expanded={!isFolded}
          onClick={() => onFold(path)}
          title={path}
        >
          <Icon name="fold" />
          <span className="one-line">{lastName(path)}</span>
        </button>
      </h2>
      <span className="group-path one-line">{folderOf(path)}</span>
      <span className="spread" />
      {cost === null ? null : (
        <span className="number group-cost" title="What the conversations below cost at list price">
          {money(cost)}
        </span>
      )}
      <span className="number">{counted(rows.length, 'conversation')}</span>
      {view.project === path ? null : (
        <button
          type="button"
          className="button quiet square group-only"
          onClick={() => onProject(path)}
          title={`Only ${lastName(path)}`}
          aria-label={`Only ${lastName(path)}`}
        >
          <Icon name="only" />
        </button>
      )}
    </div>
  )
}

/** Null when nothing is known of any of them. */
function costOf(rows: readonly HomeRow[], activity: Activity | null): number | null {
  const known = rows.flatMap(({ id }) => activity?.sessions[id]?.costUsd ?? [])
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}
