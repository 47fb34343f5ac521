// Who is let in. Looks at a request as it came over the wire, before anything else does: any page on the web can make a
// browser ask this machine, and a name that was bound anew (DNS rebinding) shows in the Host alone. Everything that is
// not expected is refused.

import type { Keys } from './keys.ts'
import { isSame } from './keys.ts'

export interface Asked {
  readonly method: string
  /** As it stands in the request line. */
  readonly target: string
  /** Name, value, name, value: what is said twice must be seen. */
  readonly rawHeaders: readonly string[]
}

export interface House {
  readonly port: number
  readonly keys: Keys
  /** Addresses that may be written to. There are none yet. */
  readonly writable: readonly string[]
}

export type Verdict =
  | { readonly kind: 'welcome' }
  /** The link was good: here is the cookie, and the address without the token. */
  | { readonly kind: 'enter'; readonly cookie: string; readonly location: string }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }

const HEADER = 'x-clew-token'

export function judge(asked: Asked, house: House): Verdict {
  const path = pathOf(asked.target)
  if (path === null) return refused(400, 'this address cannot be understood')
  const headers = headersOf(asked.rawHeaders)
  if (headers === null) return refused(400, 'a header that may stand once stands twice')
  const host = headers.get('host') ?? ''
  if (!hostsOf(house.port).includes(host)) return refused(421, 'this server answers to its own address only')
  if (headers.has('upgrade')) return refused(400, 'there is nothing to upgrade to')
  const origin = headers.get('origin')
  if (origin !== undefined && origin !== `http://${host}`) return refused(403, NOT_OURS)
  const said = headers.get(HEADER)
  const isProgram = said !== undefined && isSame(said, house.keys.header)
  if (said !== undefined && !isProgram) return refused(401, 'the token is not the one this server printed')
  if (!isFromHere(headers, isApi(path), isProgram)) return refused(403, NOT_OURS)
  const isReading = asked.method === 'GET' || asked.method === 'HEAD'
  return (isReading ? null : whyNotWrite(path, asked.method, headers, house)) ?? admit(asked, headers, house, isProgram)
}

export function isApi(path: string): boolean {
  return /^\/api(?:[/?]|$)/.test(path)
}

/** Whoever comes with the cookie or as a program is known; else only the link opens. */
function admit(
  { method, target }: Asked,
  headers: ReadonlyMap<string, string>,
  { port, keys }: House,
  isProgram: boolean,
): Verdict {
  const name = cookieName(port)
  const isKnown = isProgram || cookiesOf(headers, name).some((value) => isSame(value, keys.cookie))
  const { token, location } = isApi(target) ? { token: null, location: target } : withoutToken(target)
  if (token === null) return isKnown ? { kind: 'welcome' } : refused(401, NOT_OPEN)
  // A link that was only looked at must still open.
  if (method !== 'GET' || !(isKnown || keys.takeLink(token))) return refused(401, NOT_OPEN)
  return { kind: 'enter', cookie: `${name}=${keys.cookie}; HttpOnly; SameSite=Strict; Path=/`, location }
}

const NOT_OURS = 'another page may not ask here'
const NOT_OPEN =
  'open the link that `clew serve` printed; it works once. When it was used already, run `clew serve` again.'

/** The name has the port in it: cookies do not tell ports apart, and two servers may run. */
export function cookieName(port: number): string {
  return `clew-${port}`
}

export function hostsOf(port: number): readonly string[] {
  const names = ['localhost', '127.0.0.1', '[::1]']
  // Browsers do not say this one.
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

const TARGET = /^\/(?!\/)[\w.~!$&'()*+,;=:@%/-]*(?:\?[\w.~!$&'()*+,;=:@%/?[\]-]*)?$/

/**
 * The path of a plain request, or null for what no browser of ours sends: another form of address, a step up, a slash or
 * a control character that hides behind a percent sign.
 */
export function pathOf(target: string): string | null {
  if (!TARGET.test(target)) return null
  const path = target.split('?', 1)[0] ?? ''
  try {
    const parts = decodeURIComponent(path.replaceAll(/%(?:2f|5c)/gi, '\0')).split('/')
    const isOdd = (part: string): boolean => part === '.' || part === '..' || hasControl(part)
    return parts.some(isOdd) ? null : path
  } catch {
    return null
  }
}

function hasControl(text: string): boolean {
  return Array.from(text).some((character) => character < ' ' || character === '\u007f' || character === '\\')
}

/** Null when one that decides something is there twice. */
function headersOf(raw: readonly string[]): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    const value = raw[at + 1] ?? ''
    const known = headers.get(name)
    if (known !== undefined && ONCE.has(name)) return null
    headers.set(name, known === undefined ? value : `${known}; ${value}`)
  }
  return headers
}

const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'content-type',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  HEADER,
])

/**
 * Browsers say where a request comes from, and pages cannot change what they say. A person may type an address or follow
 * a link of ours; what is asked under /api comes from our page, or from a program that has the token.
 */
function isFromHere(headers: ReadonlyMap<string, string>, isOfApi: boolean, isProgram: boolean): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === undefined) return isProgram || !isOfApi
  if (site === 'same-origin') return true
  return site === 'none' && headers.get('sec-fetch-mode') === 'navigate' && !isOfApi
}

/** Null when it may be written. */
function whyNotWrite(
  path: string,
  method: string,
  headers: ReadonlyMap<string, string>,
  { writable }: House,
): Verdict | null {
  if (method !== 'POST' || !writable.includes(path)) return refused(405, 'this server only reads')
  // A form cannot send either of them, so another page would have to ask for leave first.
  if (!headers.has(HEADER)) return refused(403, `writing takes the header ${HEADER}`)
  const kind = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  return kind === 'application/json' ? null : refused(415, 'writing takes JSON')
}

function cookiesOf(headers: ReadonlyMap<string, string>, name: string): readonly string[] {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

function withoutToken(target: string): { readonly token: string | null; readonly location: string } {
  const [path = '/', query = ''] = target.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  const token = parameters.get('token')
  parameters.delete('token')
  const rest = parameters.toString()
  return { token, location: rest === '' ? path : `${path}?${rest}` }
}

function refused(status: number, error: string): Verdict {
  return { kind: 'refused', status, error }
}
