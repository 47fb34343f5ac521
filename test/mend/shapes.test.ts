// Every shape of damage that people have told of: the plan is the expected one, and what comes out keeps all promises.

import { describe, expect, test } from 'vitest'
import { repair, stepsOf } from './repair.ts'
import { SHAPES } from './shapes.ts'

test('there are many shapes, each with a name of its own and the issue that tells of it', () => {
  expect(SHAPES.length).toBeGreaterThanOrEqual(40)
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length)
  expect(SHAPES.filter(({ cites }) => !/^(?:CC#\d+|[\w-]+\/[\w-]+(?:#| PR )\d+)$/.test(cites))).toEqual([])
})

describe.each(SHAPES)('$name ($cites)', ({ bytes, steps }) => {
  test('is mended as expected, and every promise is kept', () => {
    const source = bytes()
    const repaired = repair(source)
    expect(stepsOf(repaired)).toEqual(steps)
    expect(repaired.plan.refusals).toEqual([])
    expect(repaired.broken).toEqual([])
    expect(repaired.plan.after.islands).toEqual([])
    expect(repaired.plan.after.troubles).toEqual([])
  })
})
