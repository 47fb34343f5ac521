// Bytes of lines → sketches, as layout says. Only what is certain: a line must be JSON written without spaces, every byte of
// it checked; whatever is not understood makes the line NOT_SURE, and the exact way reads it. No decision about what a
// record means is made here but which of eight kinds it is. Lines end with 0x0A, which no value holds: it is the bound of
// every walk.

import {
  ATTACHED, ATTACHED_LENGTH, ATTACHMENT, DO_ATTACHMENT, DO_ORIGIN, DO_ORIGIN_KIND, DO_PROMPT_SOURCE, DO_TURN_ORIGIN,
  FLAG_BY_HUMAN, MARK_HUMAN, MARK_SYSTEM, MARK_TASK, MARK_TYPED, METADATA, NAME_TYPE, TABLE_ATTACHMENT, TABLE_MARK, TABLE_ORIGIN,
  TABLE_TYPE,
  BLOCK_COUNT, BLOCK_FLAGS, BLOCK_HAS_CONTENT, BLOCK_HAS_INPUT, BLOCK_HAS_TEXT, BLOCK_HAS_THINKING, BLOCK_ID, BLOCK_INDEX,
  BLOCK_INPUT, BLOCK_INPUT_LENGTH, BLOCK_IS_ERROR, BLOCK_KIND, BLOCK_NAME, BLOCK_NUMBERS, BLOCK_OTHER_THAN_ASCII,
  BLOCK_TEXT, BLOCK_TEXT_LENGTH, BLOCKS_MAX, DO_BLOCK_ID, DO_BLOCK_INDEX, DO_CALL_ID, DO_NO_SYSTEM, DO_OWN_TEXT, DO_SNAPSHOT_OF, DO_SUBTYPE, DO_BLOCK_NAME, DO_CONTENT, DO_ERROR, DO_FALSE,
  DO_FORK, DO_GEO, DO_PROMPT_ID, DO_PROMPT_MARK, DO_PART_KIND, DO_PART_TEXT, DO_RESULT_TEXT, DO_INPUT, DO_KIND, DO_MESSAGE, DO_META, DO_PROGRESS, DO_RESULT, DO_SIDECHAIN, DO_SKIP,
  DO_SPEED, DO_TEAM, DO_TEXT, DO_THINKING, DO_TIER, DO_TIME, DO_TOKENS, DO_TYPE, DO_USAGE, DO_WRITES, FIRST_BLOCK, FLAG_ESCAPES,
  FLAG_FORK, FLAG_META, FLAG_SAME_MESSAGE, FLAG_SAME_PARENT, FLAG_SAME_REQUEST, FLAG_SAME_SOURCE, FLAG_TEXT_OTHER, FLAG_OTHER_THAN_ASCII, FLAG_SIDECHAIN, FLAG_TEAM, ID_MESSAGE, ID_PARENT, ID_PROMPT, ID_REQUEST, ID_SOURCE_ASSISTANT, ID_SPAWNED, ID_UUID, INPUT_BYTES, NAME_SESSION, NAME_SUBTYPE, NOT_SURE,
  PROGRESS, PROMPT, RATE_BATCH, RATE_FAST, RATE_PRIORITY, RATE_US, RATES, REPLY, RESULT, SKETCH_END, SKETCH_FLAGS, SKETCH_KIND, SKETCH_NUMBERS,
  SKETCH_START, SKETCHES_MAX, SNAPSHOT, SYSTEM, TABLE_BLOCK, TABLE_FORK, TABLE_MESSAGE, TABLE_PART, TABLE_PROGRESS, TABLE_RECORD, TABLE_RESULT,
  TABLE_SLOTS, TABLE_USAGE, TABLE_WRITES, TABLES, TEXT, TEXT_LENGTH, TIME_DAY, TIME_MS, TOKENS,
} from '../src/record/scan-layout'
import { hashOf, isSame } from './bytes'

// ---- memory: one region behind the other, behind what the compiler keeps for itself

const NAMES_MAX: i32 = 4096
const NAME_SLOTS: i32 = 16384
const NAME_BYTES: i32 = 1 << 20
const IDS_BYTES: i32 = 1 << 20
const ID_BYTES_MAX: i32 = 256
const KEY_BYTES: i32 = 16384
/** Longer ones are not guessed: a guess reads so far behind where a line may end. */
const GUESSED_MAX: i32 = 256

/** Per key: hash, number, what to do, where its bytes are, how many, and which key came behind it the last time. */
const KEY_INTS: i32 = 6
const KEY_NEXT: i32 = 20
/** Per table: which key came first the last time, and which behind one that is in no table. */
const firstKeys: i32 = (i32(__heap_base) + 63) & ~63
const otherKeys: i32 = firstKeys + TABLES * 4
/** Per place in a sketch, and per place in a Block below those of ids: 1 and the number of the name that came there last. */
const lastNames: i32 = otherKeys + TABLES * 4
const keySlots: i32 = lastNames + SKETCH_NUMBERS * 4
const keyBytes: i32 = keySlots + TABLES * TABLE_SLOTS * KEY_INTS * 4
const nameSlots: i32 = keyBytes + KEY_BYTES
/** Per name: hash, where its bytes are, how many. */
const names: i32 = nameSlots + NAME_SLOTS * 4
const nameBytes: i32 = names + NAMES_MAX * 12
const sketches: i32 = nameBytes + NAME_BYTES
const blocks: i32 = sketches + SKETCHES_MAX * SKETCH_NUMBERS * 4
const ids: i32 = blocks + BLOCKS_MAX * BLOCK_NUMBERS * 4
const texts: i32 = ids + IDS_BYTES
const input: i32 = texts + INPUT_BYTES + 4096
const memoryEnd: i32 = input + INPUT_BYTES + GUESSED_MAX + 64

let keyBytesUsed: i32 = 0
let nameCount: i32 = 0
let nameBytesUsed: i32 = 0
let knownKinds: i32 = 0
let idsUsed: i32 = 0
let textsUsed: i32 = 0
let blockCount: i32 = 0
let scannedTo: i32 = 0
/** Of the line under way. */
let sketch: i32 = 0
let flags: i32 = 0
let kindHeld: i32 = 0
let hasResult: bool = false
let hasMessage: bool = false
let hasProgress: bool = false
let hasContent: bool = false
let hasToolResult: bool = false
let mayNameAgent: bool = false
let isSystemStrange: bool = false
let hasSubtype: bool = false
let hasOtherBlock: bool = false
let hasSnapshotOf: bool = false
/** Its content is one text, not a list of Blocks. */
let hasPlainContent: bool = false
/** The client itself says who wrote it. */
let isMarked: bool = false
let hasAttachment: bool = false
/** The sketch of the line before, if it was a sure one. */
let before: i32 = 0

