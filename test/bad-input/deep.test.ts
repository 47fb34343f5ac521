// Chains and cycles of a length that breaks recursion.

import type { HugeCase } from './huge-case.ts'
import { above, each, inTurn, none, same, testHuge, user } from './huge-case.ts'

const DEEP: readonly HugeCase[] = [
  {
    name: 'a chain, a million deep',
    count: 1_000_000,
    lines: (count) => each(count, (index) => inTurn(index, above(index))),
    problems: none,
    full: same,
  },
  {
    name: 'a chain of a hundred thousand, written backwards',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(count - 1 - index, above(count - 1 - index))),
    problems: none,
    full: same,
  },
  {
    name: 'a cycle of a hundred thousand',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index === 0 ? count - 1 : index - 1)),
    problems: () => ({ 'parent-cycle': 1 }),
    full: same,
  },
  {
    name: 'a hundred thousand records that are their own parents',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index)),
    problems: (count) => ({ 'parent-cycle': count }),
    full: same,
  },
  {
    name: 'fifty thousand cycles of two',
    count: 100_000,
    lines: (count) => each(count, (index) => inTurn(index, index ^ 1)),
    problems: (count) => ({ 'parent-cycle': count / 2 }),
    full: same,
  },
  {
    name: 'a cycle of a hundred thousand, entered in its middle by the first record',
    count: 100_000,
    lines: (count) =>
      each(count, (index) => {
        if (index === 0) return user(0, count / 2)
        return inTurn(index, index === 1 ? count - 1 : index - 1)
      }),
    problems: () => ({ 'parent-cycle': 1 }),
    full: (count) => count - 1,
    branches: () => 2,
  },
]

testHuge('deep', DEEP)
