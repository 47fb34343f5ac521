// The memory in which docs go from one thread to another: whatever is put there stays as it is until it is given back.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocPlace } from '../../src/search/doc-room.ts'
import { giveBack, newRing, RingRoom } from '../../src/search/doc-room.ts'

const SIZE = 256

test('nothing is overwritten before it is given back, in whatever sizes it comes', () => {
  const steps = fc.array(fc.record({ bytes: fc.integer({ min: 0, max: SIZE + 40 }), given: fc.nat(3) }), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const ring = newRing(SIZE)
      const room = new RingRoom(ring)
      const waiting: { readonly place: DocPlace; readonly bytes: Uint8Array; readonly mark: number }[] = []
      for (const [step, { bytes, given }] of all.entries()) {
        const place = room.take(bytes)
        const own = new Uint8Array(place.buffer, place.offset, bytes)
        own.fill(step % 251)
        waiting.push({ place, bytes: own, mark: step % 251 })
        expect(place.offset % 8).toBe(0)
        for (const { place: old, bytes: kept, mark } of waiting.splice(0, given)) {
          expect(kept.every((byte) => byte === mark)).toBe(true)
          giveBack(ring, old.taken)
        }
      }
      for (const { place, bytes, mark } of waiting) {
        expect(bytes.every((byte) => byte === mark)).toBe(true)
        giveBack(ring, place.taken)
      }
      expect(ring.taken[0]).toBe(0)
    }),
  )
})

test('it is used again and again, and what does not fit has memory of its own', () => {
  const ring = newRing(SIZE)
  const room = new RingRoom(ring)
  for (let round = 0; round < 100; round++) {
    const place = room.take(100)
    expect(place.buffer).toBe(ring.buffer)
    giveBack(ring, place.taken)
  }
  expect(room.take(SIZE + 1).buffer).not.toBe(ring.buffer)
})
