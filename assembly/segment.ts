// Words that were gathered → the pages of a segment [fts5FlushOneHash]: leaves with terms and their docs, an index of them
// by their first terms, and for terms that run over several leaves a list of the first doc on each.

import { addSkip, endSkips, skipNone, startSkips } from './skips'
import { getVarint, putVarint, varintEnd } from './varint'
import {
  DATA, DATA_LENGTH, firstTerm, HASH, lastTerm, leaf, leafIndex, LENGTH, LONG, order, PAGE_BYTES, SHORT, SHORT_BYTES, WORD, words,
} from './word-layout'

// @ts-ignore: decorator
@external('pages', 'leaf')
declare function putLeaf(page: i32, at: i32, length: i32): void
// @ts-ignore: decorator
@external('pages', 'term')
declare function putTerm(at: i32, length: i32, page: i32): void

/** So many leaves without a term are worth a list [FTS5_MIN_DLIDX_SIZE]. */
const SKIPPED_MIN: i32 = 4
/** Of a leaf: where its first doc stands, and where its index begins. */
const LEAF_HEAD: i32 = 4

let page: i32 = 0
let leafEnd: i32 = 0
let indexEnd: i32 = 0
let lastIndexed: i32 = 0
let isFirstTerm: bool = false
let isFirstRowid: bool = false
let lastTermLength: i32 = 0
/** The leaf that the index is to name next, 0 for none, and the term it is named by. */
let namedPage: i32 = 0
let firstTermLength: i32 = 0
let emptyLeaves: i32 = 0

export function writeTerms(table: i32, wordCount: i32): i32 {
  const count = inOrder(table, wordCount)
  if (count == 0) return 0
  page = 1
  namedPage = 1
  firstTermLength = 0
  lastTermLength = 0
  emptyLeaves = 0
  endSkips(false)
  startLeaf()
  for (let at = 0; at < count; at++) writeTerm(load<i32>(order + at * 16, 8))
  if (leafEnd > leaf + LEAF_HEAD) endLeaf()
  nameLeaf()
  return page - 1
}

// ---- the order of terms

/** Those of one table, sorted by their bytes; gives how many. The first byte is the same in all. */
function inOrder(table: i32, wordCount: i32): i32 {
  let count = 0
  for (let entry = words; entry < words + wordCount * WORD; entry += WORD) {
    if ((load<u32>(entry, HASH) & 1) != u32(table)) continue
    // Behind a short word stand zeros, which no word holds: what is shorter comes first.
    store<u64>(order + count * 16, bswap(load<u64>(entry, SHORT + 1)))
    store<i32>(order + count * 16, entry, 8)
    count++
  }
  sort(0, count - 1)
  return count
}

function sort(from: i32, to: i32): void {
  let low = from
  let high = to
  while (high - low > 16) {
    exchange((low + high) >> 1, high)
    const at = divide(low, high)
    // The smaller part first, so that this never goes deep.
    if (at - low < high - at) {
      sort(low, at - 1)
      low = at + 1
    } else {
      sort(at + 1, high)
      high = at - 1
    }
  }
  for (let at = low + 1; at <= high; at++) {
    for (let place = at; place > low && isBefore(place, place - 1); place--) exchange(place, place - 1)
  }
}

/** By the last of them; gives where that one stands behind it. */
function divide(low: i32, high: i32): i32 {
  let at = low
  for (let place = low; place < high; place++) {
    if (isBefore(place, high)) exchange(at++, place)
  }
  exchange(at, high)
  return at
}

function exchange(one: i32, other: i32): void {
  const held = v128.load(order + one * 16)
  v128.store(order + one * 16, v128.load(order + other * 16))
  v128.store(order + other * 16, held)
}

function isBefore(one: i32, other: i32): bool {
  const first = load<u64>(order + one * 16)
  const second = load<u64>(order + other * 16)
  return first == second ? isRestBefore(load<i32>(order + one * 16, 8), load<i32>(order + other * 16, 8)) : first < second
}

function isRestBefore(one: i32, other: i32): bool {
  const length = min(lengthOf(one), lengthOf(other))
  const shared = sharedLength(bytesOf(one), bytesOf(other), length)
  if (shared == length) return lengthOf(one) < lengthOf(other)
  return load<u8>(bytesOf(one) + shared) < load<u8>(bytesOf(other) + shared)
}

function lengthOf(entry: i32): i32 {
  return load<u16>(entry, LENGTH)
}

function bytesOf(entry: i32): i32 {
  return lengthOf(entry) > SHORT_BYTES ? load<i32>(entry, LONG) : entry + SHORT
}

