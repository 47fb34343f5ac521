import { expect } from 'vitest'

/** Four times as much may take four times as long, and some more on a busy machine; quadratic would be sixteen times. */
export function expectLinear(textOf: (length: number) => string, work: (text: string) => void): void {
  const took = (text: string): number => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage().user
      work(text)
      best = Math.min(best, (process.cpuUsage().user - before) / 1000)
    }
    return best
  }
  const small = took(textOf(50_000))
  expect(took(textOf(200_000))).toBeLessThan(Math.max(10, small) * 10)
}
