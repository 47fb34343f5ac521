// Docs → segments of the word index: what the tokenizer of FTS5 and its table in memory make of texts, and the pages it
// would write of them, to the byte. Which characters belong to words and what they are folded to is told from outside.
// Names in brackets are those of fts5_index.c and its like in SQLite.

import { hashOf, isSame } from './bytes'
import { writeTerms } from './segment'
import { putVarint, varintLength } from './varint'
import {
  COLUMN, COLUMNS, DATA, DATA_LENGTH, firstBytes, freed, HASH, LENGTH, letters, LONG, numbers, plain, POSITION, ROOM, ROWID,
  SHORT, SHORT_BYTES, SIZE_AT, SLOTS_MAX, SLOTS_MIN, slots, TABLES, taken, TAKEN, TAKEN_BYTES, TAKEN_COLUMN,
  TAKEN_HASH, TAKEN_LENGTH, TAKEN_MAX, TAKEN_POSITION, TAKEN_ROWID, TAKEN_WORD, totals, unknown, UNKNOWN_MAX, WORD,
  WORD_BYTES, word, words, WORDS_MAX,
} from './word-layout'

/** What a character is, in the lowest two bits of its letter. */
const SEPARATOR: u32 = 1
const LETTER: u32 = 2
const MARK: u32 = 3
/** A byte that others belong to. */
const LEAD: u32 = 0xff
/** Before every word: that it is in the index proper, not in one of prefixes [FTS5_MAIN_PREFIX]. */
const MAIN: u8 = 0x30

/** Of a doc: two numbers of no concern here, then how long each of its fields is, the three of one table first. */
const NUMBERS: i32 = 9
const FIRST_FIELD: i32 = 2
const FIRST_COLUMNS: i32 = 3

/** The most that is added at once: a doc, a size, a column, a position. */
const ENTRY_BYTES: i32 = 5 + 4 + 2 + 5
/** As a power of two. */
const FIRST_ROOM: u8 = 5

/** Per row of a table: its number, how long what follows is, and how many words each column has. */
const SIZE: i32 = 32
const SIZE_LENGTH: i32 = 4
const SIZE_BYTES: i32 = 8

let sizes: i32 = 0
let sizesOfTable: i32 = 0
let texts: i32 = 0
let arena: i32 = 0
let arenaUsed: i32 = 0
let wordCount: i32 = 0

/** For so many docs with so many bytes of text. Nothing may be gathered. Gives where their numbers go. */
export function makeRoom(docs: i32, bytes: i32): i32 {
  sizes = (numbers + docs * NUMBERS * 4 + 63) & ~63
  sizesOfTable = docs * SIZE
  texts = sizes + TABLES * sizesOfTable
  arena = (texts + bytes + 127) & ~63
  arenaUsed = arena
  reach(arena)
  return numbers
}

export function textsAt(): i32 {
  return texts
}

/** Bytes of memory that what was gathered takes. */
export function gathered(): i32 {
  return arenaUsed - arena + wordCount * WORD
}

export function rowsOf(table: i32): i32 {
  return i32(load<i64>(totals + table * (1 + COLUMNS) * 8))
}

/** Of the docs that were added last. */
export function sizesAt(table: i32): i32 {
  return sizes + table * sizesOfTable
}

let saidSizes: i32 = 0
let doneSizes: i32 = 0

export function sizeCount(table: i32): i32 {
  return table == 0 ? saidSizes : doneSizes
}

export function wordsOf(table: i32, column: i32): f64 {
  return f64(load<i64>(totals + (table * (1 + COLUMNS) + 1 + column) * 8))
}

function reach(end: i32): void {
  const missing = ((end + 65535) >>> 16) - memory.size()
  // Sixteen megabytes at a time, of which the system gives what is used: whenever it grows, V8 looks through its whole heap.
  if (missing > 0) memory.grow(max(missing, 256))
}

// ---- letters

/** `fold` is 0 for nothing. */
export function setLetter(code: i32, kind: u32, fold: u32): void {
  store<u32>(letters + code * 4, kind | (fold << 2))
  if (code < 0x80) store<u8>(plain + code, kind == LETTER ? fold : 0)
  memory.fill(plain + 0x80, 0xff, 0x80)
}

