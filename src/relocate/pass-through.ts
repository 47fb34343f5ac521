import type { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Gunzip, Gzip } from 'node:zlib'

/** Hands over what comes of the pieces. What `take` throws is what is thrown: a stream that was stopped says so, and not why. */
export async function passThrough(
  pieces: Iterable<Buffer>,
  through: Gzip | Gunzip,
  take: (part: Buffer) => void,
): Promise<void> {
  let refusal: unknown = null
  const takeOne = (part: Buffer): void => {
    try {
      take(part)
    } catch (error) {
      refusal = error
      throw error
    }
  }
  try {
    await pipeline(Readable.from(pieces), through, async (parts: AsyncIterable<Buffer>) => {
      for await (const part of parts) takeOne(part)
    })
  } catch (error) {
    throw refusal ?? error
  }
}