export function start(): i32 {
  const pages = (memoryEnd + 65535) >> 16
  const have = memory.size()
  if (pages > have) memory.grow(pages - have)
  return memoryEnd
}
export function sketchesAt(): i32 { return sketches }
export function blocksAt(): i32 { return blocks }
export function idsAt(): i32 { return ids }
export function idsLength(): i32 { return idsUsed }
export function textsAt(): i32 { return texts }
export function inputAt(): i32 { return input }
export function scanned(): i32 { return scannedTo }
export function namesKept(): i32 { return nameCount }
export function nameBytesKept(): i32 { return nameBytesUsed }
export function nameAt(name: i32): i32 { return load<i32>(names + name * 12, 4) }
export function nameLength(name: i32): i32 { return load<i32>(names + name * 12, 8) }
/** The names kept so far are kinds of Blocks that we know. */
export function endKinds(): void { knownKinds = nameCount }
export function forgetNames(): void {
  memory.fill(nameSlots, 0, NAME_SLOTS * 4)
  memory.fill(lastNames, 0, SKETCH_NUMBERS * 4)
  nameCount = 0
  nameBytesUsed = 0
}

// ---- keys and names

export function addKey(table: i32, at: i32, length: i32, number: i32, what: i32): void {
  const bytes = keyBytes + keyBytesUsed
  memory.copy(bytes, at, length)
  keyBytesUsed += (length + 15) & ~7
  const hash = hashOf(bytes, length)
  let slot = i32(hash >> 1) & (TABLE_SLOTS - 1)
  while (true) {
    const place = keySlots + (table * TABLE_SLOTS + slot) * KEY_INTS * 4
    if (load<u32>(place) == 0) {
      store<u32>(place, hash)
      store<i32>(place, number, 4)
      store<i32>(place, what, 8)
      store<i32>(place, bytes, 12)
      store<i32>(place, length, 16)
      return
    }
    slot = (slot + 1) & (TABLE_SLOTS - 1)
  }
}

/** Where a key stands in its table; 0 when it is not in it. */
function findKey(table: i32, at: i32, length: i32): i32 {
  const hash = hashOf(at, length)
  let slot = i32(hash >> 1) & (TABLE_SLOTS - 1)
  while (true) {
    const place = keySlots + (table * TABLE_SLOTS + slot) * KEY_INTS * 4
    const known = load<u32>(place)
    if (known == 0) return 0
    if (known == hash && load<i32>(place, 16) == length && isSame(load<i32>(place, 12), at, length)) return place
    slot = (slot + 1) & (TABLE_SLOTS - 1)
  }
}

/** The number of a text that stands in many lines; -1 when no more fit. As it is written, escapes and all. */
export function nameOf(at: i32, length: i32): i32 {
  const hash = hashOf(at, length)
  let slot = i32(hash >> 1) & (NAME_SLOTS - 1)
  while (true) {
    const place = nameSlots + slot * 4
    const known = load<i32>(place) - 1
    if (known < 0) {
      const room = (length + 15) & ~7
      if (nameCount == NAMES_MAX || nameBytesUsed + room > NAME_BYTES) return -1
      const bytes = nameBytes + nameBytesUsed
      memory.copy(bytes, at, length)
      nameBytesUsed += room
      const kept = names + nameCount * 12
      store<u32>(kept, hash)
      store<i32>(kept, bytes, 4)
      store<i32>(kept, length, 8)
      store<i32>(place, ++nameCount)
      return nameCount - 1
    }
    const kept = names + known * 12
    if (load<u32>(kept) == hash && load<i32>(kept, 8) == length && isSame(load<i32>(kept, 4), at, length)) return known
    slot = (slot + 1) & (NAME_SLOTS - 1)
  }
}

// ---- values: each gives where it ends, or 0 when the line is not for us

/** Characters outside of ASCII in the string last walked over. */
let sawOther: i32 = 0
let sawEscape: bool = false

/** One bit for each of sixteen bytes: a quote, a backslash, or what no string may hold. */
function stopsIn(bytes: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
      i8x16.lt_u(bytes, i8x16.splat(0x20)),
    ),
  )
}

/** The escapes that stand for one character and are everywhere: line end, quote, backslash, tab. */
function isPlainEscape(mark: u8): bool {
  return mark == 0x6e || mark == 0x22 || mark == 0x5c || mark == 0x74
}

/** Bits of thirty-two bytes that are this one. */
function bitsOf(one: v128, two: v128, byte: i8): i32 {
  return i8x16.bitmask(i8x16.eq(one, i8x16.splat(byte))) | (i8x16.bitmask(i8x16.eq(two, i8x16.splat(byte))) << 16)
}

/** From behind the opening quote to the closing one. */
function endOfString(from: i32): i32 {
  let at = from
  let passed = i8x16.splat(0)
  let other: i32 = 0
  sawEscape = false
  while (true) {
    const one = v128.load(at)
    const two = v128.load(at, 16)
    const stops = stopsIn(one) | (stopsIn(two) << 16)
    if (stops == 0) {
      passed = v128.or(passed, v128.or(one, two))
      at += 32
      continue
    }
    const others = i8x16.bitmask(one) | (i8x16.bitmask(two) << 16)
    let step = ctz(stops)
    let byte = load<u8>(at + step)
    let escaped: i32 = 0
    if (byte == 0x5c) {
      sawEscape = true
      const backslashes = bitsOf(one, two, 0x5c)
      // In a run of backslashes every second one is escaped: a carry through the run tells whether the byte behind it is.
      const begun = (((backslashes << 1) | ODD_BITS) - backslashes) ^ ODD_BITS
      escaped = begun ^ backslashes
      const plain = bitsOf(one, two, 0x22) | backslashes | bitsOf(one, two, 0x6e) | bitsOf(one, two, 0x74)
      const ends = (stops & ~backslashes & ~escaped) | (escaped & ~plain)
      if (ends == 0) {
        passed = v128.or(passed, v128.or(one, two))
        // Where its last byte begins an escape, the next ones are looked at with that.
        at += (begun & backslashes) < 0 ? 31 : 32
        continue
      }
      step = ctz(ends)
      byte = load<u8>(at + step)
    }
    other |= others & ((1 << step) - 1)
    at += step
    if (((escaped >> step) & 1) != 0) {
      at = endOfEscape(at - 1)
      if (at == 0) return 0
      continue
    }
    if (byte != 0x22) return 0
    sawOther = other | i8x16.bitmask(passed)
    if (sawOther != 0) flags |= FLAG_OTHER_THAN_ASCII
    return at
  }
}

