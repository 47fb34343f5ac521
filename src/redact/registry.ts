// Every Secret that was met has a number, from 1 on: what is known of it is kept by its number, and it is looked up once.
// By hand, because a text may have fifty thousand: a Map of them is what the garbage collector would have most to do with.

import { grown } from './view.ts'

export interface Registry {
  /** The one it has, or a new one. */
  readonly numberOf: (secret: string) => number
}

export function openRegistry(): Registry {
  const secrets: string[] = ['']
  /** By numbers. */
  let hashes = new Int32Array(SLOTS_FIRST)
  /** The numbers, each at its hash or right behind. */
  let slots = new Int32Array(SLOTS_FIRST * 2)
  /** Those that found no place: somebody may have made up many with one hash. */
  const others = new Map<string, number>()
  const put = (number: number): void => {
    const mask = slots.length - 1
    for (let step = 0; step < STEPS_MAX; step++) {
      const at = ((hashes[number] as number) + step) & mask
      if (slots[at] !== 0) continue
      slots[at] = number
      return
    }
    others.set(secrets[number] as string, number)
  }
  const grow = (): void => {
    hashes = grown(hashes, new Int32Array(hashes.length * GROWTH))
    slots = new Int32Array(slots.length * GROWTH)
    for (let number = 1; number < secrets.length; number++) put(number)
  }
  return {
    numberOf: (secret) => {
      const hash = hashOf(secret)
      const mask = slots.length - 1
      for (let step = 0; step < STEPS_MAX; step++) {
        const number = slots[(hash + step) & mask] as number
        if (number === 0) break
        if (hashes[number] === hash && isSame(secrets[number] as string, secret)) return number
      }
      const other = others.size === 0 ? undefined : others.get(secret)
      if (other !== undefined) return other
      if (secrets.length === hashes.length) grow()
      const number = secrets.push(secret) - 1
      hashes[number] = hash
      put(number)
      return number
    },
  }
}

const SLOTS_FIRST = 64
const GROWTH = 4
const STEPS_MAX = 64

/** They are mostly parts of other strings, and V8 takes long to begin to compare those. */
function isSame(one: string, other: string): boolean {
  const { length } = one
  if (length !== other.length) return false
  if (length > END_HASHED * 2) return one === other
  for (let at = 0; at < length; at++) if (one.charCodeAt(at) !== other.charCodeAt(at)) return false
  return true
}

/** Of long ones only the ends: they differ there too. */
function hashOf(secret: string): number {
  const { length } = secret
  let hash = length
  for (let at = 0; at < length; at++) {
    if (at === END_HASHED && length > END_HASHED * 2) at = length - END_HASHED
    hash = Math.imul(hash ^ secret.charCodeAt(at), PRIME)
  }
  return hash ^ (hash >>> 15)
}

const END_HASHED = 48
/** Of Fowler, Noll and Vo. */
const PRIME = 0x01000193
