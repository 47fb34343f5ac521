// Questions that take a while, asked by somebody who moves on. Only what is still wanted after a short rest is asked for,
// and an answer says what it answers, because it may come late.

export type Answer<Value> = { readonly value: Value } | { readonly failed: string }

export interface Latest {
  /** Null: nothing any more. */
  readonly want: (wanted: string | null) => void
  readonly close: () => void
}

/** A question that never ends must not be in the way of all others; a crowd of them must not either. */
const RUNNING_MAX = 2

export function openLatest<Value>(
  ask: (wanted: string) => Promise<Value>,
  restMs: number,
  tell: (wanted: string, answer: Answer<Value>) => void,
): Latest {
  let wanted: string | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const running = new Set<string>()

  const start = async (): Promise<void> => {
    timer = undefined
    const asked = wanted
    if (asked === null || running.has(asked) || running.size >= RUNNING_MAX) return
    running.add(asked)
    const answer = await answered(ask, asked)
    running.delete(asked)
    if (isClosed) return
    if (wanted === asked) wanted = null
    tell(asked, answer)
    if (timer === undefined) void start()
  }

  return {
    want: (next) => {
      if (next === wanted) return
      wanted = next
      clearTimeout(timer)
      timer = next === null ? undefined : setTimeout(() => void start(), restMs)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

async function answered<Value>(ask: (wanted: string) => Promise<Value>, asked: string): Promise<Answer<Value>> {
  try {
    return { value: await ask(asked) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
