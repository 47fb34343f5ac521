// A value as JSON, however deep it is nested. JSON.parse reads nesting that JSON.stringify runs out of stack on, so a
// tool input can be such that it is read but not written; only then is the slower way taken.

export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return writeWithoutRecursion(value)
  }
}

/** An object or a list that has been begun: what is left of it, last first, and how it closes. */
interface Open {
  readonly left: (readonly [key: string | null, value: unknown])[]
  readonly close: string
  isFirst: boolean
}

function writeWithoutRecursion(value: unknown): string {
  const pieces: string[] = []
  const stack: Open[] = []
  const begin = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) {
      pieces.push(JSON.stringify(one) ?? 'null')
      return
    }
    const isList = Array.isArray(one)
    const left: Open['left'] = isList ? one.map((inner) => [null, inner]) : Object.entries(one).filter(isWritten)
    pieces.push(isList ? '[' : '{')
    stack.push({ left: left.reverse(), close: isList ? ']' : '}', isFirst: true })
  }
  begin(value)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.left.pop()
    if (next === undefined) {
      pieces.push(top.close)
      stack.pop()
      continue
    }
    if (!top.isFirst) pieces.push(',')
    top.isFirst = false
    const [key, inner] = next
    if (key !== null) pieces.push(JSON.stringify(key), ':')
    begin(inner)
  }
  return pieces.join('')
}

/** JSON leaves out a key whose value is undefined. */
function isWritten([, value]: readonly [string, unknown]): boolean {
  return value !== undefined
}