const ODD_BITS: i32 = 0xaaaaaaaa

function endOfEscape(at: i32): i32 {
  switch (load<u8>(at, 1)) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2
    case 0x75: {
      const unit = unitAt(at + 2)
      if (unit < 0) return 0
      flags |= FLAG_ESCAPES
      if (unit < 0xd800 || unit > 0xdfff) return at + 6
      if (unit > 0xdbff || load<u16>(at, 6) != 0x755c) return 0
      const low = unitAt(at + 8)
      return low >= 0xdc00 && low <= 0xdfff ? at + 12 : 0
    }
    default:
      return 0
  }
}

function unitAt(at: i32): i32 {
  let unit: i32 = 0
  for (let digit = 0; digit < 4; digit++) {
    const byte = i32(load<u8>(at + digit))
    const letter = byte | 0x20
    if (byte >= 0x30 && byte <= 0x39) unit = (unit << 4) | (byte - 0x30)
    else if (letter >= 0x61 && letter <= 0x66) unit = (unit << 4) | (letter - 0x57)
    else return -1
  }
  return unit
}

/** The same, and what the string says is put behind the texts. */
function takeString(from: i32): i32 {
  let at = from
  let to = texts + textsUsed
  let passed = i8x16.splat(0)
  let other: i32 = 0
  while (true) {
    const one = v128.load(at)
    const two = v128.load(at, 16)
    v128.store(to, one)
    v128.store(to, two, 16)
    const stops = stopsIn(one) | (stopsIn(two) << 16)
    if (stops == 0) {
      passed = v128.or(passed, v128.or(one, two))
      at += 32
      to += 32
      continue
    }
    const step = ctz(stops)
    other |= (i8x16.bitmask(one) | (i8x16.bitmask(two) << 16)) & ((1 << step) - 1)
    at += step
    to += step
    const byte = load<u8>(at)
    if (byte == 0x5c) {
      const mark = load<u8>(at, 1)
      if (isPlainEscape(mark)) {
        store<u8>(to++, plainOf(mark))
        at += 2
        continue
      }
      const end = endOfEscape(at)
      if (end == 0) return 0
      if (mark == 0x75) {
        const before = to
        to = putUnit(at, end, to)
        if (to - before > 1) other |= 1
      } else store<u8>(to++, plainOf(mark))
      at = end
      continue
    }
    if (byte != 0x22) return 0
    textsUsed = to - texts
    sawOther = other | i8x16.bitmask(passed)
    if (sawOther != 0) flags |= FLAG_OTHER_THAN_ASCII
    return at
  }
}

function plainOf(mark: u8): u8 {
  switch (mark) {
    case 0x62: return 8
    case 0x66: return 12
    case 0x6e: return 10
    case 0x72: return 13
    case 0x74: return 9
    default: return mark
  }
}

function putUnit(at: i32, end: i32, to: i32): i32 {
  let unit = unitAt(at + 2)
  if (end - at == 12) unit = 0x10000 + ((unit & 0x3ff) << 10) + (unitAt(at + 8) & 0x3ff)
  if (unit < 0x80) {
    store<u8>(to, u8(unit))
    return to + 1
  }
  if (unit < 0x800) {
    store<u8>(to, u8(0xc0 | (unit >> 6)))
    store<u8>(to, u8(0x80 | (unit & 63)), 1)
    return to + 2
  }
  if (unit < 0x10000) {
    store<u8>(to, u8(0xe0 | (unit >> 12)))
    store<u8>(to, u8(0x80 | ((unit >> 6) & 63)), 1)
    store<u8>(to, u8(0x80 | (unit & 63)), 2)
    return to + 3
  }
  store<u8>(to, u8(0xf0 | (unit >> 18)))
  store<u8>(to, u8(0x80 | ((unit >> 12) & 63)), 1)
  store<u8>(to, u8(0x80 | ((unit >> 6) & 63)), 2)
  store<u8>(to, u8(0x80 | (unit & 63)), 3)
  return to + 4
}

const TRUE: u32 = 0x65757274
const NULL: u32 = 0x6c6c756e
const FALS: u32 = 0x736c6166

function isTrue(at: i32): bool { return load<u32>(at) == TRUE }
function isNull(at: i32): bool { return load<u32>(at) == NULL }
function isFalse(at: i32): bool { return load<u32>(at) == FALS && load<u8>(at, 4) == 0x65 }

function isDigit(at: i32): bool { return u32(load<u8>(at)) - 0x30 < 10 }

function endOfNumber(from: i32): i32 {
  let at = from
  if (load<u8>(at) == 0x2d) at++
  if (load<u8>(at) == 0x30) at++
  else {
    if (!isDigit(at)) return 0
    while (isDigit(at)) at++
  }
  if (load<u8>(at) == 0x2e) {
    at++
    if (!isDigit(at)) return 0
    while (isDigit(at)) at++
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    at++
    const sign = load<u8>(at)
    if (sign == 0x2b || sign == 0x2d) at++
    if (!isDigit(at)) return 0
    while (isDigit(at)) at++
  }
  return at
}

/** Behind any value, whatever is in it. Nested deeper than the bits of a number, it is not for us. */
function endOfValue(from: i32): i32 {
  let at = from
  let depth: i32 = 0
  let isObject: u64 = 0
  while (true) {
    // A value begins here.
    const byte = load<u8>(at)
    let isOpen = false
    if (byte == 0x22) {
      at = endOfString(at + 1)
      if (at == 0) return 0
      at++
    } else if (byte == 0x7b || byte == 0x5b) {
      at++
      if (load<u8>(at) == byte + 2) at++
      else {
        if (depth == 63) return 0
        depth++
        isObject = (isObject << 1) | u64(byte == 0x7b)
        isOpen = true
      }
    } else if (byte == 0x2d || u32(byte) - 0x30 < 10) {
      at = endOfNumber(at)
      if (at == 0) return 0
    } else if (isTrue(at) || isNull(at)) at += 4
    else if (isFalse(at)) at += 5
    else return 0
    // It has ended: close what ends with it, up to where the next one begins.
    while (!isOpen) {
      if (depth == 0) return at
      const next = load<u8>(at++)
      if (next == 0x2c) isOpen = true
      else if (next == ((isObject & 1) != 0 ? 0x7d : 0x5d)) {
        depth--
        isObject >>= 1
      } else return 0
    }
    if ((isObject & 1) != 0) {
      if (load<u8>(at) != 0x22) return 0
      at = endOfString(at + 1)
      if (at == 0 || load<u8>(at, 1) != 0x3a) return 0
      at += 2
    }
  }
}

