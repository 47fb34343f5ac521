// For a term that runs over many leaves: which doc is the first on each, so that a query can leave out leaves [dlidx]. A
// list that has become too long for a page has another above it, which tells the first doc of each of its pages.

import { getVarint, putVarint, varintEnd } from './varint'
import { PAGE_BYTES, SKIP_BYTES, SKIP_LEVELS, skipLists, skips } from './word-layout'

// @ts-ignore: decorator
@external('pages', 'skips')
declare function putSkips(height: i32, page: i32, at: i32, length: i32): void

/** Of each level: how long its list is, the number of its page, its last doc. */
const LIST: i32 = 12
const LENGTH: i32 = 0
const PAGE: i32 = 4
const LAST: i32 = 8

function listOf(level: i32): i32 {
  return skipLists + level * LIST
}

function bytesOf(level: i32): i32 {
  return skips + level * SKIP_BYTES
}

/** A term begins on this leaf. */
export function startSkips(leaf: i32): void {
  store<i32>(listOf(0), leaf, PAGE)
}

/** No doc begins on a leaf. */
export function skipNone(): void {
  if (load<i32>(listOf(0), LENGTH) > 0) append(0, 0)
}

/** The first doc of a leaf [fts5WriteDlidxAppend]. */
export function addSkip(leaf: i32, rowid: i32): void {
  let level = 0
  let first = leaf
  while (load<i32>(listOf(level), LENGTH) >= PAGE_BYTES) {
    const list = listOf(level)
    const page = load<i32>(list, PAGE)
    store<u8>(bytesOf(level), 1)
    put(level)
    if (load<i32>(listOf(level + 1), LENGTH) == 0) {
      store<i32>(listOf(level + 1), page, PAGE)
      begin(level + 1, 0, page, getVarint(varintEnd(bytesOf(level) + 1)))
    }
    store<i32>(list, page + 1, PAGE)
    begin(level, 1, first, rowid)
    first = page + 1
    level++
  }
  if (load<i32>(listOf(level), LENGTH) == 0) begin(level, 0, first, rowid)
  else {
    append(level, rowid - load<i32>(listOf(level), LAST))
    store<i32>(listOf(level), rowid, LAST)
  }
}

/** Writes what there is, if it is worth it. Gives whether that was so. */
export function endSkips(isWorthIt: bool): bool {
  const hasAny = isWorthIt && load<i32>(listOf(0), LENGTH) > 0
  for (let level = 0; level < SKIP_LEVELS && load<i32>(listOf(level), LENGTH) > 0; level++) {
    if (hasAny) put(level)
    store<i32>(listOf(level), 0, LENGTH)
  }
  return hasAny
}

function begin(level: i32, flag: i32, first: i32, rowid: i32): void {
  store<i32>(listOf(level), 0, LENGTH)
  append(level, flag)
  append(level, first)
  append(level, rowid)
  store<i32>(listOf(level), rowid, LAST)
}

function append(level: i32, value: i32): void {
  const list = listOf(level)
  const from = bytesOf(level)
  store<i32>(list, putVarint(from + load<i32>(list, LENGTH), value) - from, LENGTH)
}

function put(level: i32): void {
  putSkips(level, load<i32>(listOf(level), PAGE), bytesOf(level), load<i32>(listOf(level), LENGTH))
}
