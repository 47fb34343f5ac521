// Ids that look like the client's own and are the same on every run: each is drawn from a hash of the seed and a count.

import { createHash } from 'node:crypto'

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function openIds(seed) {
  let count = 0
  const draw = () => createHash('sha256').update(`${seed}/${count++}`).digest()
  const letters = (length) => Array.from(draw().subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join('')
  const hex = (length) => draw().toString('hex').slice(0, length)
  return {
    hex,
    uuid: () => uuidOf(hex(32)),
    message: () => `msg_01${letters(22)}`,
    request: () => `req_011${letters(21)}`,
    call: () => `toolu_01${letters(22)}`,
    signature: () => Buffer.concat([draw(), draw(), draw()]).toString('base64'),
    below: (limit) => draw().readUInt32BE(0) % limit,
  }
}

function uuidOf(hex) {
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4]
  const [one, two, three, four, five] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(13, 16),
    hex.slice(17, 20),
    hex.slice(20),
  ]
  return `${one}-${two}-4${three}-${variant}${four}-${five}`
}
