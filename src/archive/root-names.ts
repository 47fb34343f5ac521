// A Claude directory may have several names: `~/.claude` is a link, or a home was moved and a link left in its place.
// Roots are the same when they lie in the same place. Snapshots keep the names they were given, for a link may lead
// somewhere else one day; so places are looked up whenever an archive is opened, and never written down.

import { realPlace } from '../source/real-place.ts'

/** How an archive calls a root: by the newest of the recorded names of its place. One that it does not know stays as it is. */
export function rootNames(recorded: readonly string[]): (root: string) => string {
  const places = new Map<string, string>()
  const placeOf = (root: string): string => {
    const place = places.get(root) ?? realPlace(root)
    places.set(root, place)
    return place
  }
  let names: ReadonlyMap<string, string> | null = null
  return (root) => {
    names ??= new Map(recorded.map((one) => [placeOf(one), one]))
    return names.get(placeOf(root)) ?? root
  }
}
