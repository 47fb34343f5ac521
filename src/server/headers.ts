// What every answer says besides its content, refusals and errors included. There are no CORS headers at all: no other
// page is meant to read anything here.

/** One policy for everything: an answer that is no page loses nothing by it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // No script of ours makes a policy, so none may: a string never becomes markup or code.
  "trusted-types 'none'",
].join('; ')

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** What was said must not be found in a browser's cache; the files of the page set their own. */
export const NOT_STORED = { 'cache-control': 'no-store' } as const
