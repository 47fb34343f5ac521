// Where a server stands, told from its address.

import { ProseError } from './prose-error.ts'

/** The address without what may be secret in it and without a slash at its end. `name` is the variable it came from. */
export function serverAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ProseError('setup', `${name} is not the address of a server: it begins with http:// or https://`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ProseError('setup', `${name} has a name or a password in it. Put the key into its own variable`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const NEARBY = [
  /^localhost$|\.localhost$|\.local$|\.internal$/,
  /^(?:127|10)(?:\.\d+){3}$|^192\.168(?:\.\d+){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/,
  /^\[(?:::1|f[cd][0-9a-f]{2}:.*|fe80:.*)\]$/,
  // A name without a dot is one of a container or of the house.
  /^[a-z][a-z0-9-]*$/,
]

/** This machine or its own network: a server of one's own, which takes no key and sends no bill. */
export function isNearby(address: string): boolean {
  const { hostname } = new URL(address)
  return NEARBY.some((pattern) => pattern.test(hostname))
}
