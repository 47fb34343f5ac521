// The only file that reaches the network. An answer is read whole, up to a bound; nobody is led elsewhere by a redirect,
// because what is sent was meant for one address.

import { systemCode } from '../base/system-code.ts'
import { ProseError } from './prose-error.ts'

const BODY_BYTES_MAX = 4 << 20

/** With the contract of the platform's own, so that the SDK can use it too. What goes wrong is a ProseError. */
export async function boundedFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error' })
    const body = await boundedBody(response)
    return new Response(body, { status: response.status, headers: response.headers })
  } catch (error) {
    throw networkError(error, String(url instanceof Request ? url.url : url))
  }
}

async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  // By specification an answer of these kinds has none, not even an empty one.
  if (response.body === null || [204, 205, 304].includes(response.status)) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > BODY_BYTES_MAX) {
      // Leaving the loop ends the connection.
      throw new ProseError('lasting', `the answer is larger than ${BODY_BYTES_MAX >> 20} MB, which no answer is`)
    }
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function networkError(error: unknown, url: string): unknown {
  if (error instanceof ProseError || !(error instanceof Error)) return error
  // Whoever asked knows whether it was impatience or a wish to stop.
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return error
  const host = URL.canParse(url) ? new URL(url).host : url
  const code = systemCode(error.cause) ?? systemCode(error)
  if (error.cause instanceof Error && /redirect/.test(error.cause.message)) {
    return new ProseError(
      'setup',
      `${host} answers with a redirect, which is not followed. Give the address it leads to`,
    )
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return new ProseError(
      'setup',
      `${host} cannot be reached (${code}). Is the address right, and does the server run?`,
    )
  }
  const why = code ?? (error.cause instanceof Error ? error.cause.message : error.message)
  return new ProseError('passing', `the connection to ${host} broke (${why}). Try again later`, { isCharged: true })
}

/** What an attempt ended with when it was not the server's doing. */
export function endedError(signal: AbortSignal, timeoutMs: number): ProseError {
  if (signal.aborted) return new ProseError('stopped', 'stopped before it was finished', { isCharged: true })
  return new ProseError('passing', `no answer within ${Math.ceil(timeoutMs / 1000)} s. Try again later`, {
    isCharged: true,
  })
}
