// Where each row of a long list begins, while one after the other is measured. A Fenwick tree: a row that turns out to be
// higher changes a dozen sums and not forty thousand.

export interface Heights {
  readonly count: number
  readonly total: () => number
  readonly topOf: (index: number) => number
  readonly heightOf: (index: number) => number
  /** The row at this distance from the top; the first or the last one beyond the ends. */
  readonly indexAt: (top: number) => number
  /** True where that is another height than before. */
  readonly set: (index: number, height: number) => boolean
}

export function newHeights(count: number, heightAt: (index: number) => number): Heights {
  const heights = new Float64Array(count)
  const sums = new Float64Array(count + 1)
  for (let index = 0; index < count; index++) {
    const height = heightAt(index)
    heights[index] = height
    const place = index + 1
    sums[place] = (sums[place] ?? 0) + height
    const above = place + (place & -place)
    if (above <= count) sums[above] = (sums[above] ?? 0) + (sums[place] ?? 0)
  }
  let highest = 1
  while (highest * 2 <= count) highest *= 2

  const topOf = (index: number): number => {
    let sum = 0
    for (let place = Math.min(index, count); place > 0; place -= place & -place) sum += sums[place] ?? 0
    return sum
  }
  return {
    count,
    total: () => topOf(count),
    topOf,
    heightOf: (index) => heights[index] ?? 0,
    indexAt: (top) => {
      let place = 0
      let left = top
      for (let step = highest; step > 0; step >>= 1) {
        const sum = sums[place + step]
        if (place + step <= count && sum !== undefined && sum <= left) {
          place += step
          left -= sum
        }
      }
      return Math.max(0, Math.min(place, count - 1))
    },
    set: (index, height) => {
      const change = height - (heights[index] ?? 0)
      if (index < 0 || index >= count || Math.abs(change) < 0.25) return false
      heights[index] = height
      for (let place = index + 1; place <= count; place += place & -place) sums[place] = (sums[place] ?? 0) + change
      return true
    },
  }
}
