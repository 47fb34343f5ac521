import { safeLine } from './terminal.ts'

/**
 * Somebody's text as one line inside our own Markdown. What would begin markup of the document (a tag, a heading, a list
 * point, a comment that hides what follows) is escaped; emphasis, code and links inside the line stay as they are.
 */
export function markdownLine(text: string): string {
  return markdownWords(text).replace(/^([#\-*+>|=~]|\d+[.)])/, '\\$1')
}

/** The same for a text that does not begin a line. */
export function markdownWords(text: string): string {
  return safeLine(text)
    .replace(/[<>]/g, (mark) => (mark === '<' ? '&lt;' : '&gt;'))
    .replace(/!\[/g, '!\\[')
}
