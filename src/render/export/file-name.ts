import { fold } from '../../base/fold.ts'
import { iso } from '../units.ts'

const SLUG_LENGTH = 50

/** `2026-11-14-title-slug-2ab65b76`: sorts by day, can be read, and stays the same. The title is redacted already. */
export function fileStem(title: string, sessionId: string, startedMs: number | null): string {
  const words = fold(title).match(/[\p{L}\p{N}]+/gu) ?? []
  let slug = ''
  for (const word of words) {
    if (slug.length + word.length >= SLUG_LENGTH) break
    slug += slug === '' ? word : `-${word}`
  }
  const id = sessionId.replace(/[^A-Za-z0-9]/g, '').slice(0, 8) || 'conversation'
  return [iso(startedMs)?.slice(0, 10) ?? '', slug, id].filter((part) => part !== '').join('-')
}
