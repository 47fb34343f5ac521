// Decoding that runs in Node and in a browser alike. Node's Buffer decodes short strings several times faster than
// TextDecoder, so it is used where it exists; nothing is imported for it.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface NodeBuffers {
  readonly isUtf8?: (bytes: Uint8Array) => boolean
  readonly isAscii?: (bytes: Uint8Array) => boolean
}

/** Node checks a gigabyte in a tenth of a second; asked for without an import, because the core runs in a browser too. */
const nodeBuffers =
  typeof process === 'undefined' ? undefined : (process.getBuiltinModule?.('node:buffer') as NodeBuffers | undefined)
const nodeIsUtf8 = nodeBuffers?.isUtf8
const nodeIsAscii = nodeBuffers?.isAscii

/** UTF-8 to text; bytes that are not UTF-8 become U+FFFD. A byte order mark is kept as a character. */
export const decodeUtf8: (bytes: Uint8Array) => string =
  typeof Buffer === 'undefined'
    ? (bytes) => decoder.decode(bytes)
    : (bytes) => bufferOf(bytes).toString(nodeIsAscii?.(bytes) ? 'latin1' : 'utf8')

/** The codes of a text, half surrogates too, into an array that is long enough. Node copies where a loop takes steps. */
export const putCodes: (text: string, codes: Uint16Array) => void = canCopyCodes()
  ? (text, codes) => {
      if (text.length < COPIED_MIN) putEach(text, codes)
      else Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).write(text, 'utf16le')
    }
  : putEach

/** And back. */
export const textOfCodes: (codes: Uint16Array) => string = canCopyCodes()
  ? (codes) => Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le')
  : (codes) => {
      let text = ''
      for (let from = 0; from < codes.length; from += CODES_AT_ONCE)
        text += String.fromCharCode.apply(null, codes.subarray(from, from + CODES_AT_ONCE) as unknown as number[])
      return text
    }

const COPIED_MIN = 256
const CODES_AT_ONCE = 8192

/** The lower byte stands first, as it does on nearly every machine. */
function canCopyCodes(): boolean {
  return typeof Buffer !== 'undefined' && new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
}

function putEach(text: string, codes: Uint16Array): void {
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
}

function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

export function isValidUtf8(bytes: Uint8Array): boolean {
  if (nodeIsUtf8 !== undefined) return nodeIsUtf8(bytes)
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** At most `most` characters, never half a surrogate pair, and no hidden reference to the long text it came from. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const cut = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
  // V8 keeps the whole parent alive behind a slice; joining single characters makes a string of its own.
  return Array.from(cut).join('')
}

/** A number that equal texts share; for "is this the same text?", not for safety. */
export function textKey(text: string): number {
  let low = 0x811c9dc5
  let high = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0)
}
