// Where a link may lead. The address is one that a Markdown parser has already decoded.

const ALLOWED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
const SCHEME = /^([a-z][a-z0-9+.-]*:)/i

/** An address of the web or of mail: what a page may link to. */
export function isOutwardLink(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[1]
  return scheme !== undefined && ALLOWED.has(scheme.toLowerCase())
}

/** An address that runs nothing: of the web, of mail, or relative. Whatever might be read as a scheme counts as one. */
export function isHarmlessLink(url: string): boolean {
  return isOutwardLink(url) || !/^[^/?#]*:/.test(url)
}
