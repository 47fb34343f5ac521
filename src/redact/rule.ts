// A rule says how one kind of token looks. It is tried only where one of its keywords stands, in a bounded window, so its
// pattern must be anchored there, with bounded quantifiers and no quantifier within another.

export interface Rule {
  readonly name: string
  /** Lower-case ASCII; found in any case. */
  readonly keywords: readonly string[]
  /** Sticky. The Secret is the first group and ends the match, or else it is the whole match. */
  readonly pattern: RegExp
  readonly hasGroup: boolean
  /** The keyword is short or a word of its own: a letter or digit before it means that it is something else. */
  readonly isApart: boolean
  /** A failure may cost thousands of steps. */
  readonly isWide: boolean
  /** Where the pattern begins when that is not at the keyword. */
  readonly startOf: ((text: string, at: number) => number) | null
}

/** A token that begins with its keyword. */
export function token(name: string, keywords: string, pattern: RegExp): Rule {
  return ruleOf(name, keywords, pattern, false, null)
}

/** The same, and no letter or digit stands before it. */
export function apart(name: string, keywords: string, pattern: RegExp): Rule {
  return ruleOf(name, keywords, pattern, true, null)
}

/** A token with its keyword in the middle: up to `most` characters of a class stand before it. */
export function around(name: string, keywords: string, before: RegExp, most: number, pattern: RegExp): Rule {
  const startOf = (text: string, at: number): number => {
    let start = at
    while (start > 0 && at - start < most && before.test(text.charAt(start - 1))) start--
    return start
  }
  return ruleOf(name, keywords, pattern, true, startOf)
}

/** The password of a command, as one of its arguments: `[^\n]` is whatever may stand between them. */
export function command(keywords: string, pattern: RegExp): Rule {
  const source = pattern.source.replaceAll('[^\\n]', ARGUMENTS)
  return ruleOf('command-password', keywords, new RegExp(source, pattern.flags), true, null)
}

/** A command goes on in the next line behind a backslash, and ends before `;`, `|` and `&&`. A header may have `; charset=…` in it. */
const ARGUMENTS = String.raw`(?:[^\n;|&]|[;|&](?![\s;|&])|;(?=\s[\w-]{1,40}=)|(?<=[\\^\x60]\r?)\n)`

function ruleOf(name: string, keywords: string, pattern: RegExp, isApart: boolean, startOf: Rule['startOf']): Rule {
  const flags = pattern.flags.includes('y') ? pattern.flags : `${pattern.flags}y`
  const isWide = /,\d{4}\}/.test(pattern.source)
  const hasGroup = /(?<!\\)\((?!\?)/.test(pattern.source)
  return {
    name,
    keywords: keywords.split(' '),
    pattern: new RegExp(pattern.source, flags),
    hasGroup,
    isApart,
    isWide,
    startOf,
  }
}
