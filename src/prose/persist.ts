// The one place where a call is made again: after what may pass, with growing pauses, and never longer than bounds allow.

import { setTimeout as sleep } from 'node:timers/promises'
import { ProseError } from './prose-error.ts'

export interface Patience {
  readonly retries: number
  readonly pauseMs: number
  readonly signal: AbortSignal
}

const PAUSE_MS_MAX = 60_000

export async function persist<Value>(attempt: () => Promise<Value>, patience: Patience): Promise<Value> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ProseError) || error.kind !== 'passing' || tried >= patience.retries) throw error
      await pause(pauseMs(error, tried, patience), patience.signal)
    }
  }
}

/** As long as the server asks for; else twice as long each time, not quite the same for all who wait. */
function pauseMs(error: ProseError, tried: number, patience: Patience): number {
  const asked = error.facts.retryAfterMs ?? 0
  if (asked > PAUSE_MS_MAX) {
    throw new ProseError('lasting', `${error.message}: the server asks to wait ${Math.ceil(asked / 1000)} s`)
  }
  const own = patience.pauseMs * 2 ** tried * (0.75 + Math.random() / 2)
  return Math.min(PAUSE_MS_MAX, Math.max(asked, own))
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(durationMs, undefined, { signal })
  } catch {
    throw new ProseError('stopped', 'stopped before it was finished')
  }
}