// ---- objects of which we know the keys

/** One bit a key of the object under way: a key that comes twice is not for us. */
let seen0: u64 = 0
let seen1: u64 = 0
let seen2: u64 = 0
let seen3: u64 = 0

function isSeen(number: i32): bool {
  const bit = u64(1) << u64(number & 63)
  switch (number >> 6) {
    case 0: { const was = (seen0 & bit) != 0; seen0 |= bit; return was }
    case 1: { const was = (seen1 & bit) != 0; seen1 |= bit; return was }
    case 2: { const was = (seen2 & bit) != 0; seen2 |= bit; return was }
    default: { const was = (seen3 & bit) != 0; seen3 |= bit; return was }
  }
}

let found: i32 = 0

/**
 * From the opening quote of a key to where its value begins, and where the key stands in its table (in `found`). Keys
 * come in the same order line after line, so the one that came here the last time is looked for first (`guessed`).
 */
function takeKey(table: i32, at: i32, guessed: i32): i32 {
  if (load<u8>(at) != 0x22) return 0
  const guess = load<i32>(guessed)
  if (guess != 0) {
    const length = load<i32>(guess, 16)
    if (load<u16>(at + 1 + length) == 0x3a22 && isSame(load<i32>(guess, 12), at + 1, length)) {
      found = guess
      return at + length + 3
    }
  }
  const end = endOfString(at + 1)
  if (end == 0 || sawEscape || load<u8>(end, 1) != 0x3a) return 0
  found = findKey(table, at + 1, end - at - 1)
  if (found != 0) store<i32>(guessed, found)
  return end + 2
}

/** Where the guess stands for the key behind the one that was found. */
function nextGuess(table: i32): i32 {
  return found == 0 ? otherKeys + table * 4 : found + KEY_NEXT
}

/** Behind the closing brace for 1, at the next key for 2; 0 when it is neither. */
let after: i32 = 0
function nextKey(at: i32): i32 {
  const byte = load<u8>(at)
  after = at + 1
  return byte == 0x2c ? 2 : byte == 0x7d ? 1 : 0
}

/** Names repeat line after line: the one that came here the last time (`guessed`) is looked for first. */
function takeName(at: i32, place: i32, guessed: i32): i32 {
  if (isNull(at)) return at + 4
  if (load<u8>(at) != 0x22) return 0
  const guess = load<i32>(guessed) - 1
  if (guess >= 0) {
    const kept = names + guess * 12
    const length = load<i32>(kept, 8)
    if (load<u8>(at + 1 + length) == 0x22 && isSame(load<i32>(kept, 4), at + 1, length)) {
      store<i32>(place, guess)
      return at + length + 2
    }
  }
  const end = endOfString(at + 1)
  if (end == 0) return 0
  const length = end - at - 1
  const name = nameOf(at + 1, length)
  if (name < 0) return 0
  store<i32>(place, name)
  // Of others than these the walk over them has told something about the line.
  if (!sawEscape && sawOther == 0 && length <= GUESSED_MAX) store<i32>(guessed, name + 1)
  return end + 1
}

function takeId(at: i32, place: i32): i32 {
  if (isNull(at)) return at + 4
  if (load<u8>(at) != 0x22) return 0
  const end = endOfString(at + 1)
  const length = end - at - 1
  if (end == 0 || sawEscape || sawOther != 0 || length > ID_BYTES_MAX || idsUsed + length > IDS_BYTES) return 0
  memory.copy(ids + idsUsed, at + 1, length)
  store<i32>(place, idsUsed)
  store<i32>(place, length, 4)
  idsUsed += length
  return end + 1
}

/** A whole number that is not negative and fits. */
let whole: i32 = 0
function takeWhole(at: i32): i32 {
  const end = endOfNumber(at)
  if (end == 0 || end - at > 9 || load<u8>(at) == 0x2d) return 0
  whole = 0
  for (let digit = at; digit < end; digit++) {
    if (!isDigit(digit)) return 0
    whole = whole * 10 + (i32(load<u8>(digit)) - 0x30)
  }
  return end
}

function twoDigits(at: i32): i32 {
  const tens = i32(load<u8>(at)) - 0x30
  const ones = i32(load<u8>(at, 1)) - 0x30
  return u32(tens) < 10 && u32(ones) < 10 ? tens * 10 + ones : 1000
}

/** `2026-11-15T18:16:07.087Z` and nothing else. */
function takeTime(at: i32): i32 {
  if (load<u8>(at) != 0x22 || load<u8>(at, 25) != 0x22) return 0
  const t = at + 1
  if (load<u8>(t, 4) != 0x2d || load<u8>(t, 7) != 0x2d || load<u8>(t, 10) != 0x54) return 0
  if (load<u8>(t, 13) != 0x3a || load<u8>(t, 16) != 0x3a || load<u8>(t, 19) != 0x2e || load<u8>(t, 23) != 0x5a) return 0
  const century = twoDigits(t)
  const years = twoDigits(t + 2)
  const month = twoDigits(t + 5)
  const day = twoDigits(t + 8)
  const hours = twoDigits(t + 11)
  const minutes = twoDigits(t + 14)
  const seconds = twoDigits(t + 17)
  const hundredths = twoDigits(t + 20)
  const last = i32(load<u8>(t, 22)) - 0x30
  // The last days of a month depend on the year; a Date knows, the exact way asks it.
  if (century < 19 || century > 29 || years > 99 || month < 1 || month > 12 || day < 1 || day > 31) return 0
  if (day > 28 && (month == 2 || (day == 31 && (month == 4 || month == 6 || month == 9 || month == 11)))) return 0
  if (hours > 23 || minutes > 59 || seconds > 59 || hundredths > 99 || u32(last) > 9) return 0
  const year = century * 100 + years - (month <= 2 ? 1 : 0)
  const era = year / 400
  const yearOfEra = year - era * 400
  const dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  const dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  const days = era * 146097 + dayOfEra - 719468
  if (days < 0) return 0
  store<i32>(sketch, days, TIME_DAY * 4)
  store<i32>(sketch, ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10 + last, TIME_MS * 4)
  return at + 26
}

/** True, false or null: sets a flag of the sketch. */
function takeFlag(at: i32, flag: i32): i32 {
  if (isTrue(at)) {
    flags |= flag
    return at + 4
  }
  return isFalse(at) ? at + 5 : isNull(at) ? at + 4 : 0
}

