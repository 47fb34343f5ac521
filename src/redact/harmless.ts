// Values that only hold the place of a Secret, point to one, or are words: what a redactor must leave alone.

/** Whoever wrote this meant: put yours here, or: look there. */
export function isHarmless(value: string): boolean {
  if (value.length < 3 || isOneCharacter(value)) return true
  if (value.length > 400) return false
  return isNoValue(value) || (!isMix(value) && !isScrambledPath(value) && standsIn(value))
}

/** Base64 that begins with a slash looks like a path, in which small letters, capitals and digits do not change so often. */
function isScrambledPath(value: string): boolean {
  if (value.length < SCRAMBLED_MIN || value.charCodeAt(0) !== SLASH) return false
  let changes = 0
  let kinds = 0
  let before = 0
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    const kind = code >= 48 && code <= 57 ? DIGIT : code >= 65 && code <= 90 ? CAPITAL : code >= 97 ? SMALL : 0
    if (kind !== before && kind !== 0 && before !== 0) changes++
    kinds |= kind
    before = kind
  }
  return kinds === (DIGIT | CAPITAL | SMALL) && changes >= value.length / 3
}

const SCRAMBLED_MIN = 20
const SLASH = 0x2f
const DIGIT = 1
const CAPITAL = 2
const SMALL = 4

/** It has the form of a stand-in or of a reference. */
export function standsIn(value: string): boolean {
  return (
    STAND_INS.test(value) ||
    RULES.test(value) ||
    REFERENCES.test(value) ||
    REFERENCES_WITHIN.test(value) ||
    STAND_INS_WITHIN.test(value) ||
    FILLED.test(value) ||
    NOTES.test(value)
  )
}

/** Letters and digits without four letters beside each other: no stand-in and no reference is written so. */
export function isMix(value: string): boolean {
  let letters = 0
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code >= 48 && code <= 57) letters = 0
    else if (((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) && letters < 3) letters++
    else return false
  }
  // 0x is the beginning of a number.
  return value.charCodeAt(0) !== 0x30
}

function isOneCharacter(value: string): boolean {
  const first = value.charCodeAt(0)
  for (let index = 1; index < value.length; index++) if (value.charCodeAt(index) !== first) return false
  return true
}

function isNoValue(value: string): boolean {
  if (value.length > NO_VALUE_MAX) return false
  let length = value.length
  while (length > 0 && ENDS.includes(value.charAt(length - 1))) length--
  // Nearly none has the length and the first letter of one of them.
  if (NO_VALUE_FORMS[formOf(value.charCodeAt(0), length)] !== 1) return false
  return NO_VALUES.has(value.slice(0, length).toLowerCase())
}

/** The same for a token of a known form: chance does not write these words, and does not repeat itself. */
export function isMadeUp(token: string): boolean {
  // A new sign for each token, so that nothing is to be wiped out before.
  tokens = (tokens + 1) >>> 0
  if (tokens === 0) SEEN.fill(tokens++)
  let distinct = 0
  let letters = 0
  let repeated = 0
  let before = -1
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index)
    if (SEEN[code & 0xff] !== tokens) distinct++
    SEEN[code & 0xff] = tokens
    // Small and capital letters are the same here, and so are some others: that is looked at in what follows.
    const folded = code | 0x20
    letters |= 1 << (folded & 0x1f)
    if (folded === before && isFill(folded)) repeated++
    before = folded
  }
  if (distinct < (token.length < 80 ? Math.min(8, token.length / 2) : 14)) return true
  return (repeated >= FILL_MIN || hasLettersOf(MADE_UP_LETTERS, letters)) && MADE_UP.test(token)
}

// This one and others stand outside of their functions: written within, each call makes an object of them.
const MADE_UP =
  /example|placeholder|redacted|changeme|dummy|your[-_]|x{6}|X{5}|\*{4}|\.{4}|0{8}|1234567890|abcdefghijk/i

/** Of the words of MADE_UP, as bits. Nearly no token has all letters of one of them, and a pattern costs more than a walk. */
const MADE_UP_LETTERS = [
  'example',
  'placeholder',
  'redacted',
  'changeme',
  'dummy',
  'your',
  '1234567890',
  'abcdefghijk',
].map((word) => {
  let letters = 0
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 0x1f)
  return letters
})

function hasLettersOf(words: readonly number[], letters: number): boolean {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as number
    if ((letters & word) === word) return true
  }
  return false
}

/** `x`, `*`, `.` and `0`: those of MADE_UP that come several times, so as often as this or more beside themselves. */
function isFill(folded: number): boolean {
  return folded === 0x78 || folded === 0x2a || folded === 0x2e || folded === 0x30
}

const FILL_MIN = 3

const SEEN = new Uint32Array(256)
let tokens = 0

/** One word, or several put together as programmers and writers do: `accessToken`, `user_password`, `Forgot it?`. */
export function isWordy(value: string): boolean {
  if (hasDigits(value) || isWild(value) || BASE64_END.test(value)) return false
  return WORDS.test(value)
}

