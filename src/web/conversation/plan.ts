// Which place of the virtual list shows which Row. Subagents that are opened in place stand behind the Row of the call
// that started them, to any depth, so that there is one list, one scroll bar and one set of windows to keep.

export interface Stretch {
  /** The Subagent whose Rows these are; empty for the conversation itself. */
  readonly owner: string
  readonly kind: 'rows' | 'earlier' | 'later' | 'end'
  /** The first place of the list, and the first Row; one behind the other from there. */
  readonly start: number
  readonly from: number
  readonly count: number
  readonly depth: number
}

export interface Plan {
  readonly stretches: readonly Stretch[]
  readonly count: number
}

export interface OpenAgent {
  readonly agentId: string
  /** Behind which Row of which owner it stands. */
  readonly host: string
  readonly row: number
  readonly rows: number
}

export interface ListPlace {
  readonly owner: string
  readonly kind: Stretch['kind']
  readonly row: number
  readonly depth: number
}

const DEPTH_MAX = 40

/** Rows `from` to `to` of the `total` there are, with the Subagents that are open among them. */
export function planOf(
  range: { readonly from: number; readonly to: number; readonly total: number },
  open: readonly OpenAgent[],
): Plan {
  const stretches: Stretch[] = []
  let count = 0
  const add = (owner: string, kind: Stretch['kind'], from: number, length: number, depth: number): void => {
    if (length <= 0) return
    stretches.push({ owner, kind, start: count, from, count: length, depth })
    count += length
  }
  const fill = (owner: string, from: number, to: number, depth: number): void => {
    let done = from
    const inside = open.filter(({ host, row }) => host === owner && row >= from && row < to)
    for (const agent of [...inside].sort((a, b) => a.row - b.row)) {
      if (depth >= DEPTH_MAX) break
      add(owner, 'rows', done, agent.row + 1 - done, depth)
      done = agent.row + 1
      fill(agent.agentId, 0, agent.rows, depth + 1)
      add(agent.agentId, 'end', agent.row, 1, depth + 1)
    }
    add(owner, 'rows', done, to - done, depth)
  }
  if (range.from > 0) add('', 'earlier', range.from, 1, 0)
  fill('', range.from, range.to, 0)
  if (range.to < range.total) add('', 'later', range.to, 1, 0)
  return { stretches, count }
}

export function placeAt(plan: Plan, index: number): ListPlace | null {
  const stretch = stretchAt(plan, index)
  if (stretch === null) return null
  const { owner, kind, start, from, depth } = stretch
  return { owner, kind, row: from + index - start, depth }
}

function stretchAt({ stretches }: Plan, index: number): Stretch | null {
  let low = 0
  let high = stretches.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const stretch = stretches[middle] as Stretch
    if (index < stretch.start) high = middle - 1
    else if (index >= stretch.start + stretch.count) low = middle + 1
    else return stretch
  }
  return null
}

export function indexOf({ stretches }: Plan, owner: string, row: number): number | null {
  for (const stretch of stretches)
    if (stretch.kind === 'rows' && stretch.owner === owner && row >= stretch.from && row < stretch.from + stretch.count)
      return stretch.start + row - stretch.from
  return null
}

/** A name that stays with a place while others come and go around it. Rows of the conversation are just numbers. */
export function keyAt(plan: Plan, index: number): string | number {
  const stretch = stretchAt(plan, index)
  if (stretch === null) return `none ${index}`
  if (stretch.kind !== 'rows') return `${stretch.kind} ${stretch.owner}`
  const row = stretch.from + index - stretch.start
  return stretch.owner === '' ? row : `${stretch.owner} ${row}`
}

/** Browsers lay out some 33 million pixels: of a longer conversation, what is around `row` is in the list. */
export function rangeAround(
  row: number,
  total: number,
  rowsMax = 150_000,
): { readonly from: number; readonly to: number; readonly total: number } {
  if (total <= rowsMax) return { from: 0, to: total, total }
  const half = Math.floor(rowsMax / 2)
  const from = Math.max(0, Math.min(row - half, total - rowsMax))
  return { from, to: from + rowsMax, total }
}
