// What was looked for lately, in this browser alone.

const PLACE = 'clew-recent-searches'
const RECENT_MAX = 8

export function recentSearches(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, RECENT_MAX) : []
  } catch {
    // Somebody else wrote there, or nothing may be kept: then there are none.
    return []
  }
}

export function keepSearch(text: string): void {
  if (text === '') return
  write([text, ...recentSearches().filter((one) => one !== text)].slice(0, RECENT_MAX))
}

export function forgetSearches(): void {
  write([])
}

function write(searches: readonly string[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(searches))
  } catch {
    // A browser that keeps nothing still searches.
    return
  }
}
