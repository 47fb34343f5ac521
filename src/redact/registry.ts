// Every Secret that was met has a number, from 1 on: what is known of it is kept by its number, and it is looked up once.

export interface Registry {
  /** The one it has, or a new one. */
  readonly numberOf: (secret: string) => number
}

export function openRegistry(): Registry {
  const numbers = new Map<string, number>()
  return {
    numberOf: (secret) => {
      const before = numbers.get(secret)
      if (before !== undefined) return before
      const number = numbers.size + 1
      numbers.set(secret, number)
      return number
    },
  }
}
