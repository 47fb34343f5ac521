// JSON of which nothing is known: a server's answer, a program's output.

export type Loose = Readonly<Record<string, unknown>>

export function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null
}

/** Undefined where it is not JSON, or neither an object nor a list. */
export function parseLoose(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isLoose(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function looseIn(value: Loose | undefined, key: string): Loose | undefined {
  const found = value?.[key]
  return isLoose(found) ? found : undefined
}

/** A count that is no count is none. */
export function countIn(value: Loose | undefined, key: string): number {
  const found = value?.[key]
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : 0
}

/** The Messages API counts what it read from its cache and wrote into it apart; all of it was sent. */
export function inputTokensIn(usage: Loose | undefined): number {
  return (
    countIn(usage, 'input_tokens') +
    countIn(usage, 'cache_creation_input_tokens') +
    countIn(usage, 'cache_read_input_tokens')
  )
}

/** What a server says about its error, by the ways they have to say it; else the beginning of what it sent. */
export function errorTextIn(body: Loose | undefined, text: string): string {
  const said = looseIn(body, 'error')?.['message'] ?? body?.['message'] ?? body?.['error']
  return typeof said === 'string' ? said : text.slice(0, 2000).replace(/<[^>]*>/g, ' ')
}
