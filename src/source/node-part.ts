// Node's older way to its own parts. It is deprecated, and may be gone tomorrow: whoever asks must be able to do without.

/** Null where there is no such part, or no such way any more. Nobody is warned: there is nothing that a user could do. */
export function nodePart<Part>(name: 'fs' | 'tty_wrap' | 'v8'): Partial<Part> | null {
  const { binding } = process as { readonly binding?: (name: string) => Partial<Part> }
  const wasQuiet = process.noDeprecation
  process.noDeprecation = true
  try {
    return binding?.call(process, name) ?? null
  } catch {
    return null
  } finally {
    if (wasQuiet === undefined) delete process.noDeprecation
    else process.noDeprecation = wasQuiet
  }
}
