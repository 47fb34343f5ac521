// What a person sees as one character, however many code points it is made of.

export interface Grapheme {
  readonly text: string
  /** Where it begins, in code units. */
  readonly offset: number
}

let segmenter: Intl.Segmenter | null = null

/** Between two ASCII characters there is always a boundary; only what lies around others is taken apart the slow way. */
export function* graphemesOf(text: string): Generator<Grapheme> {
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    while (end < text.length && !isBoundary(text, end)) end++
    if (end === at + 1) yield { text: text.slice(at, end), offset: at }
    else {
      segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
      for (const { segment, index } of segmenter.segment(text.slice(at, end)))
        yield { text: segment, offset: at + index }
    }
    at = end
  }
}

function isBoundary(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  // A carriage return and the line feed behind it are one.
  return before < 0x80 && before !== 0x0d && text.charCodeAt(at) < 0x80
}

/** The text as it is after one press of the backspace key. */
export function withoutLastGrapheme(text: string): string {
  let last = 0
  for (const { offset } of graphemesOf(text)) last = offset
  return text.slice(0, last)
}
