/**
 * A copy of a plain JSON value with every string in it replaced, keys left alone. Without recursion: somebody may have
 * nested a tool input deeper than the stack.
 */
export function mapStrings(
  value: unknown,
  replace: (text: string, key: string, holder: Readonly<Record<string, unknown>>) => string,
): unknown {
  const top: Record<string, unknown> = { value }
  const queue: Record<string, unknown>[] = [top]
  for (let holder = queue.pop(); holder !== undefined; holder = queue.pop()) {
    for (const key of Object.keys(holder)) {
      const inner = holder[key]
      if (typeof inner === 'string') holder[key] = replace(inner, key, holder)
      else if (typeof inner === 'object' && inner !== null) {
        const copy = Array.isArray(inner) ? [...inner] : copyOf(inner)
        // A key named __proto__ is a key like any other here.
        Object.defineProperty(holder, key, { value: copy, enumerable: true, configurable: true, writable: true })
        queue.push(copy as Record<string, unknown>)
      }
    }
  }
  return top['value']
}

function copyOf(value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true })
  return copy
}
