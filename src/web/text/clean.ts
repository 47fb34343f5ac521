// Text as it may stand on a page. A browser draws control characters as nothing, and obeys those that turn the direction
// of writing round: both are made visible, so that what is read is what is there.

const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

export function cleanText(text: string): string {
  return lineEnds(text).replace(ODD, (found) => {
    const code = found.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Lone carriage returns, by which programs write over their own line, begin a new one. */
function lineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
