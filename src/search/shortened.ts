// The bytes of a long record → the same record with its long texts cut to their beginning and end, which is where the word
// index knows them. What is left is decoded and parsed in no more time than a short record takes.

const HEAD_BYTES = 8 << 10
const TAIL_BYTES = 4 << 10
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Two escaped halves of one character are as long as this. */
const ESCAPE_BYTES = 12
/** Most texts are short: looking byte by byte is faster for them than a search is begun. */
const NEAR_BYTES = 128

/** JSON in, JSON out; null where there is nothing to cut, or where it does not look like JSON. */
export function shortened(bytes: Buffer): Buffer | null {
  const kept: Buffer[] = []
  let from = 0
  for (let start = bytes.indexOf(QUOTE); start >= 0; ) {
    const end = endOfText(bytes, start)
    if (end < 0) return null
    if (end - start > 2 * (HEAD_BYTES + TAIL_BYTES)) {
      const headEnd = cutBefore(bytes, start + HEAD_BYTES, start)
      const tailStart = cutBehind(bytes, end - TAIL_BYTES, end)
      kept.push(bytes.subarray(from, headEnd), LINE_END)
      from = tailStart
    }
    start = bytes.indexOf(QUOTE, end + 1)
  }
  return kept.length === 0 ? null : Buffer.concat([...kept, bytes.subarray(from)])
}

/** So that no word is made of two halves. */
const LINE_END = Buffer.from('\\n')

function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1
  for (const near = Math.min(bytes.length, at + NEAR_BYTES); at < near; at++) {
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) at++
  }
  for (let end = bytes.indexOf(QUOTE, at); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0
    while (end - 1 - slashes >= at && bytes[end - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}

function cutBefore(bytes: Buffer, wanted: number, start: number): number {
  let at = wanted
  while (at > start + 1 && !isBetween(bytes, at)) at--
  return at
}

function cutBehind(bytes: Buffer, wanted: number, end: number): number {
  let at = wanted
  while (at < end && !isBetween(bytes, at)) at++
  return at
}

/** Between two characters, and inside of no escape. */
function isBetween(bytes: Buffer, at: number): boolean {
  if (((bytes[at] as number) & 0xc0) === 0x80) return false
  for (let before = at - 1; before >= at - ESCAPE_BYTES; before--) if (bytes[before] === BACKSLASH) return false
  return true
}