/** The keys that matter have numbers of their own; all others of an object may come as they like. */
function endOfKnown(table: i32, from: i32): i32 {
  if (load<u8>(from) != 0x7b) return 0
  if (load<u8>(from, 1) == 0x7d) return from + 2
  let at = from + 1
  let seen: u64 = 0
  let guess = firstKeys + table * 4
  while (true) {
    const value = takeKey(table, at, guess)
    if (value == 0) return 0
    guess = nextGuess(table)
    let end: i32
    if (found == 0) end = endOfValue(value)
    else {
      const bit = u64(1) << u64(load<i32>(found, 4))
      if ((seen & bit) != 0) return 0
      seen |= bit
      end = takeKnown(load<i32>(found, 8), value)
    }
    if (end == 0) return 0
    const next = nextKey(end)
    if (next == 1) return after
    if (next == 0) return 0
    at = after
  }
}

/** Of the objects inside a record. */
function takeKnown(what: i32, at: i32): i32 {
  if (what < NAME_SESSION) return takeId(at, sketch + what * 4)
  if (what < TIME_DAY) return takeName(at, sketch + what * 4, lastNames + what * 4)
  switch (what) {
    case DO_CONTENT:
      hasContent = true
      return load<u8>(at) == 0x22 ? takePlainContent(at) : takeBlocks(at)
    case DO_USAGE:
      if (isNull(at)) return at + 4
      store<i32>(sketch, 1, TOKENS * 4)
      return endOfKnown(TABLE_USAGE, at)
    case DO_WRITES:
      return isNull(at) ? at + 4 : endOfKnown(TABLE_WRITES, at)
    case DO_SPEED:
      return takeRate(at, 0x74736166, 4, RATE_FAST, 0, 0)
    case DO_GEO:
      return takeRate(at, 0x7375, 2, RATE_US, 0, 0)
    case DO_TIER:
      return takeRate(at, 0x68637461, 5, RATE_BATCH, 8, RATE_PRIORITY)
    case DO_ORIGIN_KIND:
      return takeMark(at, MARK_HUMAN, -1)
    case DO_PART_KIND:
      return takePartKind(at)
    case DO_PART_TEXT:
      return takePartText(at)
  }
  if (what < DO_TOKENS) return takeOfBlock(what, at)
  // One of the five numbers of tokens.
  if (isNull(at)) return at + 4
  const end = takeWhole(at)
  if (end != 0) store<i32>(sketch + (what - DO_TOKENS) * 4, whole)
  return end
}

/** A text that is one of a few: told by its length and how it begins ("batch" by "atch"), and then for certain by the exact way. */
function takeRate(at: i32, word: u32, length: i32, rate: i32, otherLength: i32, otherRate: i32): i32 {
  if (isNull(at)) return at + 4
  if (load<u8>(at) != 0x22) return endOfValue(at)
  const end = endOfString(at + 1)
  if (end == 0 || sawEscape) return 0
  const size = end - at - 1
  if (size == length) {
    const said = size == 2 ? u32(load<u16>(at, 1)) : size == 4 ? load<u32>(at, 1) : load<u32>(at, 2)
    if (said == word && (size != 5 || load<u8>(at, 1) == 0x62)) addRate(rate)
  } else if (otherLength != 0 && size == otherLength && load<u64>(at, 1) == 0x797469726f697270) addRate(otherRate)
  return end + 1
}

function addRate(rate: i32): void {
  store<i32>(sketch, load<i32>(sketch, RATES * 4) | rate, RATES * 4)
}

// ---- Blocks of a message

function takeBlocks(from: i32): i32 {
  if (load<u8>(from) != 0x5b) return 0
  if (load<u8>(from, 1) == 0x5d) return from + 2
  let at = from + 1
  while (true) {
    const end = takeBlock(at)
    if (end == 0) return 0
    const byte = load<u8>(end)
    if (byte == 0x5d) return end + 1
    if (byte != 0x2c) return 0
    at = end + 1
  }
}

/** As if it were one Block of text. */
function takePlainContent(at: i32): i32 {
  if (blockCount == BLOCKS_MAX) return 0
  hasPlainContent = true
  openBlock()
  blockFlags = BLOCK_HAS_TEXT
  store<i32>(block, KIND_TEXT, BLOCK_KIND * 4)
  const end = takeText(at)
  store<i32>(block, blockFlags, BLOCK_FLAGS * 4)
  return end
}

let block: i32 = 0
let blockFlags: i32 = 0

function openBlock(): void {
  block = blocks + blockCount * BLOCK_NUMBERS * 4
  blockCount++
  v128.store(block, i32x4.splat(-1))
  v128.store(block, i32x4.splat(-1), 16)
  store<i64>(block, -1, 32)
  blockFlags = 0
}

function takeBlock(from: i32): i32 {
  if (load<u8>(from) != 0x7b || load<u8>(from, 1) == 0x7d || blockCount == BLOCKS_MAX) return 0
  openBlock()
  const end = endOfKnown(TABLE_BLOCK, from)
  if (end == 0) return 0
  const kind = load<i32>(block, BLOCK_KIND * 4)
  if (kind < 0 || kind >= knownKinds) return 0
  const isResult = kind == KIND_RESULT
  const spoken = blockFlags & (BLOCK_HAS_TEXT | BLOCK_HAS_THINKING | BLOCK_HAS_INPUT)
  // A Block is one thing: text, thought, call or result. What is two things is not for us.
  if ((spoken & (spoken - 1)) != 0) return 0
  if ((blockFlags & BLOCK_HAS_INPUT) != 0) {
    if (load<i32>(block, BLOCK_NAME * 4) < 0 || (blockFlags & OWN_ID) == 0) return 0
  } else if (load<i32>(block, BLOCK_NAME * 4) >= 0) return 0
  if ((spoken & (BLOCK_HAS_INPUT | BLOCK_HAS_THINKING)) != 0) hasOtherBlock = true
  if (isResult) {
    if (spoken != 0 || (blockFlags & CALL_ID) == 0) return 0
    hasResult = true
  } else if ((blockFlags & BLOCK_HAS_CONTENT) != 0) return 0
  if ((kind == KIND_CALL) != ((blockFlags & BLOCK_HAS_INPUT) != 0)) return 0
  store<i32>(block, blockFlags, BLOCK_FLAGS * 4)
  return end
}

/** Where the id of a Block came from. */
const OWN_ID: i32 = 1 << 16
const CALL_ID: i32 = 1 << 17

/** The first names are those of the kinds that mean something here. */
const KIND_RESULT: i32 = 0
const KIND_CALL: i32 = 1
const KIND_TEXT: i32 = 2

