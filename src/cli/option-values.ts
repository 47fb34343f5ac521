// Values of options that several commands take.

import { Failure } from './failure.ts'

export function oneOf<Value extends string>(value: string, allowed: readonly Value[], option: string): Value {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Failure(`--${option} takes ${allowed.join(' or ')}, not “${value}”`)
  return found
}

/** `N`, `N..M`, `N..` or `..M`. */
export function turnRange(value: string, option: string): { readonly from: number; readonly to: number } {
  const found = /^(\d*)(\.\.(\d*))?$/.exec(value)
  if (found === null || value === '' || value === '..')
    throw new Failure(`--${option} takes N, N..M, N.. or ..M, not “${value}”`)
  const from = found[1] === '' ? 0 : Number(found[1])
  if (found[2] === undefined) return { from, to: from }
  const to = found[3] === '' || found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3])
  if (to < from) throw new Failure(`--${option} ${value} ends before it begins`)
  return { from, to }
}
