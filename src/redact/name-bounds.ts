// From where to where a name goes that has a word such as `password` in it.

export const NAME_BEFORE_MAX = 64
export const NAME_AFTER_MAX = 48

export function behindName(codes: Uint16Array, from: number): number {
  const limit = from + NAME_AFTER_MAX
  let at = from
  while (at < limit && isNameCode(codes[at] as number)) at++
  return at
}

export function nameStartOf(codes: Uint16Array, from: number): number {
  const least = Math.max(0, from - NAME_BEFORE_MAX)
  let at = from
  while (at > least && (isNameCode(codes[at - 1] as number) || codes[at - 1] === DOT)) at--
  return at
}

const DOT = 0x2e

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  )
}