/** Characters of the texts that nothing is known about, each once, at most so many as there is room for. */
export function unknownLetters(length: i32): i32 {
  const end = texts + length
  let count = 0
  let at = texts
  while (at < end) {
    while (at + 16 <= end && i8x16.bitmask(v128.load(at)) == 0) at += 16
    while (at < end && load<u8>(at) < 0x80) at++
    while (at < end && load<u8>(at) >= 0x80) {
      const code = codeAt(at)
      if (load<u32>(letters + code * 4) == 0) {
        if (count == UNKNOWN_MAX) return count
        store<i32>(unknown + count++ * 4, code)
        store<u32>(letters + code * 4, SEPARATOR)
      }
      at += bytesOf(load<u8>(at))
    }
  }
  return count
}

export function unknownAt(): i32 {
  return unknown
}

function bytesOf(lead: u8): i32 {
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** Texts are UTF-8 without faults: they were strings before. */
function codeAt(at: i32): i32 {
  const lead: i32 = load<u8>(at)
  const one: i32 = load<u8>(at, 1) & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | one
  const two: i32 = load<u8>(at, 2) & 0x3f
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (one << 6) | two
  return ((lead & 0x07) << 18) | (one << 12) | (two << 6) | (load<u8>(at, 3) & 0x3f)
}

/** Gives where it ends. */
function putCode(at: i32, code: u32): i32 {
  if (code < 0x80) {
    store<u8>(at, code)
    return at + 1
  }
  if (code < 0x800) {
    store<u8>(at, 0xc0 | (code >> 6))
    store<u8>(at, 0x80 | (code & 0x3f), 1)
    return at + 2
  }
  if (code < 0x10000) {
    store<u8>(at, 0xe0 | (code >> 12))
    store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 1)
    store<u8>(at, 0x80 | (code & 0x3f), 2)
    return at + 3
  }
  store<u8>(at, 0xf0 | (code >> 18))
  store<u8>(at, 0x80 | ((code >> 12) & 0x3f), 1)
  store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 2)
  store<u8>(at, 0x80 | (code & 0x3f), 3)
  return at + 4
}

// ---- docs

/** Docs from one on, while there is room for a whole one and no more than so many bytes are gathered. Gives the first that
 * was not taken. */
export function addDocs(from: i32, to: i32, rowid: i32, textOffset: i32, most: i32): i32 {
  let at = texts + textOffset
  saidSizes = 0
  doneSizes = 0
  for (let doc = from; doc < to; doc++) {
    if (gathered() > most || wordCount > WORDS_MAX / 2 - TAKEN_MAX) {
      addTaken()
      nextText = at - texts
      return doc
    }
    const fields = numbers + (doc * NUMBERS + FIRST_FIELD) * 4
    at = addRow(0, rowid + doc - from, fields, FIRST_COLUMNS, at)
    at = addRow(1, rowid + doc - from, fields + FIRST_COLUMNS * 4, NUMBERS - FIRST_FIELD - FIRST_COLUMNS, at)
  }
  addTaken()
  nextText = at - texts
  return to
}

let nextText: i32 = 0

/** Where the texts begin of the first doc that was not taken. */
export function textOffset(): i32 {
  return nextText
}

/** Gives where its texts end. A doc without any in a table is no row of it. */
function addRow(table: i32, rowid: i32, fields: i32, columns: i32, from: i32): i32 {
  let at = from
  const row = sizesAt(table) + sizeCount(table) * SIZE
  let size = row + SIZE_BYTES
  const total = totals + table * (1 + COLUMNS) * 8
  for (let column = 0; column < columns; column++) {
    const end = at + load<i32>(fields + column * 4)
    const count = addText(table, rowid, column, at, end)
    size = putVarint(size, count)
    store<i64>(total + (1 + column) * 8, load<i64>(total + (1 + column) * 8) + i64(count))
    at = end
  }
  if (at == from) return at
  store<i64>(total, load<i64>(total) + 1)
  store<i32>(row, rowid)
  store<i32>(row, size - row - SIZE_BYTES, SIZE_LENGTH)
  if (table == 0) saidSizes++
  else doneSizes++
  return at
}

