// What every page has: a title, something while it loads, and something when it breaks.

import type { ComponentType, JSX } from 'react'
import { Suspense, useLayoutEffect } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { Loading } from './states.tsx'

export interface PageProps {
  readonly title: string
  readonly of: ComponentType
}

export function Page({ title, of: Content }: PageProps): JSX.Element {
  // Before the effects of the page itself, which may know a better one.
  useLayoutEffect(() => {
    document.title = `${title} · Clew`
  }, [title])
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Content />
      </Suspense>
    </ErrorBoundary>
  )
}
