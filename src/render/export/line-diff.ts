// Two texts as lines that were kept, removed and added. What both begin and end with is set aside first; the middle is
// compared line by line as long as that is cheap, and shown as replaced where it is not.

export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** A table of so many cells is made in a few milliseconds. */
const CELLS_MAX = 1_000_000

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const oldMiddle = old.slice(head, old.length - tail)
  const newMiddle = now.slice(head, now.length - tail)
  return [
    ...old.slice(0, head).map((text) => marked(' ', text)),
    ...(oldMiddle.length * newMiddle.length > CELLS_MAX
      ? [...oldMiddle.map((text) => marked('-', text)), ...newMiddle.map((text) => marked('+', text))]
      : compared(oldMiddle, newMiddle)),
    ...old.slice(old.length - tail).map((text) => marked(' ', text)),
  ]
}

export function countLines(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  let added = 0
  let removed = 0
  for (const { mark } of lines) {
    if (mark === '+') added++
    else if (mark === '-') removed++
  }
  return { added, removed }
}

/** An empty text has no lines; a last line end begins none. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** The longest list of lines that both have, by the table that everybody knows. */
function compared(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const width = now.length + 1
  const table = new Uint32Array((old.length + 1) * width)
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = now.length - 1; other >= 0; other--) {
      table[one * width + other] =
        old[one] === now[other]
          ? at(table, (one + 1) * width + other + 1) + 1
          : Math.max(at(table, (one + 1) * width + other), at(table, one * width + other + 1))
    }
  }
  const lines: DiffLine[] = []
  let one = 0
  let other = 0
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      lines.push(marked(' ', old[one] as string))
      one++
      other++
    } else if (
      other >= now.length ||
      (one < old.length && at(table, (one + 1) * width + other) >= at(table, one * width + other + 1))
    ) {
      lines.push(marked('-', old[one] as string))
      one++
    } else {
      lines.push(marked('+', now[other] as string))
      other++
    }
  }
  return lines
}

function at(table: Uint32Array, place: number): number {
  return table[place] ?? 0
}

function marked(mark: DiffLine['mark'], text: string): DiffLine {
  return { mark, text }
}
