// What a Mould says of how the rest of its records is stored: two bits for each id and for the tokens, one for whatever is
// there or not. The places of the bits are part of the stored form.

export const UUID = 0
export const PARENT = 2
export const MESSAGE = 4
export const REQUEST = 6
export const USAGE = 8

/** How an id is stored: not there, as expected (a new one, or for a parent the record before), as it was last, or named. */
export const NO_ID = 0
export const NEXT = 1
export const SAME = 2
export const NAMED = 3

export const HAS_TIME = 1 << 10
export const HAS_BOUNDARY = 1 << 11
export const IS_META = 1 << 12
/** The ids of its calls are not all new and plain. */
export const CALLS_ARE_NAMED = 1 << 13

export function wayOf(marks: number, place: number): number {
  return (marks >> place) & 3
}
