// Images of prompts and tool results. Only four kinds are ever shown, and only when their bytes begin as that kind does:
// an SVG may hold scripts, and a false media type would be believed by somebody.

import { list, object, text } from '../../record/fields.ts'
import { mapStrings } from './map-strings.ts'
import type { ImageContent } from './view.ts'

/** How the base64 of each kind begins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
}

/** The images of a message or of a tool's result, in order; one that is kept elsewhere has no bytes. */
export function imagesIn(content: unknown): readonly ImageContent[] {
  return (list(content) ?? []).flatMap((value) => {
    const block = object(value)
    if (block?.['type'] !== 'image') return []
    const source = object(block['source'])
    return [{ mediaType: text(source?.['media_type']) ?? '', base64: text(source?.['data']) ?? '' }]
  })
}

/** The kind of an image that may be shown; null for any other, whatever it says it is. */
export function shownKind({ base64 }: ImageContent): 'png' | 'jpeg' | 'gif' | 'webp' | null {
  const kind = Object.entries(BEGINNINGS).find(([, beginning]) => base64.startsWith(beginning))?.[0]
  if (kind === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  return kind.slice('image/'.length) as 'png' | 'jpeg' | 'gif' | 'webp'
}

export function imageBytes({ base64 }: ImageContent): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** A record without the bytes of its images: among so many letters there is always one that looks like a Secret. */
export function withoutImageBytes(value: unknown): unknown {
  return mapStrings(value, (held, key) => (isImageBytes(held, key) ? '' : held))
}

/** By what the bytes are, not by what is said of them: a Secret could be called an image. */
function isImageBytes(held: string, key: string): boolean {
  return (key === 'data' || key === 'base64') && shownKind({ mediaType: '', base64: held }) !== null
}
