// Names with their values in places that nothing between them assigns: the value has a key of its own, or a command sets it.

import { isQuote } from './operator.ts'

/**
 * Where the value begins behind `"name": "DB_PASSWORD", "value": "…"`, the same in two lines of YAML, `key="DbPassword" value="…"`,
 * with other keys between them too; and behind `variable "db_password" { default = "…"` of Terraform.
 */
export function behindLabel(text: string, codes: Uint16Array, nameStart: number, nameEnd: number): number {
  const code = codes[nameEnd] as number
  if (!isQuote(code) && code !== BACKSLASH && code !== NEWLINE && code !== RETURN) return -1
  const block = behind(BLOCK, text, nameEnd)
  if (block !== -1) return isAfter(OPENING, text, nameStart) ? behindKeys(DEFAULT, text, block) : -1
  const value = behind(LABELLED, text, nameEnd)
  if (value !== -1) return value
  const other = behind(OTHER, text, nameEnd)
  return other !== -1 && isAfter(LABEL, text, nameStart) ? behindKeys(LABELLED, text, other) : -1
}

/** Behind `"password": { "value": "…" }`, also as Terraform tells it: `"db_password": { "sensitive": true, …, "value": "…"`. */
export function behindBrace(text: string, codes: Uint16Array, at: number): number {
  return codes[at] === BRACE ? behindKeys(NESTED, text, at + 1) : -1
}

/** `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`, `setx DB_PASSWORD …`, `ENV DB_PASSWORD …` */
export function isSet(text: string, nameStart: number): boolean {
  return isAfter(SETTER, text, nameStart)
}

/** The key of the value, with a few others before it. */
function behindKeys(value: RegExp, text: string, from: number): number {
  let at = from
  for (let others = 0; others < OTHERS_MAX && at !== -1; others++) {
    const found = behind(value, text, at)
    if (found !== -1) return found
    at = behind(OTHER, text, at)
  }
  return -1
}

function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function isAfter(pattern: RegExp, text: string, at: number): boolean {
  return pattern.test(text.slice(Math.max(0, at - BEFORE_MAX), at))
}

const NEWLINE = 10
const RETURN = 13
const BACKSLASH = 0x5c
const BRACE = 0x7b
const OTHERS_MAX = 6
const BEFORE_MAX = 120

/** What closed the value before, the line end with what a listing or a list has before the next key, and what opens that. */
const BETWEEN = String.raw`(?:\\{0,3}["'])?[ \t]{0,4},?[ \t]{0,4}(?:\r?\n[ \t]{0,64}(?:\d{1,6}[\u2192\t|:])?[ \t+>#-]{0,64})?\\{0,3}["']?`
const SIGN = String.raw`\\{0,3}["']?[ \t]{0,40}[:=][ \t]{0,4}`
const LABELLED = new RegExp(`${BETWEEN}value${SIGN}`, 'iy')
const DEFAULT = new RegExp(`${BETWEEN}(?:value|default)${SIGN}`, 'iy')
const NESTED = new RegExp(`${BETWEEN}(?<=["'])value${SIGN}`, 'iy')
const OTHER = new RegExp(
  String.raw`${BETWEEN}[A-Za-z][\w.-]{0,40}${SIGN}(?:\\{0,3}["'][^"'\\\n]{0,200}(?=\\{0,3}["'])|[\w.+()-]{1,60}(?=[\s,]))`,
  'y',
)
const LABEL =
  /(?:name|key|id|variable|setting|parameter)["'\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}["'\\]{0,4}[^\s"'\\]{0,64}$/i
const BLOCK = /["'][ \t]{0,4}\{/y
const OPENING = /\b(?:variable|output)[ \t]{1,4}["']\w{0,64}$/
const SETTER =
  /(?:\b(?:config(?:ure)?|CONFIG|secrets?|npm)[ \t]{1,4}(?:set|SET|put)|\bgit[ \t]{1,4}config|\bset(?:env|x)|\bSETX|\bset[ \t]{1,4}-[A-Za-z]{1,4}|(?<![\w$-])(?:ENV|ARG)|--name)(?:[ \t]{1,4}--[a-z-]{1,20}){0,2}[ \t]{1,4}["']?[^\s"'=]{0,60}$/
