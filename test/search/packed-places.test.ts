import { expect, test } from 'vitest'
import { packPlaces, placeIn, runsOf, unpackPlaces } from '../../src/search/packed-places.ts'
import { randomOf } from '../random.ts'

test('places come back as they were, also from the two lists of older indexes', () => {
  const random = randomOf(7)
  for (let count = 0; count < 200; count++) {
    const places = { branches: new Int32Array(count), turns: new Int32Array(count) }
    for (let at = 0; at < count; at++) {
      places.branches[at] = random.below(4) - 1
      places.turns[at] = Math.floor(at / 3) - 1
    }
    const packed = packPlaces(places)
    expect(packed.length % 8).not.toBe(0)
    expect(unpackPlaces(packed)).toEqual(places)
    const lists = Buffer.concat([places.branches, places.turns].map((one) => Buffer.from(one.buffer)))
    expect(unpackPlaces(lists)).toEqual(places)
    for (const runs of [runsOf(packed), runsOf(lists)]) {
      for (let at = 0; at < count; at++) {
        expect(placeIn(runs, at)).toEqual({ branch: places.branches[at], turn: places.turns[at] })
      }
      expect(placeIn(runs, count)).toBeNull()
    }
  }
})
