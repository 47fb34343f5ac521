import stringWidth from 'string-width'

/** Cut to a number of terminal columns, with an ellipsis where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return ''
  // Nothing longer than four code units a column can fit; measuring more would cost time on huge texts.
  const bounded = text.length > columns * 4 + 16 ? text.slice(0, columns * 4 + 16) : text
  if (bounded === text && stringWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of bounded) {
    const next = stringWidth(character)
    if (width + next > columns - 1) break
    kept += character
    width += next
  }
  return `${kept.trimEnd()}…`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)))
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - stringWidth(text))) + text
}