function takeOfBlock(what: i32, at: i32): i32 {
  switch (what) {
    case DO_KIND:
      return load<u8>(at) == 0x22 ? takeName(at, block + BLOCK_KIND * 4, lastNames + BLOCK_KIND * 4) : 0
    case DO_TEXT:
      blockFlags |= BLOCK_HAS_TEXT
      return takeText(at)
    case DO_THINKING:
      blockFlags |= BLOCK_HAS_THINKING
      return takeText(at)
    case DO_RESULT_TEXT:
      blockFlags |= BLOCK_HAS_CONTENT
      return load<u8>(at) == 0x22 ? takeResultText(at) : takeParts(at)
    case DO_INPUT: {
      const end = endOfValue(at)
      blockFlags |= BLOCK_HAS_INPUT
      store<i32>(block, at - input, BLOCK_INPUT * 4)
      store<i32>(block, end - at, BLOCK_INPUT_LENGTH * 4)
      return end
    }
    case DO_ERROR:
      if (isTrue(at)) {
        blockFlags |= BLOCK_IS_ERROR
        return at + 4
      }
      return isFalse(at) ? at + 5 : isNull(at) ? at + 4 : 0
    case DO_BLOCK_ID:
      return takeBlockId(at, OWN_ID)
    case DO_CALL_ID:
      return takeBlockId(at, CALL_ID)
    case DO_BLOCK_NAME:
      return load<u8>(at) == 0x22 ? takeName(at, block + BLOCK_NAME * 4, lastNames + BLOCK_NAME * 4) : 0
    default:
      return 0
  }
}

function takeBlockId(at: i32, whose: i32): i32 {
  if (load<u8>(at) != 0x22 || load<i32>(block, BLOCK_ID * 4) >= 0) return 0
  blockFlags |= whose
  return takeId(at, block + BLOCK_ID * 4)
}

/** One text a Block. */
function takeText(at: i32): i32 {
  if (load<u8>(at) != 0x22 || load<i32>(block, BLOCK_TEXT * 4) >= 0) return 0
  const from = textsUsed
  const end = takeString(at + 1)
  if (end == 0) return 0
  if (sawOther != 0) blockFlags |= BLOCK_OTHER_THAN_ASCII
  store<i32>(block, from, BLOCK_TEXT * 4)
  store<i32>(block, textsUsed - from, BLOCK_TEXT_LENGTH * 4)
  return end + 1
}

function takeResultText(at: i32): i32 {
  const end = takeText(at)
  if (end != 0) lookForAgent(load<i32>(block, BLOCK_TEXT * 4))
  return end
}

/** A result in parts: their texts in lines of their own, and of a part without one its kind in brackets. */
function takeParts(from: i32): i32 {
  if (isNull(from)) return from + 4
  if (load<u8>(from) != 0x5b || load<i32>(block, BLOCK_TEXT * 4) >= 0) return 0
  const start = textsUsed
  let at = from + 1
  if (load<u8>(at) != 0x5d) {
    while (true) {
      if (textsUsed > start) store<u8>(texts + textsUsed++, 10)
      else if (at > from + 1) return 0
      at = takePart(at)
      if (at == 0) return 0
      const byte = load<u8>(at)
      if (byte == 0x5d) break
      if (byte != 0x2c) return 0
      at++
    }
  }
  store<i32>(block, start, BLOCK_TEXT * 4)
  store<i32>(block, textsUsed - start, BLOCK_TEXT_LENGTH * 4)
  return at + 1
}

let partKind: i32 = 0
let partHasText: bool = false

function takePart(from: i32): i32 {
  const start = textsUsed
  partHasText = false
  partKind = -1
  const end = endOfKnown(TABLE_PART, from)
  if (end == 0 || partKind < 0 || partKind >= knownKinds) return 0
  if (partHasText) lookForAgent(start)
  else {
    const length = nameLength(partKind)
    store<u8>(texts + textsUsed, 0x5b)
    memory.copy(texts + textsUsed + 1, nameAt(partKind), length)
    store<u8>(texts + textsUsed + 1 + length, 0x5d)
    textsUsed += length + 2
  }
  return end
}

function takePartKind(at: i32): i32 {
  if (load<u8>(at) != 0x22) return 0
  const end = endOfString(at + 1)
  if (end == 0) return 0
  partKind = nameOf(at + 1, end - at - 1)
  return partKind < 0 ? 0 : end + 1
}

function takePartText(at: i32): i32 {
  if (load<u8>(at) != 0x22) return 0
  const end = takeString(at + 1)
  if (end == 0) return 0
  if (sawOther != 0) blockFlags |= BLOCK_OTHER_THAN_ASCII
  partHasText = true
  return end + 1
}

const AGENT_TAIL: i32 = 1600
const BOUNDARY_NAMES: i32 = 2
const SPECIAL_NAMES: i32 = 3

/** Old clients say which subagent ran only in the text of its result, near the end: the exact way reads those. */
function lookForAgent(from: i32): void {
  const end = texts + textsUsed
  let at = max(texts + from, end - AGENT_TAIL)
  while (at < end) {
    const one = i8x16.eq(v128.load(at), i8x16.splat(0x61))
    const two = i8x16.eq(v128.load(at, 5), i8x16.splat(0x49))
    const three = i8x16.eq(v128.load(at, 7), i8x16.splat(0x3a))
    if (i8x16.bitmask(v128.and(v128.and(one, two), three)) != 0) {
      mayNameAgent = true
      return
    }
    at += 16
  }
}

// ---- a record

function takeRecord(from: i32): i32 {
  if (load<u8>(from) != 0x7b) return 0
  // Four at a time: none of what a line may not have, and of its tokens nothing. Its first numbers are set at its end.
  for (let number = 0; number < TOKENS; number += 4) v128.store(sketch + number * 4, i32x4.splat(-1))
  for (let number = TOKENS; number < SKETCH_NUMBERS; number += 4) v128.store(sketch + number * 4, i32x4.splat(0))
  flags = 0
  kindHeld = NOT_SURE
  hasResult = false
  hasMessage = false
  hasProgress = false
  hasContent = false
  hasToolResult = false
  mayNameAgent = false
  isSystemStrange = false
  hasSubtype = false
  hasOtherBlock = false
  hasSnapshotOf = false
  hasPlainContent = false
  isMarked = false
  hasAttachment = false
  store<i32>(sketch, -1, TEXT * 4)
  store<i32>(sketch, -1, NAME_TYPE * 4)
  store<i32>(sketch, -1, (ID_PROMPT + 1) * 4)
  seen0 = 0
  seen1 = 0
  seen2 = 0
  seen3 = 0
  const firstBlock = blockCount
  store<i32>(sketch, firstBlock, FIRST_BLOCK * 4)
  let at = from + 1
  let guess = firstKeys + TABLE_RECORD * 4
  while (true) {
    const value = takeKey(TABLE_RECORD, at, guess)
    // A key that nobody has met before is for the exact way to count.
    if (value == 0 || found == 0 || isSeen(load<i32>(found, 4))) return 0
    guess = nextGuess(TABLE_RECORD)
    const end = takeOfRecord(load<i32>(found, 8), value)
    if (end == 0) return 0
    const next = nextKey(end)
    if (next == 0) return 0
    at = after
    if (next == 1) break
  }
  store<i32>(sketch, blockCount - firstBlock, BLOCK_COUNT * 4)
  store<i32>(sketch, flags, SKETCH_FLAGS * 4)
  return at
}