/** Gives how many words there are in it [fts5UnicodeTokenize]. */
function addText(table: i32, rowid: i32, column: i32, from: i32, end: i32): i32 {
  let count = 0
  let at = from
  while (true) {
    // What lies behind the end is looked at and does not count.
    let stops = lettersIn(v128.load(at))
    while (stops == 0) {
      at += 16
      if (at >= end) return count
      stops = lettersIn(v128.load(at))
    }
    at += ctz(stops)
    if (at >= end) return count
    if (load<u8>(at) >= 0x80) {
      const letter = load<u32>(letters + codeAt(at) * 4)
      if ((letter & 3) != LETTER) {
        at += bytesOf(load<u8>(at))
        continue
      }
    }
    at = takeWord(table, rowid, column, count, at, end)
    count++
  }
}

/** One bit for each of sixteen bytes: a letter or a digit, or a part of any other character. */
function lettersIn(bytes: v128): i32 {
  return i8x16.bitmask(v128.or(bytes, plainIn(bytes)))
}

/** All bits of each byte that is a letter or a digit. */
function plainIn(bytes: v128): v128 {
  const lower = v128.or(bytes, i8x16.splat(0x20))
  const letter = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26))
  const digit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10))
  return v128.or(letter, digit)
}

/** Digits have the bit already that makes letters small. */
function folded(bytes: v128): v128 {
  return v128.or(bytes, i8x16.splat(0x20))
}

/** The word that begins here; gives where it ends. */
function takeWord(table: i32, rowid: i32, column: i32, position: i32, from: i32, end: i32): i32 {
  if (takenCount == TAKEN_MAX) addTaken()
  const record = taken + takenCount * TAKEN
  store<i32>(record, (column << 1) | table, TAKEN_COLUMN)
  store<i32>(record, rowid, TAKEN_ROWID)
  store<i32>(record, position, TAKEN_POSITION)
  const bytes = v128.load(from)
  const length = ctz(~i8x16.bitmask(plainIn(bytes)))
  const at = from + length
  // Most words are short, and of plain letters alone.
  if (length < 15 && (at >= end || load<u8>(at) < 0x80)) {
    const kept = min(length, end - from)
    v128.store(record, v128.and(folded(bytes), v128.load(firstBytes + kept * 16)), TAKEN_BYTES + 1)
    store<u8>(record, MAIN, TAKEN_BYTES)
    store<u64>(record, 0, TAKEN_BYTES + 17)
    store<u64>(record, 0, TAKEN_BYTES + 24)
    store<i32>(record, kept + 1, TAKEN_LENGTH)
    takenCount++
    return from + kept
  }
  return takeLongWord(record, from, end)
}

function takeLongWord(record: i32, from: i32, end: i32): i32 {
  const room = word + 1 + WORD_BYTES
  let to = word + 1
  let at = from
  while (at < end) {
    const byte = load<u8>(at)
    const fold = load<u8>(plain + byte)
    if (fold == 0) break
    if (fold != LEAD) {
      if (to < room) store<u8>(to++, fold)
      at++
      continue
    }
    const letter = load<u32>(letters + codeAt(at) * 4)
    if ((letter & 3) != LETTER && (letter & 3) != MARK) break
    at += bytesOf(byte)
    if (letter > 3 && to < room) to = putCode(to, letter >> 2)
  }
  const length = min(to, room) - word
  v128.store(word + length, i8x16.splat(0))
  v128.store(word + length, i8x16.splat(0), 16)
  v128.store(record, v128.load(word), TAKEN_BYTES)
  v128.store(record, v128.load(word, 16), TAKEN_BYTES + 16)
  store<i32>(record, length, TAKEN_LENGTH)
  takenCount++
  // The rest of a very long one stands where the next one will.
  if (length > SHORT_BYTES) addTaken()
  return at
}

let takenCount: i32 = 0

