const UNIT_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
}

/** `5G`, `500M`, `1.5 GB`, `10k`, `2GiB` in bytes; null when it is no size. G is 1,000 M here as in all that is shown. */
export function bytesOf(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?$/i.exec(text.trim())
  const unit = UNIT_BYTES[(found?.[2] ?? '').toLowerCase()]
  if (found === null || unit === undefined) return null
  return Math.round(Number(found[1]) * unit)
}
