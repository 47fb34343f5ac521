// What a repair must know of a Body and what no Envelope has: thinking, pictures, halves of characters, and an answer of
// the API that refused the conversation. Only records that have one of them are kept.

import { list, object, text } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import { holdsLoneSurrogate } from '../record/surrogates.ts'
import type { ImageSize } from './image-size.ts'
import { imageSize } from './image-size.ts'

export interface ThinkingFact {
  readonly block: number
  /** The API refuses it wherever it stands. */
  readonly isUnsigned: boolean
}

export interface ImageFact {
  readonly block: number
  /** Inside of a tool result; null for a picture of its own. */
  readonly inner: number | null
  readonly mediaType: string
  readonly base64Length: number
  readonly size: ImageSize | null
}

export interface BodyFacts {
  readonly thinking: readonly ThinkingFact[]
  readonly images: readonly ImageFact[]
  readonly hasLoneSurrogate: boolean
  /** The client wrote down that the API refused the thinking it was sent. */
  readonly refusesThinking: boolean
}

export function bodyFacts(envelope: Envelope, body: Body): BodyFacts | null {
  const hasLoneSurrogate = holdsLoneSurrogate(body)
  const content = list(object(body['message'])?.['content'])
  const isMessage = envelope.type === 'assistant' || envelope.type === 'user'
  const thinking = envelope.type === 'assistant' ? thinkingIn(content) : NONE
  const images = isMessage ? imagesIn(content) : NONE
  const refusesThinking = envelope.type === 'assistant' && isRefusal(body, content)
  if (!hasLoneSurrogate && thinking.length === 0 && images.length === 0 && !refusesThinking) return null
  return { thinking, images, hasLoneSurrogate, refusesThinking }
}

const NONE: readonly never[] = []

/** A signature cut short is none (CC#21726 has them of 24 characters); real ones have some hundreds. */
const SIGNATURE_LENGTH_MIN = 25

function thinkingIn(content: readonly unknown[] | null): readonly ThinkingFact[] {
  const found: ThinkingFact[] = []
  for (const [block, value] of (content ?? NONE).entries()) {
    const fields = object(value)
    if (fields?.['type'] !== 'thinking') continue
    const signature = text(fields['signature']) ?? ''
    found.push({ block, isUnsigned: signature.length < SIGNATURE_LENGTH_MIN })
  }
  return found
}

function imagesIn(content: readonly unknown[] | null): readonly ImageFact[] {
  const found: ImageFact[] = []
  for (const [block, value] of (content ?? NONE).entries()) {
    const fields = object(value)
    const own = imageFact(fields, block, null)
    if (own !== null) found.push(own)
    if (fields?.['type'] !== 'tool_result') continue
    for (const [inner, part] of (list(fields['content']) ?? NONE).entries()) {
      const image = imageFact(object(part), block, inner)
      if (image !== null) found.push(image)
    }
  }
  return found
}

function imageFact(fields: Body | null, block: number, inner: number | null): ImageFact | null {
  if (fields?.['type'] !== 'image') return null
  const source = object(fields['source'])
  const base64 = text(source?.['data'])
  if (base64 === null) return null
  const mediaType = text(source?.['media_type']) ?? 'unknown'
  return { block, inner, mediaType, base64Length: base64.length, size: imageSize(base64) }
}

const REFUSALS = [
  /`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified/,
  /Invalid `?signature`? in `?thinking`? block/,
]

function isRefusal(body: Body, content: readonly unknown[] | null): boolean {
  if (body['isApiErrorMessage'] !== true) return false
  const said = text(object(content?.[0])?.['text']) ?? ''
  return REFUSALS.some((pattern) => pattern.test(said))
}
