// What stands in the palette before anything is typed: what was looked for lately, and what can be typed.

import type { JSX } from 'react'
import { LIST_ID, optionId } from './hit-list.tsx'

export interface RecentListProps {
  readonly searches: readonly string[]
  readonly chosen: number
  readonly onPoint: (number: number) => void
  readonly onTake: (search: string) => void
  readonly onForget: () => void
}

export function RecentList({ searches, chosen, onPoint, onTake, onForget }: RecentListProps): JSX.Element {
  return (
    <>
      {searches.length === 0 ? null : (
        <div className="recent">
          <div className="recent-head">
            <h2>Recent</h2>
            <button type="button" className="link-button" onClick={onForget}>
              Forget them
            </button>
          </div>
          <div id={LIST_ID} role="listbox" aria-label="Recent searches">
            {searches.map((search, number) => (
              <div
                key={search}
                className="found-place recent-search"
                id={optionId(number)}
                role="option"
                aria-selected={number === chosen}
                tabIndex={-1}
                onMouseMove={() => onPoint(number)}
                onClick={() => onTake(search)}
                onKeyDown={({ key }) => (key === 'Enter' ? onTake(search) : undefined)}
              >
                {search}
              </div>
            ))}
          </div>
        </div>
      )}
      <dl className="syntax">
        {SYNTAX.map(([sign, meaning]) => (
          <div key={sign}>
            <dt>
              <code>{sign}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const SYNTAX = [
  ['tide tables', 'all of the words, in any order'],
  ['"local days"', 'side by side'],
  ['-npm', 'without this word'],
  ['one OR two', 'either'],
  ['path:src cmd:git', 'calls that touch a file or run a command'],
  ['project:tide since:7d', 'filters; in: tool: file: until: too'],
] as const
