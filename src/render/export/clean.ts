// Text that may stand in a file other people open. The same characters are kept out that are kept off a terminal. Lone
// carriage returns, by which programs write over their own line, begin a new one.

import { safe } from '../terminal.ts'

export function cleanText(text: string): string {
  return safe(lineEnds(text))
}

export function lineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
