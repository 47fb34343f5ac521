// A part of a Markdown document that opens when it is asked for.

/** `summary` is text; `inner` is Markdown. */
export function folded(summary: string, inner: string): string {
  return `<details>\n<summary>${escapeSummary(summary)}</summary>\n\n${inner}\n\n</details>`
}

function escapeSummary(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
