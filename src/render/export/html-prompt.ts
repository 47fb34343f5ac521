// What a person typed, as they typed it: every space and line end stays. Only blocks of code between fences, code within
// a line and addresses of the web are told apart.

import { cleanText } from './clean.ts'
import { escapeHtml } from './html-escape.ts'
import { codeHtml, linkHtml } from './html-markdown.ts'

export function promptHtml(text: string): string {
  const pieces: string[] = []
  let plain: string[] = []
  const endPlain = (): void => {
    const said = plain.join('\n').replace(/^\n+|\s+$/g, '')
    if (said !== '') pieces.push(`<p class="plain">${inlineHtml(said)}</p>`)
    plain = []
  }
  const lines = cleanText(text).split('\n')
  /** Marks that were looked for to the end and not found: they need not be looked for again. */
  const unclosed = new Set<string>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const fence = /^(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/.exec(line)
    const mark = fence?.[1] ?? ''
    const end = fence === null || unclosed.has(mark) ? -1 : lines.indexOf(mark, at + 1)
    if (fence === null || end < 0) {
      if (fence !== null) unclosed.add(mark)
      plain.push(line)
      continue
    }
    endPlain()
    pieces.push(codeHtml(lines.slice(at + 1, end).join('\n'), fence[2] ?? ''))
    at = end
  }
  endPlain()
  return pieces.join('')
}

const SPECIAL = /`([^`\n]{1,400})`|https?:\/\/[^\s<>"'`)\]]{1,2000}/g

function inlineHtml(text: string): string {
  const pieces: string[] = []
  let at = 0
  for (const found of text.matchAll(SPECIAL)) {
    pieces.push(escapeHtml(text.slice(at, found.index)))
    pieces.push(
      found[1] === undefined ? linkHtml(found[0], escapeHtml(found[0])) : `<code>${escapeHtml(found[1])}</code>`,
    )
    at = found.index + found[0].length
  }
  pieces.push(escapeHtml(text.slice(at)))
  return pieces.join('')
}
