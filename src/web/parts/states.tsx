// What stands where content will be, or cannot be.

import type { JSX, ReactNode } from 'react'

export function Loading({ what = 'Loading' }: { readonly what?: string }): JSX.Element {
  return (
    <p className="state loading" role="status">
      {what}…
    </p>
  )
}

export function Failed({
  error,
  onRetry,
  children,
}: {
  readonly error: Error
  readonly onRetry?: () => void
  /** What else one can do. */
  readonly children?: ReactNode
}): JSX.Element {
  return (
    <div className="state failed" role="alert">
      <h2>This could not be shown</h2>
      <p className="bad">{error.message}</p>
      {children}
      {onRetry === undefined ? null : (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): JSX.Element {
  return (
    <div className="state empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
