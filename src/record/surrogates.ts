import type { Body } from './model.ts'

/** True when any text in the body holds half a surrogate pair. No recursion: a body may be nested a million deep. */
export function holdsLoneSurrogate(body: Body): boolean {
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      if (!(value as string & { isWellFormed: () => boolean }).isWellFormed()) return true
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) waiting.push((value as Body)[key])
    }
  }
  return false
}