function takeOfRecord(what: i32, at: i32): i32 {
  if (what < NAME_SESSION) return takeId(at, sketch + what * 4)
  if (what < TIME_DAY) return takeName(at, sketch + what * 4, lastNames + what * 4)
  switch (what) {
    case DO_SKIP:
      return endOfValue(at)
    case DO_TYPE:
      return takeType(at)
    case DO_TIME:
      return takeTime(at)
    case DO_SIDECHAIN:
      return takeFlag(at, FLAG_SIDECHAIN)
    case DO_META:
      return takeFlag(at, FLAG_META)
    case DO_TEAM: {
      if (isNull(at)) return at + 4
      if (load<u8>(at) != 0x22) return 0
      const end = endOfString(at + 1)
      flags |= FLAG_TEAM
      return end == 0 ? 0 : end + 1
    }
    case DO_BLOCK_INDEX: {
      const end = takeWhole(at)
      if (end != 0) store<i32>(sketch, whole, BLOCK_INDEX * 4)
      return end
    }
    case DO_MESSAGE:
      hasMessage = true
      return kindHeld == METADATA ? endOfValue(at) : endOfKnown(TABLE_MESSAGE, at)
    case DO_RESULT:
      hasToolResult = true
      return load<u8>(at) == 0x7b ? endOfKnown(TABLE_RESULT, at) : endOfValue(at)
    case DO_PROGRESS:
      hasProgress = true
      return endOfKnown(TABLE_PROGRESS, at)
    case DO_FORK:
      flags |= FLAG_FORK
      return endOfKnown(TABLE_FORK, at)
    case DO_FALSE:
      return isFalse(at) ? at + 5 : 0
    case DO_OWN_TEXT: {
      if (isNull(at)) return at + 4
      if (load<u8>(at) != 0x22) return 0
      const from = textsUsed
      const end = takeString(at + 1)
      if (end == 0) return 0
      if (sawOther != 0) flags |= FLAG_TEXT_OTHER
      store<i32>(sketch, from, TEXT * 4)
      store<i32>(sketch, textsUsed - from, TEXT_LENGTH * 4)
      return end + 1
    }
    case DO_SNAPSHOT_OF:
      hasSnapshotOf = load<u8>(at) == 0x22
      return hasSnapshotOf ? takeId(at, sketch + ID_MESSAGE * 4) : 0
    case DO_SUBTYPE:
      hasSubtype = true
      return takeName(at, sketch + NAME_SUBTYPE * 4, lastNames + NAME_SUBTYPE * 4)
    case DO_PROMPT_ID:
      return takeId(at, sketch + ID_PROMPT * 4)
    case DO_PROMPT_MARK:
      isMarked = true
      return endOfValue(at)
    case DO_PROMPT_SOURCE:
      return takeMark(at, MARK_TYPED, MARK_SYSTEM)
    case DO_TURN_ORIGIN:
      return takeMark(at, 0, MARK_TASK)
    case DO_ORIGIN:
      if (load<u8>(at) == 0x7b) return endOfKnown(TABLE_ORIGIN, at)
      isMarked = true
      return endOfValue(at)
    case DO_ATTACHMENT: {
      hasAttachment = true
      const end = endOfKnown(TABLE_ATTACHMENT, at)
      store<i32>(sketch, at - input, ATTACHED * 4)
      store<i32>(sketch, end - at, ATTACHED_LENGTH * 4)
      return end
    }
    case DO_NO_SYSTEM:
      isSystemStrange = true
      return endOfValue(at)
    default:
      return 0
  }
}

function takeType(at: i32): i32 {
  if (load<u8>(at) != 0x22) return 0
  const t = at + 1
  if (load<u32>(t) == 0x72657375 && load<u8>(t, 4) == 0x22) {
    kindHeld = RESULT
    return t + 5
  }
  if (load<u64>(t) == 0x6e61747369737361 && load<u8>(t, 8) == 0x74 && load<u8>(t, 9) == 0x22) {
    kindHeld = REPLY
    return t + 10
  }
  if (load<u32>(t) == 0x74737973 && load<u16>(t, 4) == 0x6d65 && load<u8>(t, 6) == 0x22) {
    kindHeld = SYSTEM
    return t + 7
  }
  // file-history-snapshot
  if (
    load<u64>(t) == 0x7369682d656c6966 && load<u64>(t, 8) == 0x616e732d79726f74 && load<u32>(t, 16) == 0x6f687370 &&
    load<u16>(t, 20) == 0x2274
  ) {
    kindHeld = SNAPSHOT
    return t + 22
  }
  if (load<u64>(t) == 0x73736572676f7270 && load<u8>(t, 8) == 0x22) {
    kindHeld = PROGRESS
    return t + 9
  }
  return takeOtherType(at)
}

/** One of the types of which several are a kind: which it is goes into the sketch. */
function takeOtherType(at: i32): i32 {
  const end = endOfString(at + 1)
  if (end == 0 || sawEscape) return 0
  const known = findKey(TABLE_TYPE, at + 1, end - at - 1)
  if (known == 0) return 0
  kindHeld = load<i32>(known, 8)
  const name = nameOf(at + 1, end - at - 1)
  store<i32>(sketch, name, NAME_TYPE * 4)
  return name < 0 ? 0 : end + 1
}

/**
 * What the client says about who wrote a user's record: `human` that a human did, `other` that somebody else did, or any
 * other text where that is -1. All else says nothing.
 */
