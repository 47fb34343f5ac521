// The three secrets of a running server, 256 bits each and none made from another: the link that opens it once, the
// cookie that a browser gets for it, and the header that programs send. They are never written down.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export class Keys {
  readonly link = secret()
  readonly header = secret()
  readonly cookie = secret()
  #isLinkUsed = false

  /** True once, for the right token. */
  takeLink(token: string): boolean {
    const isRight = isSame(token, this.link) && !this.#isLinkUsed
    if (isRight) this.#isLinkUsed = true
    return isRight
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** In the same time whatever differs, the length included. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
