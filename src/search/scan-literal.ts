// Regex → texts every match must contain, so that most lines need not be parsed. Careful rather than clever: only plain
// characters outside of groups and classes count. A group that is not understood costs time; one that is
// misunderstood would cost matches.

/** For each alternative its required texts; null when some alternative requires none. */
export function requiredTexts(source: string): readonly (readonly string[])[] | null {
  const alternatives: string[][] = [[]]
  let current = ''
  const flush = (): void => {
    if (current !== '') alternatives.at(-1)?.push(current)
    current = ''
  }
  for (const token of topLevelTokens(source)) {
    if (isPlain(token)) {
      current += token.startsWith('\\') ? token.slice(1) : token
      continue
    }
    // What may be there not at all is not required; `+` asks for one at least.
    if (QUANTIFIER.test(token) && !token.startsWith('+')) current = withoutLast(current)
    flush()
    if (token === '|') alternatives.push([])
  }
  flush()
  return alternatives.every((required) => required.length > 0) ? alternatives : null
}

/** A group is one token, `()`, whatever is in it. */
function* topLevelTokens(source: string): Generator<string, void, void> {
  let depth = 0
  for (const [token] of source.matchAll(TOKEN)) {
    if (token.startsWith('(')) depth++
    if (depth === 0) yield token
    else if (token === ')' && --depth === 0) yield '()'
  }
}

const ESCAPE = String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|c[a-zA-Z]|k<[^>]*>|[pP]\{[^}]*\}|\d+|[^])`
const CLASS = String.raw`\[(?:\\[^]|[^\]\\])*\]`
const GROUP = String.raw`\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?`
const REPEAT = String.raw`(?:\{\d+(?:,\d*)?\}|[*+?])\??`
const TOKEN = new RegExp(`${ESCAPE}|${CLASS}|${GROUP}|${REPEAT}|[^]`, 'gu')
const QUANTIFIER = new RegExp(`^${REPEAT}$`)

/** A character that stands for itself; escaped letters and digits never do. */
function isPlain(token: string): boolean {
  if (token.startsWith('\\')) return /^\\[^a-zA-Z0-9]$/u.test(token)
  return !/^[\^$.|*+?()[\]{}]/u.test(token)
}

function withoutLast(text: string): string {
  return Array.from(text).slice(0, -1).join('')
}
