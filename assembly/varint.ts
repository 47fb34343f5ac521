// Numbers as SQLite writes them: seven bits a byte, the highest first.

/** Gives where it ends. */
// @ts-ignore: decorator
@inline
export function putVarint(at: i32, value: u32): i32 {
  if (value < 0x80) {
    store<u8>(at, value)
    return at + 1
  }
  if (value < 0x4000) {
    store<u8>(at, (value >> 7) | 0x80)
    store<u8>(at, value & 0x7f, 1)
    return at + 2
  }
  return putLong(at, value)
}

function putLong(at: i32, value: u32): i32 {
  const length = varintLength(value)
  let rest = value
  for (let place = length - 1; place >= 0; place--) {
    store<u8>(at + place, (rest & 0x7f) | (place == length - 1 ? 0 : 0x80))
    rest >>= 7
  }
  return at + length
}

export function varintLength(value: u32): i32 {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
}

/** Where the number that begins here ends. */
export function varintEnd(at: i32): i32 {
  let end = at
  while (load<u8>(end) >= 0x80) end++
  return end + 1
}

export function getVarint(at: i32): u32 {
  let value: u32 = 0
  let from = at
  while (true) {
    const byte: u32 = load<u8>(from++)
    value = (value << 7) | (byte & 0x7f)
    if (byte < 0x80) return value
  }
}
