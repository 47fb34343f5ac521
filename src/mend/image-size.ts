// The width and height of a picture, from its first bytes: PNG, GIF, WebP and JPEG, the kinds the API takes.

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Enough for the headers that stand before the size in most JPEG files. */
const HEAD_CHARACTERS = 1 << 18

export function imageSize(base64: string): ImageSize | null {
  const bytes = Buffer.from(base64.slice(0, HEAD_CHARACTERS), 'base64')
  if (bytes.length < 12) return null
  if (bytes.readUInt32BE(0) === 0x89504e47) return bytes.length < 24 ? null : sizeAt(bytes, 16, 20, 'readUInt32BE')
  const kind = bytes.toString('latin1', 0, 4)
  if (kind === 'GIF8') return sizeAt(bytes, 6, 8, 'readUInt16LE')
  if (kind === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes)
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(bytes) : null
}

function sizeAt(
  bytes: Buffer,
  widthAt: number,
  heightAt: number,
  read: 'readUInt32BE' | 'readUInt16LE' | 'readUInt16BE',
): ImageSize {
  return { width: bytes[read](widthAt), height: bytes[read](heightAt) }
}

function webpSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

function jpegSize(bytes: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return sizeAt(bytes, at + 7, at + 5, 'readUInt16BE')
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
