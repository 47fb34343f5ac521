// Text of transcripts and of models, made plain: nothing a terminal obeys, nothing a reader cannot see, one line each.

const ANSI = /\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[@-Z\\-_])/g

// Format characters turn text around or hide it; invisible tags can carry orders that nobody sees. The two joiners stay:
// emoji and several scripts are made with them.
const HIDDEN = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu

/** Line ends are kept, everything else that controls is not. */
export function plainText(text: string): string {
  return text
    .replace(ANSI, '')
    .replace(HIDDEN, (found) => (found === '\u200c' || found === '\u200d' ? found : ''))
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\n\P{Cc}]/gu, ' ')
}

export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
