import type { JSX } from 'react'

const ROWS = [62, 48, 71, 39, 55, 66, 44, 58]

/** The shape of the list, while it is not there. */
export function Skeleton(): JSX.Element {
  return (
    <div className="page home skeleton">
      <p className="unseen" role="status">
        Reading conversations…
      </p>
      <div className="skeleton-panel" />
      {ROWS.map((width) => (
        <div key={width} className="skeleton-row">
          <div style={{ width: `${width}%` }} />
          <div style={{ width: `${width / 2}%` }} />
        </div>
      ))}
    </div>
  )
}