/** Adds what was taken. Each loop asks memory for what the next one needs, for all of them, before anything waits for it. */
function addTaken(): void {
  const end = taken + takenCount * TAKEN
  for (let record = taken; record < end; record += TAKEN) {
    const hash = hashOfTaken(record)
    store<u32>(record, hash, TAKEN_HASH)
    store<u32>(record, load<u32>(slots + slotOf(hash) * 4), TAKEN_WORD)
  }
  for (let record = taken; record < end; record += TAKEN) {
    const found = load<u32>(record, TAKEN_WORD)
    const hash = load<u32>(record, TAKEN_HASH)
    const entry = words + (i32(found & NUMBER_MASK) - 1) * WORD
    const isFound = found != 0 && (found ^ hash) >> NUMBER_BITS == 0 && load<u32>(entry, HASH) == hash
    store<i32>(record, isFound ? entry : 0, TAKEN_WORD)
  }
  for (let record = taken; record < end; record += TAKEN) {
    const entry = load<i32>(record, TAKEN_WORD)
    if (entry != 0) touched += load<u8>(load<i32>(entry, DATA) + load<i32>(entry, DATA_LENGTH))
  }
  for (let record = taken; record < end; record += TAKEN) add(record)
  takenCount = 0
}

/** What was read so that it is near; nobody wants to know. */
let touched: i32 = 0

/** The same word stands in both tables, and not beside itself. */
function hashOfTaken(record: i32): u32 {
  const length = load<i32>(record, TAKEN_LENGTH)
  const table: u32 = load<u32>(record, TAKEN_COLUMN) & 1
  const hash = length > SHORT_BYTES ? hashOf(word, length) : hashOf(record + TAKEN_BYTES, length)
  return ((hash ^ (table * 0x9e3779b9)) & ~1) | table
}

/** [sqlite3Fts5HashWrite] */
function add(record: i32): void {
  const rowid = load<i32>(record, TAKEN_ROWID)
  const known = load<i32>(record, TAKEN_WORD)
  const entry = known != 0 && isThis(known, record) ? known : wordOf(record)
  const room = 1 << i32(load<u8>(entry, ROOM))
  if (room - load<i32>(entry, DATA_LENGTH) < ENTRY_BYTES) enlarge(entry)
  const data = load<i32>(entry, DATA)
  let at = data + load<i32>(entry, DATA_LENGTH)
  if (load<i32>(entry, ROWID) != rowid) {
    at = endSize(entry, data, at)
    at = putVarint(at, rowid - load<i32>(entry, ROWID))
    store<i32>(entry, rowid, ROWID)
    store<i32>(entry, at - data, SIZE_AT)
    at++
    store<u8>(entry, 0, COLUMN)
    store<i32>(entry, 0, POSITION)
  }
  const column = load<i32>(record, TAKEN_COLUMN) >> 1
  if (i32(load<u8>(entry, COLUMN)) != column) {
    store<u8>(at, 1)
    store<u8>(at, column, 1)
    at += 2
    store<u8>(entry, column, COLUMN)
    store<i32>(entry, 0, POSITION)
  }
  const position = load<i32>(record, TAKEN_POSITION)
  at = putVarint(at, position - load<i32>(entry, POSITION) + 2)
  store<i32>(entry, position, POSITION)
  store<i32>(entry, at - data, DATA_LENGTH)
}

/** Where it is kept; from now on, if it is new. */
function wordOf(record: i32): i32 {
  const hash = load<u32>(record, TAKEN_HASH)
  let slot = slotOf(hash)
  while (true) {
    const found = load<u32>(slots + slot * 4)
    if (found == 0) break
    // The highest bits of the hash stand before the number of the word: most others are told by them.
    if ((found ^ hash) >> NUMBER_BITS == 0) {
      const entry = words + (i32(found & NUMBER_MASK) - 1) * WORD
      if (load<u32>(entry, HASH) == hash && isThis(entry, record)) return entry
    }
    slot = (slot + 1) & slotMask
  }
  const entry = newWord(record, hash)
  store<u32>(slots + slot * 4, (hash & ~NUMBER_MASK) | wordCount)
  if (wordCount * 2 > slotMask && slotMask + 1 < SLOTS_MAX) moreSlots()
  return entry
}

/** A word has a number from 1 on. */
const NUMBER_BITS: u32 = 21
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1
let slotMask: i32 = SLOTS_MIN - 1

function slotOf(hash: u32): i32 {
  return i32(hash >> 1) & slotMask
}

function isThis(entry: i32, record: i32): bool {
  const length = load<i32>(record, TAKEN_LENGTH)
  if (i32(load<u16>(entry, LENGTH)) != length) return false
  const first = i8x16.eq(v128.load(entry, SHORT), v128.load(record, TAKEN_BYTES))
  const second = i8x16.eq(v128.load(entry, SHORT + 16), v128.load(record, TAKEN_BYTES + 16))
  if (!i8x16.all_true(v128.and(first, second))) return false
  return length <= SHORT_BYTES || isSame(load<i32>(entry, LONG), word, length)
}

