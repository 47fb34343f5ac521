// What happened, told to every page that listens.

import type { LiveMessage } from './api/live.ts'

export type Hear = (message: LiveMessage) => void

export class News {
  readonly #hearers = new Set<Hear>()

  get hearers(): number {
    return this.#hearers.size
  }

  tell(message: LiveMessage): void {
    for (const hear of this.#hearers) hear(message)
  }

  /** Gives back what ends it. */
  hear(hear: Hear): () => void {
    this.#hearers.add(hear)
    return () => this.#hearers.delete(hear)
  }
}