function takeMark(at: i32, human: i32, other: i32): i32 {
  if (load<u8>(at) != 0x22) {
    isMarked = true
    return endOfValue(at)
  }
  const end = endOfString(at + 1)
  if (end == 0) return 0
  const known = sawEscape ? 0 : findKey(TABLE_MARK, at + 1, end - at - 1)
  const mark = known == 0 ? 0 : load<i32>(known, 8)
  if (mark != 0 && mark == human) flags |= FLAG_BY_HUMAN
  else if (sawEscape || mark == other || other == -1) isMarked = true
  return end + 1
}

function isSure(): bool {
  if (kindHeld == METADATA) return true
  if (kindHeld == ATTACHMENT) return hasAttachment && !hasProgress && !hasSubtype && !isSpecial(BOUNDARY_NAMES, SPECIAL_NAMES)
  // What a message says may stand in it.
  if (hasAttachment) return false
  // What a result and what a progress say about a subagent goes to the same place.
  if (kindHeld == PROGRESS) return hasProgress && !hasToolResult && !hasSubtype
  if (hasProgress) return false
  if (kindHeld == SNAPSHOT) return hasSnapshotOf && !hasMessage
  if (hasSnapshotOf) return false
  if (kindHeld == SYSTEM) return !isSystemStrange && !hasMessage && !isSpecial(0, BOUNDARY_NAMES)
  if (kindHeld == REPLY) return hasMessage && hasContent && !hasPlainContent
  // A user's record with calls or thoughts in it is somebody's own making.
  if (kindHeld != RESULT || !hasMessage || hasOtherBlock) return false
  if (hasResult) return !mayNameAgent || load<i32>(sketch, (ID_SPAWNED + 1) * 4) >= 0
  if (!isPrompt()) return false
  kindHeld = PROMPT
  return true
}

/**
 * A user's record that nothing marks as anybody else's, and that does not begin like something a harness writes
 * (record/authorship.ts). Where it may, the exact way decides.
 */
function isPrompt(): bool {
  if (hasToolResult || isMarked || (flags & FLAG_META) != 0 || load<i32>(sketch, TEXT * 4) >= 0) return false
  if (load<i32>(sketch, BLOCK_COUNT * 4) == 0) return false
  const first = blocks + load<i32>(sketch, FIRST_BLOCK * 4) * BLOCK_NUMBERS * 4
  const from = load<i32>(first, BLOCK_TEXT * 4)
  // What begins with a picture is a person's, whatever it says.
  if (from < 0) return true
  const end = texts + from + load<i32>(first, BLOCK_TEXT_LENGTH * 4)
  let at = texts + from
  while (at < end && (load<u8>(at) == 0x20 || u32(load<u8>(at)) - 9 < 5)) at++
  // It may be nothing but white space, also such as is outside of ASCII.
  if (at == end) return false
  const lead = load<u8>(at)
  if (lead <= 0x20 || lead >= 0x80 || lead == 0x3c || lead == 0x5b) return false
  const said = load<u64>(at)
  return said != THIS_SESSION && said != CAVEAT && said != UNKNOWN && said != OPERATION && said != STOP_HOOK
}

/** `This ses`, `Caveat: `, `Unknown `, `Operatio` and `Stop hoo`. */
const THIS_SESSION: u64 = 0x7365732073696854
const CAVEAT: u64 = 0x203a746165766143
const UNKNOWN: u64 = 0x206e776f6e6b6e55
const OPERATION: u64 = 0x6f6974617265704f
const STOP_HOOK: u64 = 0x6f6f6820706f7453

/** The names behind the kinds are those of subtypes with rules of their own. Written with escapes it may be one too. */
function isSpecial(from: i32, until: i32): bool {
  const subtype = load<i32>(sketch, NAME_SUBTYPE * 4)
  if (subtype < 0) return false
  if (subtype >= knownKinds + from && subtype < knownKinds + until) return true
  const written = nameAt(subtype)
  const end = written + nameLength(subtype)
  for (let at = written; at < end; at++) if (load<u8>(at) == 0x5c) return true
  return false
}

/** Most ids of a record stand in it twice, or in the one before it as well, and whoever makes texts of them need not make them twice. */
function compareIds(): void {
  let same = load<i32>(sketch, SKETCH_FLAGS * 4)
  if (isSameId(sketch + ID_SOURCE_ASSISTANT * 4, sketch + ID_PARENT * 4)) same |= FLAG_SAME_SOURCE
  store<i32>(sketch, same, SKETCH_FLAGS * 4)
  if (before == 0) return
  if (isSameId(sketch + ID_PARENT * 4, before + ID_UUID * 4)) same |= FLAG_SAME_PARENT
  if (load<i32>(before, SKETCH_KIND * 4) == kindHeld && isSameId(sketch + ID_MESSAGE * 4, before + ID_MESSAGE * 4)) same |= FLAG_SAME_MESSAGE
  if (isSameId(sketch + ID_REQUEST * 4, before + ID_REQUEST * 4)) same |= FLAG_SAME_REQUEST
  store<i32>(sketch, same, SKETCH_FLAGS * 4)
}

function isSameId(one: i32, other: i32): bool {
  const length = load<i32>(one, 4)
  if (length <= 0 || length != load<i32>(other, 4)) return false
  return isSame(ids + load<i32>(one), ids + load<i32>(other), length)
}

function lineEnd(from: i32, end: i32): i32 {
  let at = from
  while (at < end) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(10)))
    if (mask != 0) return at + ctz(mask)
    at += 16
  }
  return end
}

/** Whole lines from `from` to `end`, each with its 0x0A. Gives how many sketches there are; `scanned` says up to where. */
export function scan(from: i32, end: i32): i32 {
  let count: i32 = 0
  let at = from
  idsUsed = 0
  textsUsed = 0
  blockCount = 0
  before = 0
  while (at < end && count < SKETCHES_MAX && idsUsed < IDS_BYTES - 65536 && blockCount < BLOCKS_MAX - 256) {
    sketch = sketches + count * SKETCH_NUMBERS * 4
    const idsBefore = idsUsed
    const textsBefore = textsUsed
    const blocksBefore = blockCount
    let to = takeRecord(at)
    if (to != 0 && load<u8>(to) == 10 && to < end && isSure()) {
      store<i32>(sketch, kindHeld, SKETCH_KIND * 4)
      compareIds()
      before = sketch
    } else {
      before = 0
      store<i32>(sketch, NOT_SURE, SKETCH_KIND * 4)
      idsUsed = idsBefore
      textsUsed = textsBefore
      blockCount = blocksBefore
      to = lineEnd(at, end)
    }
    store<i32>(sketch, at - input, SKETCH_START * 4)
    store<i32>(sketch, to - input, SKETCH_END * 4)
    at = to + 1
    count++
  }
  scannedTo = at
  return count
}
