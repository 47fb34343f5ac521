// Catches what a page throws while it is drawn, so that the frame stays. React asks for a class here.

import type { ReactNode } from 'react'
import { Component } from 'react'
import { MissingCode, reloadWhenServed } from './later.ts'
import { Failed } from './states.tsx'

interface Caught {
  readonly error: Error | null
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override readonly state: Caught = { error: null }

  static getDerivedStateFromError(thrown: unknown): Caught {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? (
      this.props.children
    ) : (
      <Failed
        error={error}
        onRetry={() => (error instanceof MissingCode ? reloadWhenServed() : this.setState({ error: null }))}
      />
    )
  }
}
