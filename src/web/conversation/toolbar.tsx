// Above what is read, always there: the two Readings, find, timeline, and on narrow screens the outline.

import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'
import type { Choice } from './address.ts'
import { pageOf } from './address.ts'

export function Toolbar({
  id,
  choice,
  isTimeline,
  isDrawer,
  onTimeline,
  onDrawer,
  onFind,
  children,
}: {
  readonly id: string
  readonly choice: Choice
  readonly isTimeline: boolean
  readonly isDrawer: boolean
  readonly onTimeline: () => void
  readonly onDrawer: () => void
  readonly onFind: () => void
  readonly children: ReactNode
}): JSX.Element {
  return (
    <div className="talk-bar">
      <button type="button" className="drawer-button" aria-expanded={isDrawer} onClick={onDrawer}>
        Turns
      </button>
      <nav className="switch" aria-label="Reading">
        <Link
          href={pageOf(id, { ...choice, reading: 'full', at: null })}
          aria-current={choice.reading === 'full' ? 'true' : undefined}
        >
          <span className="wide-only">What was</span> said
        </Link>
        <Link
          href={pageOf(id, { ...choice, reading: 'context', at: null })}
          aria-current={choice.reading === 'context' ? 'true' : undefined}
        >
          <span className="wide-only">What</span> the model saw
        </Link>
      </nav>
      <span className="talk-bar-gap" />
      {children}
      <button type="button" onClick={onFind} aria-keyshortcuts="f">
        Find
      </button>
      <button type="button" aria-pressed={isTimeline} onClick={onTimeline} aria-keyshortcuts="t">
        Timeline
      </button>
    </div>
  )
}
