// One line that opens to more. What is open stays open when its row leaves the list and comes back.

import type { JSX, ReactNode } from 'react'
import { useFold } from './folds.ts'

export function Fold({
  name,
  className,
  summary,
  children,
}: {
  readonly name: string
  readonly className: string
  readonly summary: ReactNode
  readonly children: ReactNode
}): JSX.Element {
  const [isOpen, toggle] = useFold(name)
  return (
    <div className={`fold ${className}`}>
      <button type="button" className="fold-line" aria-expanded={isOpen} onClick={toggle}>
        <span className="twist" aria-hidden="true" />
        <span className="fold-summary">{summary}</span>
      </button>
      {isOpen ? <div className="fold-inside">{children}</div> : null}
    </div>
  )
}