function sharedLength(one: i32, other: i32, length: i32): i32 {
  let at = 0
  while (at + 8 <= length && load<u64>(one + at) == load<u64>(other + at)) at += 8
  while (at < length && load<u8>(one + at) == load<u8>(other + at)) at++
  return at
}

// ---- leaves

function startLeaf(): void {
  store<u32>(leaf, 0)
  leafEnd = leaf + LEAF_HEAD
  indexEnd = leafIndex
  lastIndexed = 0
  isFirstTerm = true
  isFirstRowid = true
}

/** Of a leaf with its index. */
function used(): i32 {
  return leafEnd - leaf + indexEnd - leafIndex
}

/** [fts5WriteFlushLeaf] */
function endLeaf(): void {
  const length = leafEnd - leaf
  store<u8>(leaf, length >> 8, 2)
  store<u8>(leaf, length, 3)
  if (isFirstTerm) {
    if (isFirstRowid) skipNone()
    emptyLeaves++
  }
  memory.copy(leafEnd, leafIndex, indexEnd - leafIndex)
  putLeaf(page, leaf, used())
  page++
  startLeaf()
}

function writeTerm(entry: i32): void {
  beginTerm(bytesOf(entry), lengthOf(entry))
  const from = load<i32>(entry, DATA)
  const length = load<i32>(entry, DATA_LENGTH)
  if (used() + length + 1 <= PAGE_BYTES) {
    memory.copy(leafEnd, from, length)
    leafEnd += length
  } else writeDocs(from, from + length)
}

/** [fts5WriteAppendTerm] */
function beginTerm(at: i32, length: i32): void {
  if (used() + length + 2 >= PAGE_BYTES && leafEnd > leaf + LEAF_HEAD) endLeaf()
  indexEnd = putVarint(indexEnd, leafEnd - leaf - lastIndexed)
  lastIndexed = leafEnd - leaf
  const shared = sharedLength(lastTerm, at, min(lastTermLength, length))
  if (isFirstTerm) {
    if (page != 1) {
      nameLeaf()
      // Enough to tell it from all that came before.
      firstTermLength = lastTermLength > 0 ? shared + 1 : length
      memory.copy(firstTerm, at, firstTermLength)
      namedPage = page
    }
  } else leafEnd = putVarint(leafEnd, shared)
  const kept = isFirstTerm ? 0 : shared
  leafEnd = putVarint(leafEnd, length - kept)
  memory.copy(leafEnd, at + kept, length - kept)
  leafEnd += length - kept
  memory.copy(lastTerm, at, length)
  lastTermLength = length
  isFirstTerm = false
  isFirstRowid = false
  startSkips(page)
}

/** Docs that one leaf cannot hold. */
function writeDocs(from: i32, end: i32): void {
  let rowid: u32 = 0
  let at = from
  while (at < end) {
    const step = getVarint(at)
    at = varintEnd(at)
    rowid += step
    if (isFirstRowid) {
      store<u8>(leaf, (leafEnd - leaf) >> 8)
      store<u8>(leaf, leafEnd - leaf, 1)
      leafEnd = putVarint(leafEnd, rowid)
      isFirstRowid = false
      addSkip(page, rowid)
    } else leafEnd = putVarint(leafEnd, step)
    const positions = varintEnd(at) + i32(getVarint(at) >> 1)
    if (used() + positions - at <= PAGE_BYTES) {
      memory.copy(leafEnd, at, positions - at)
      leafEnd += positions - at
    } else writePositions(at, positions)
    at = positions
  }
}

/** On as many leaves as they need; a number is never divided. */
function writePositions(from: i32, end: i32): void {
  let at = from
  while (true) {
    const room = PAGE_BYTES - used()
    const to = end - at <= room ? end : endWithin(at, room)
    memory.copy(leafEnd, at, to - at)
    leafEnd += to - at
    at = to
    if (used() >= PAGE_BYTES) endLeaf()
    if (at >= end) return
  }
}

/** At least one number, however small the room is [fts5PoslistPrefix]. */
function endWithin(from: i32, room: i32): i32 {
  let end = varintEnd(from)
  if (end - from < room) {
    while (true) {
      const next = varintEnd(end)
      if (next - from > room) break
      end = next
    }
  }
  return end
}

// ---- the index of leaves

/** The doclist of the last term on that leaf is over [fts5WriteFlushBtree]. */
function nameLeaf(): void {
  if (namedPage == 0) return
  const hasSkips = endSkips(emptyLeaves >= SKIPPED_MIN)
  emptyLeaves = 0
  putTerm(firstTerm, firstTermLength, (namedPage << 1) | i32(hasSkips))
  namedPage = 0
}
