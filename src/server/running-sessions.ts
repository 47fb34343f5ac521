// Which sessions a client has open, and what it is doing. The clients write that into small files which nobody announces,
// so they are looked at every other second, and only while a page listens.

import { systemCode } from '../base/system-code.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { OpenSession } from '../store/live.ts'
import { openSessions } from '../store/live.ts'
import type { RunState } from './api/home.ts'
import type { RunningSession } from './api/live.ts'

const EVERY_MS = 2000

export class RunningSessions {
  readonly #roots: readonly string[]
  readonly #onChange: (running: readonly RunningSession[]) => void
  #last = ''
  #watchers = 0
  #timer: NodeJS.Timeout | null = null

  constructor(roots: readonly string[], onChange: (running: readonly RunningSession[]) => void) {
    this.#roots = roots
    this.#onChange = onChange
  }

  now(): readonly RunningSession[] {
    return this.#roots.flatMap(openIn).map(({ sessionId, pid, status, cwd, startedMs }) => {
      return { id: sessionId, pid, state: stateOf(status), project: cwd, sinceMs: startedMs }
    })
  }

  /** Looks again and again until what it gives back is called, as often as it was called. */
  watch(): () => void {
    this.#watchers++
    if (this.#timer === null) {
      this.#last = JSON.stringify(this.now())
      this.#timer = setInterval(() => this.#look(), EVERY_MS)
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#watchers--
      if (this.#watchers > 0 || this.#timer === null) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  #look(): void {
    const running = this.now()
    const text = JSON.stringify(running)
    if (text === this.#last) return
    this.#last = text
    this.#onChange(running)
  }
}

/** A folder that may not be listed tells of no session. */
function openIn(root: string): readonly OpenSession[] {
  try {
    return openSessions(REAL_DISK, root)
  } catch (error) {
    if (systemCode(error) === null) throw error
    return []
  }
}

/** `shell` is a client that waits for nothing while a command of its user runs on. */
function stateOf(status: string | null): RunState {
  return status === 'busy' ? 'running' : status === 'waiting' ? 'waiting' : 'idle'
}
