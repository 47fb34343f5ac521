// What both programs do with runs of bytes.

/** Eight bytes are read at any place, so there must be as many behind the end. */
export function hashOf(at: i32, length: i32): u32 {
  let hash: u64 = 0x9e3779b97f4a7c15 ^ u64(length)
  let left = length
  let from = at
  while (left >= 8) {
    hash = (hash ^ load<u64>(from)) * 0xff51afd7ed558ccd
    hash ^= hash >> 29
    from += 8
    left -= 8
  }
  if (left > 0) {
    const last = load<u64>(from) & ((u64(1) << (u64(left) << 3)) - 1)
    hash = (hash ^ last) * 0xff51afd7ed558ccd
    hash ^= hash >> 29
  }
  return u32(hash ^ (hash >> 32)) | 1
}

export function isSame(one: i32, other: i32, length: i32): bool {
  let at = 0
  while (at + 8 <= length) {
    if (load<u64>(one + at) != load<u64>(other + at)) return false
    at += 8
  }
  if (at == length) return true
  const mask = (u64(1) << (u64(length - at) << 3)) - 1
  return (load<u64>(one + at) & mask) == (load<u64>(other + at) & mask)
}
