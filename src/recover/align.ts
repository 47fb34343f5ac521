// Which lines of one text are which lines of another. What both begin and end with is paired first; then lines that each
// side has once, in the longest order that both share; what lies between is compared line by line where that is cheap.

/** For each line of `after` the place of its line in `before`, or -1. */
export function alignLines(before: readonly string[], after: readonly string[]): Int32Array {
  const pairs = new Int32Array(after.length).fill(-1)
  pair(before, after, { from: 0, to: before.length, start: 0, end: after.length }, pairs)
  return pairs
}

interface Span {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

const CELLS_MAX = 1_000_000

function pair(before: readonly string[], after: readonly string[], span: Span, pairs: Int32Array): void {
  let { from, to, start, end } = span
  while (from < to && start < end && before[from] === after[start]) pairs[start++] = from++
  while (from < to && start < end && before[to - 1] === after[end - 1]) pairs[--end] = --to
  if (from === to || start === end) return
  const anchors = sharedOnce(before, after, { from, to, start, end })
  if (anchors.length === 0) {
    compare(before, after, { from, to, start, end }, pairs)
    return
  }
  for (const [old, now] of anchors) {
    pair(before, after, { from, to: old, start, end: now }, pairs)
    pairs[now] = old
    from = old + 1
    start = now + 1
  }
  pair(before, after, { from, to, start, end }, pairs)
}

function sharedOnce(
  before: readonly string[],
  after: readonly string[],
  span: Span,
): readonly (readonly [number, number])[] {
  const places = new Map<string, { old: number; now: number }>()
  for (let at = span.from; at < span.to; at++) {
    const line = before[at] as string
    places.set(line, { old: places.has(line) ? -1 : at, now: -2 })
  }
  for (let at = span.start; at < span.end; at++) {
    const place = places.get(after[at] as string)
    if (place !== undefined) place.now = place.now === -2 ? at : -1
  }
  const found = [...places.values()].filter(({ old, now }) => old >= 0 && now >= 0)
  return longestRising(found.sort((one, other) => one.now - other.now).map(({ old, now }) => [old, now]))
}

function longestRising(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tails: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (const [at, [old]] of pairs.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] as number] as readonly [number, number])[0] < old) low = middle + 1
      else high = middle
    }
    previous[at] = low === 0 ? -1 : (tails[low - 1] as number)
    tails[low] = at
  }
  const rising: (readonly [number, number])[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] as number)
    rising.push(pairs[at] as readonly [number, number])
  return rising.reverse()
}

function compare(before: readonly string[], after: readonly string[], span: Span, pairs: Int32Array): void {
  const [rows, width] = [span.to - span.from, span.end - span.start + 1]
  if (rows * width > CELLS_MAX) return
  const table = new Uint32Array((rows + 1) * width)
  const cell = (row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      table[row * width + column] =
        before[span.from + row] === after[span.start + column]
          ? cell(row + 1, column + 1) + 1
          : Math.max(cell(row + 1, column), cell(row, column + 1))
    }
  }
  for (let row = 0, column = 0; row < rows && column < width - 1; ) {
    if (before[span.from + row] === after[span.start + column]) pairs[span.start + column++] = span.from + row++
    else if (cell(row + 1, column) >= cell(row, column + 1)) row++
    else column++
  }
}
