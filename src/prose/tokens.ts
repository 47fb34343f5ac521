// How many tokens a text is, near enough to know what it will cost before it is sent.

import { excerpt } from '../base/text.ts'

/**
 * English and code have about 3.5 characters a token. Bytes are counted instead of characters, because scripts that take
 * three bytes a character also take about a token for each.
 */
const BYTES_PER_TOKEN = 3.5

export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}

export function cutToTokens(text: string, tokensMax: number): string {
  let cut = text
  for (let tokens = tokensOf(cut); tokens > tokensMax; tokens = tokensOf(cut)) {
    cut = `${excerpt(cut, Math.floor(((cut.length - 1) * tokensMax) / tokens) - 1)}…`
  }
  return cut
}
