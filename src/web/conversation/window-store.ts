// A long list of which only some windows are here: those that were looked at lately. Places are asked for as they come
// into view; an ask for what has gone out of view again is given up. One store belongs to one version of a reading.

export interface WindowAnswer<Row> {
  readonly version: string
  readonly total: number
  readonly from: number
  readonly rows: readonly Row[]
}

export type AskWindow<Row> = (from: number, count: number, signal: AbortSignal) => Promise<WindowAnswer<Row>>

export interface WindowStore<Row> {
  readonly version: string
  readonly total: () => number
  readonly get: (place: number) => Row | undefined
  /** What is in view. Asks for what is missing there. */
  readonly want: (from: number, to: number) => void
  /** One place, wherever it is in the list. */
  readonly load: (place: number) => Promise<Row | undefined>
  /** More of them, and those from `changedFrom` on are others than before. */
  readonly grow: (total: number, changedFrom: number) => void
  readonly failure: () => Error | null
  readonly retry: () => void
  /** When something has come, or could not. */
  readonly first: Promise<void>
  /** For useSyncExternalStore. */
  readonly subscribe: (hear: () => void) => () => void
  readonly changes: () => number
  readonly close: () => void
}

export interface WindowSettings {
  readonly windowRows: number
  /** Rows that are kept at most. */
  readonly keptMax: number
  /** How long a place must stay in view before it is asked for. */
  readonly restMs: number
  /** What stood there in another version: better than nothing until the right one comes. */
  readonly before: ((place: number) => unknown) | null
  /** An answer was about another version. */
  readonly onStale: (version: string) => void
}

const BEFORE_MS = 3_000

const DEFAULTS: WindowSettings = { windowRows: 60, keptMax: 6_000, restMs: 12, before: null, onStale: () => undefined }

export function windowStore<Row>(
  version: string,
  firstTotal: number,
  askWindow: AskWindow<Row>,
  settings: Partial<WindowSettings> = {},
): WindowStore<Row> {
  const { windowRows, keptMax, restMs, onStale } = { ...DEFAULTS, ...settings }
  const rows = new Map<number, Row>()
  const asking = new Map<
    number,
    { readonly leaving: AbortController; readonly done: Promise<void>; isPinned: boolean }
  >()
  const listeners = new Set<() => void>()
  let total = firstTotal
  let wanted: readonly [number, number] = [0, 0]
  let changes = 0
  let failure: Error | null = null
  let rest: ReturnType<typeof setTimeout> | null = null
  // Not for long: versions would hold on to each other.
  let before = settings.before ?? null
  if (before !== null)
    setTimeout(() => {
      before = null
    }, BEFORE_MS)

  let came = (): void => undefined
  const first = new Promise<void>((resolve) => {
    came = resolve
  })

  const tell = (): void => {
    changes++
    came()
    for (const hear of listeners) hear()
  }

  const windowEnd = (window: number): number => Math.min(total, (window + 1) * windowRows)

  const firstMissing = (window: number): number | null => {
    for (let place = window * windowRows; place < windowEnd(window); place++) if (!rows.has(place)) return place
    return null
  }

  const start = (window: number, isPinned: boolean): Promise<void> => {
    const running = asking.get(window)
    if (running !== undefined) {
      running.isPinned ||= isPinned
      return running.done
    }
    const leaving = new AbortController()
    const done = fill(window, leaving.signal).finally(() => {
      if (asking.get(window)?.leaving === leaving) asking.delete(window)
    })
    asking.set(window, { leaving, done, isPinned })
    return done
  }

  /** Long rows come a few at a time, so one window may take several answers. */
  const fill = async (window: number, signal: AbortSignal): Promise<void> => {
    try {
      for (let from = firstMissing(window); from !== null; from = firstMissing(window)) {
        const answer = await askWindow(from, windowEnd(window) - from, signal)
        if (signal.aborted) return
        if (answer.version !== version) return onStale(answer.version)
        for (const [place, row] of answer.rows.entries()) rows.set(answer.from + place, row)
        total = Math.max(total, answer.total)
        failure = null
        forget()
        tell()
        if (!rows.has(from)) return
      }
    } catch (thrown) {
      if (signal.aborted) return
      failure = thrown instanceof Error ? thrown : new Error(String(thrown))
      tell()
    }
  }

  /** What is farthest from the view goes first. */
  const forget = (): void => {
    if (rows.size <= keptMax) return
    const middle = (wanted[0] + wanted[1]) / 2
    const windows = [...new Set([...rows.keys()].map((place) => Math.floor(place / windowRows)))]
    windows.sort((a, b) => Math.abs((b + 0.5) * windowRows - middle) - Math.abs((a + 0.5) * windowRows - middle))
    for (const window of windows) {
      if (rows.size <= keptMax * 0.8) return
      for (let place = window * windowRows; place < (window + 1) * windowRows; place++) rows.delete(place)
    }
  }

  const pump = (): void => {
    rest = null
    const first = Math.floor(wanted[0] / windowRows)
    const last = Math.floor(Math.max(wanted[0], wanted[1] - 1) / windowRows)
    for (const [window, ask] of asking)
      if (!ask.isPinned && (window < first - 1 || window > last + 1)) {
        ask.leaving.abort()
        asking.delete(window)
      }
    if (failure !== null) return
    for (let window = Math.max(0, first); window <= last; window++)
      if (window * windowRows < total && firstMissing(window) !== null) void start(window, false)
  }

  return {
    version,
    first,
    total: () => total,
    get: (place) => rows.get(place) ?? (before?.(place) as Row | undefined),
    want: (from, to) => {
      wanted = [from, to]
      rest ??= setTimeout(pump, restMs)
    },
    load: async (place) => {
      if (place < 0 || place >= total) return undefined
      if (!rows.has(place)) await start(Math.floor(place / windowRows), true)
      return rows.get(place)
    },
    grow: (nextTotal, changedFrom) => {
      if (nextTotal === total && changedFrom >= total) return
      for (const place of [...rows.keys()]) if (place >= changedFrom) rows.delete(place)
      for (const [window, { leaving }] of asking)
        if ((window + 1) * windowRows > changedFrom) {
          leaving.abort()
          asking.delete(window)
        }
      total = nextTotal
      tell()
      rest ??= setTimeout(pump, 0)
    },
    failure: () => failure,
    retry: () => {
      failure = null
      tell()
      pump()
    },
    subscribe: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    changes: () => changes,
    close: () => {
      if (rest !== null) clearTimeout(rest)
      for (const { leaving } of asking.values()) leaving.abort()
      asking.clear()
    },
  }
}