const WORDS = /^[^A-Za-z0-9]?[A-Za-z]{1,24}(?:[-_./: ,'’]{1,3}[A-Za-z]{1,24}){0,30}\d{0,1}[^A-Za-z0-9]{0,3}$/

/** A small letter before a capital, and `=` at the end: what is in a Secret of Kubernetes. */
const BASE64_END = /^[A-Za-z0-9+/]*[a-z][A-Z][A-Za-z0-9+/]*={1,2}$/

/** Two and more. */
function hasDigits(value: string): boolean {
  let count = 0
  for (let index = 0; index < value.length && count < 2; index++) {
    const code = value.charCodeAt(index)
    if (code >= 48 && code <= 57) count++
  }
  return count === 2
}

/**
 * Chance changes from small to capital letters at every fourth place, a name only where a word begins. Or half of it is
 * capitals, with a small letter alone between some of them.
 */
export function isWild(value: string): boolean {
  if (value.length < 16) return false
  let changes = 0
  let capitals = 0
  let hasPair = false
  let hasOneAlone = false
  let before = 0
  let beforeThat = 0
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (isCapital(code)) {
      capitals++
      if (before >= 97 && before <= 122) {
        changes++
        hasOneAlone ||= isCapital(beforeThat)
      } else if (isCapital(before)) hasPair = true
    }
    beforeThat = before
    before = code
  }
  if (changes >= value.length / 7) return hasPair
  return hasPair && hasOneAlone && changes >= value.length / 12 && capitals >= value.length / 3
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

/** What a value is, or begins with; and what may stand anywhere in one. Apart, because the first are tried in one place only. */
const STAND_INS =
  /^(?:<[^>]*>$|\{[A-Za-z_{]|\[[^\]]*\]$|\{.*\}$|%[^%]*%$|@[\w.]+@$|__\w+__$|your|fake|mock|sample|my[-_](?:secret|token|password|api|key|pass)[\w-]*$|test[-_]?(?:token|key|secret|api|password|pass)?$|(?:super)?[-_]?secret$)/i

/** What a form asks of a field: `required|min:8|confirmed`. */
const RULES = /^(?:required|nullable|sometimes|bail|filled|present|string|confirmed|m(?:in|ax):\d{1,5})\|[a-z]/

const STAND_INS_WITHIN =
  /x{6}|\*{3}|\.{3}|…|•{2}|⟦|⟧|example|change[-_ ]?me|placeholder|redacted|dummy|replace[-_ ]?(?:me|with|this)|(?:your|insert|enter|put)[-_ ]|lorem|foo[-_]?bar|n\/a\b|not[-_ ]set/i

/** In one case: there are fourteen other ways to write four of them, and in a long Secret one may stand by chance. */
const FILLED = /xxxx|XXXX/

/** Apart, and as people write them: four letters stand in a long Secret by chance, whatever they say. */
const NOTES = /(?<![A-Za-z0-9])(?:[Tt](?:odo|ODO)|[Ff](?:ixme|IXME))(?![A-Za-z0-9])/

const REFERENCES =
  /^(?:\$[A-Za-z_][A-Za-z_0-9]*$|\$[({]|#\{|<%|env[.[(:]|ENV\[|vault:|secrets?[.:/]|ref\+|arn:|op:\/\/|ssm:|file:|keychain|@[a-z][\w-]*\/|\/(?:[\w.-]+\/)+[\w.-]*$|~?\.{0,2}\/[\w./-]+$|[A-Za-z]:\\|https?:\/\/[^@\s]*$|!(?:Ref|Sub|vault|env|secret|GetAtt|ImportValue)\b|-{1,2}[a-z][a-z-]{0,24}$|0x[0-9A-Fa-f]+$)/

const REFERENCES_WITHIN = /\$\{|\$\(|\{\{|process\.env|os\.environ|getenv|import\.meta|System\./

/** None of these is longer, with what may end it. */
const NO_VALUE_MAX = 40

const NO_VALUES: ReadonlySet<string> = new Set(
  `null none nil undefined true false yes no string str number int integer boolean bool object any unknown never void
  required optional password passwd secret token text hidden default empty auto input value key type name user username
  email admin root test public private disabled enabled default_value varchar bytes buffer array func function self this
  bearer basic authorization cookie session apikey api_key passphrase credentials keyword comment operator identifier
  new-password current-password current off on set unset missing invalid expired refresh access omitted include
  options option flag flags argument arguments parameter parameters and for from with instead when
  same-origin inherit abc abcd abc123 asdf qwerty foo bar baz qux secret123 password123`.split(/\s+/),
)

const ENDS = ',;:)]}'
const NO_VALUE_FORMS = new Uint8Array(formOf(0x7f, NO_VALUE_MAX) + 1)
for (const word of NO_VALUES) NO_VALUE_FORMS[formOf(word.charCodeAt(0), word.length)] = 1

function formOf(first: number, length: number): number {
  return (first & 0x1f) * (NO_VALUE_MAX + 1) + length
}
