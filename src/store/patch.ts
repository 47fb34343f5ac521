// What has to be done to one JSON value to make it another. Values of the same shape are gone into, so that a long text
// both have stands in neither patch.

import { object } from '../record/fields.ts'
import type { Body } from '../record/model.ts'

export interface Patch {
  readonly set?: Body
  readonly unset?: readonly string[]
  readonly inside?: Readonly<Record<string, Patch>>
}

/** Null when there is nothing to do. */
export function patchBetween(from: Body, to: Body): Patch | null {
  const unset = Object.keys(from).filter((key) => !Object.hasOwn(to, key))
  const set: [string, unknown][] = []
  const inside: [string, Patch][] = []
  for (const [key, wanted] of Object.entries(to)) {
    const found = Object.hasOwn(from, key) ? from[key] : undefined
    if (isSame(found, wanted)) continue
    const patch = areAlike(found, wanted) ? patchBetween(found as Body, wanted as Body) : null
    if (patch === null) set.push([key, wanted])
    else inside.push([key, patch])
  }
  if (set.length === 0 && unset.length === 0 && inside.length === 0) return null
  return {
    ...(set.length === 0 ? {} : { set: Object.fromEntries(set) }),
    ...(unset.length === 0 ? {} : { unset }),
    ...(inside.length === 0 ? {} : { inside: Object.fromEntries(inside) }),
  }
}

/** A patch is read from a file that anybody may have changed: what it cannot mean is passed over. */
export function applyPatch(value: Body, patch: unknown): Body {
  const { set, unset, inside } = object(patch) ?? {}
  const gone = new Set(Array.isArray(unset) ? (unset as readonly unknown[]) : [])
  const changed = Object.entries(object(inside) ?? {}).flatMap(([key, below]) => {
    const found = Object.hasOwn(value, key) ? value[key] : null
    if (Array.isArray(found)) return [[key, Object.values(applyPatch({ ...found }, below))]]
    const body = object(found)
    return body === null ? [] : [[key, applyPatch(body, below)]]
  })
  const kept = Object.entries(value).filter(([key]) => !gone.has(key))
  return Object.fromEntries([...kept, ...changed, ...Object.entries(object(set) ?? {})])
}

/** Lists are alike when nothing was added or taken away. */
function areAlike(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.length > 0
  return object(one) !== null && object(other) !== null
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]))
  const left = object(one)
  const right = object(other)
  if (left === null || right === null) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
}
