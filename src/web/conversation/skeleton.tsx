// What stands where a conversation will be.

import type { JSX } from 'react'

const WIDTHS = [62, 88, 74, 40, 91, 66, 80, 52] as const

export function Skeleton(): JSX.Element {
  return (
    <div className="skeleton" role="status" aria-label="Loading the conversation">
      {WIDTHS.map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
