// Where the words of a first build lie while they are gathered: one region behind the other; what is not used takes no room.

/** A longer word ends here [FTS5_MAX_TOKEN_SIZE]. */
export const WORD_BYTES: i32 = 32768
/** [pgsz] */
export const PAGE_BYTES: i32 = 4050

/** One doc has less than half as many words: who sees to it that half are free before each never has too many. */
export const WORDS_MAX: i32 = 1 << 20
/** At first; there are always at least twice as many as words. */
export const SLOTS_MIN: i32 = 1 << 16
export const SLOTS_MAX: i32 = 1 << 21

/**
 * Per word, in the 64 bytes that a processor takes from memory at once: what was gathered of it and how long that is; the
 * doc and position that came last, and where the size of its positions in that doc stands; the room of what was gathered
 * as a power of two, the last column, how long the word is; its hash, the lowest bit of which is its table; where all of
 * its bytes are, if there are more than stand here.
 */
export const WORD: i32 = 64
export const DATA: i32 = 0
export const DATA_LENGTH: i32 = 4
export const ROWID: i32 = 8
export const POSITION: i32 = 12
export const SIZE_AT: i32 = 16
export const ROOM: i32 = 20
export const COLUMN: i32 = 21
export const LENGTH: i32 = 22
export const HASH: i32 = 24
export const LONG: i32 = 28
export const SHORT: i32 = 32
export const SHORT_BYTES: i32 = 32

/**
 * Of a text, so many words are taken before any of them is looked up: then they are looked up all at once, which a processor
 * does in a fraction of the time, because it need not wait for one before it asks memory for the next. Per word: its hash,
 * its length, doc, column and position, where it is kept if that was found; its bytes, and zeros behind them.
 */
export const TAKEN_MAX: i32 = 128
export const TAKEN: i32 = 64
export const TAKEN_HASH: i32 = 0
export const TAKEN_LENGTH: i32 = 4
export const TAKEN_ROWID: i32 = 8
export const TAKEN_COLUMN: i32 = 12
export const TAKEN_POSITION: i32 = 16
export const TAKEN_WORD: i32 = 20
export const TAKEN_BYTES: i32 = 32

export const SKIP_LEVELS: i32 = 8
/** Leaves on which no doc begins add a byte each, with nobody looking whether the list is full. */
export const SKIP_BYTES: i32 = PAGE_BYTES + 4096

export const TABLES: i32 = 2
export const COLUMNS: i32 = 4

/** Of every character: what it is, and what it is folded to. */
export const letters: i32 = (i32(__heap_base) + 63) & ~63
/** The same for single bytes: 0 for none, 0xff where others belong to them, or else what they are folded to. */
export const plain: i32 = letters + 0x110000 * 4
/** Characters that nothing is known about. */
export const unknown: i32 = plain + 256
export const UNKNOWN_MAX: i32 = 4096
export const slots: i32 = (unknown + UNKNOWN_MAX * 4 + 63) & ~63
export const words: i32 = slots + SLOTS_MAX * 4
/** What a word is sorted by, and where it is. */
export const order: i32 = words + WORDS_MAX * WORD
export const taken: i32 = order + WORDS_MAX * 16
/** For each length below sixteen, as many bytes of all bits. */
export const firstBytes: i32 = taken + TAKEN_MAX * TAKEN
export const word: i32 = firstBytes + 16 * 16
export const lastTerm: i32 = word + WORD_BYTES + 64
export const firstTerm: i32 = lastTerm + WORD_BYTES + 64
export const leaf: i32 = firstTerm + WORD_BYTES + 64
export const leafIndex: i32 = leaf + PAGE_BYTES + WORD_BYTES + 64
export const skips: i32 = leafIndex + PAGE_BYTES + 64
export const skipLists: i32 = (skips + SKIP_LEVELS * SKIP_BYTES + 3) & ~3
/** Per table: rows, and the words of each column. */
export const totals: i32 = (skipLists + SKIP_LEVELS * 12 + 7) & ~7
/** Per size of room: the first one that was given back. */
export const freed: i32 = totals + TABLES * (1 + COLUMNS) * 8
/** The docs that are handed over, and behind them their texts and everything that is gathered. */
export const numbers: i32 = (freed + 32 * 4 + 63) & ~63