function newWord(record: i32, hash: u32): i32 {
  const entry = words + wordCount++ * WORD
  const length = load<i32>(record, TAKEN_LENGTH)
  const rowid = load<i32>(record, TAKEN_ROWID)
  v128.store(entry, v128.load(record, TAKEN_BYTES), SHORT)
  v128.store(entry, v128.load(record, TAKEN_BYTES + 16), SHORT + 16)
  if (length > SHORT_BYTES) {
    const bytes = take((length + 15) & ~7)
    memory.copy(bytes, word, length)
    store<i32>(entry, bytes, LONG)
  }
  const data = roomOf(FIRST_ROOM)
  const sizeAt = putVarint(data, rowid) - data
  store<i32>(entry, data, DATA)
  store<i32>(entry, sizeAt + 1, DATA_LENGTH)
  store<i32>(entry, rowid, ROWID)
  store<i32>(entry, 0, POSITION)
  store<i32>(entry, sizeAt, SIZE_AT)
  store<u8>(entry, FIRST_ROOM, ROOM)
  store<u8>(entry, 0, COLUMN)
  store<u16>(entry, length, LENGTH)
  store<u32>(entry, hash, HASH)
  return entry
}

function moreSlots(): void {
  slotMask = slotMask * 2 + 1
  memory.fill(slots, 0, (slotMask + 1) * 4)
  for (let number = 1; number <= wordCount; number++) {
    const hash = load<u32>(words + (number - 1) * WORD, HASH)
    let slot = slotOf(hash)
    while (load<u32>(slots + slot * 4) != 0) slot = (slot + 1) & slotMask
    store<u32>(slots + slot * 4, (hash & ~NUMBER_MASK) | number)
  }
}

/** How many bytes its positions in the last doc take stands before them; one byte was left for it [fts5HashAddPoslistSize]. */
function endSize(entry: i32, data: i32, end: i32): i32 {
  const at = data + load<i32>(entry, SIZE_AT)
  const length = end - at - 1
  const more = varintLength(length * 2) - 1
  if (more > 0) memory.copy(at + 1 + more, at + 1, length)
  putVarint(at, length * 2)
  return end + more
}

function enlarge(entry: i32): void {
  const bits = load<u8>(entry, ROOM)
  const data = load<i32>(entry, DATA)
  const larger = roomOf(bits + 1)
  memory.copy(larger, data, load<i32>(entry, DATA_LENGTH))
  store<i32>(entry, larger, DATA)
  store<u8>(entry, bits + 1, ROOM)
  const list = freed + i32(bits) * 4
  store<i32>(data, load<i32>(list))
  store<i32>(list, data)
}

/** A room that was given back, or a new one. */
function roomOf(bits: u8): i32 {
  const list = freed + i32(bits) * 4
  const room = load<i32>(list)
  if (room == 0) return take(1 << i32(bits))
  store<i32>(list, load<i32>(room))
  return room
}

function take(bytes: i32): i32 {
  const at = arenaUsed
  arenaUsed += bytes
  reach(arenaUsed + 64)
  return at
}

// ---- segments

/** Writes all pages of a table. Gives how many leaves there are. */
export function writeSegment(table: i32): i32 {
  for (let entry = words; entry < words + wordCount * WORD; entry += WORD) {
    if ((load<u32>(entry, HASH) & 1) != u32(table)) continue
    const data = load<i32>(entry, DATA)
    store<i32>(entry, endSize(entry, data, data + load<i32>(entry, DATA_LENGTH)) - data, DATA_LENGTH)
  }
  return writeTerms(table, wordCount)
}

/** Everything that was gathered. */
export function forget(): void {
  memory.fill(slots, 0, (slotMask + 1) * 4)
  memory.fill(totals, 0, TABLES * (1 + COLUMNS) * 8)
  memory.fill(freed, 0, 32 * 4)
  wordCount = 0
  arenaUsed = arena
}

export function start(): void {
  reach(numbers)
  store<u8>(word, MAIN)
  for (let length = 0; length < 16; length++) memory.fill(firstBytes + length * 16, 0xff, length)
}
