// Names with their values in places that nothing between them assigns: the value has a key of its own, or a command sets it.

import { isQuote } from './operator.ts'

/** Where the value begins behind `"name": "DB_PASSWORD", "value": "…"`, the same in two lines of YAML, `key="DbPassword" value="…"`. */
export function behindLabel(text: string, codes: Uint16Array, nameEnd: number): number {
  const code = codes[nameEnd] as number
  const mayBe = isQuote(code) || code === BACKSLASH || code === NEWLINE || code === RETURN
  return mayBe ? behind(LABELLED, text, nameEnd) : -1
}

/** Behind `"password": { "value": "…" }`. */
export function behindBrace(text: string, codes: Uint16Array, at: number): number {
  return codes[at] === BRACE ? behind(NESTED, text, at) : -1
}

/** `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`, `setx DB_PASSWORD …`, `ENV DB_PASSWORD …` */
export function isSet(text: string, nameStart: number): boolean {
  return SETTER.test(text.slice(Math.max(0, nameStart - SETTER_MAX), nameStart))
}

function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

const NEWLINE = 10
const RETURN = 13
const BACKSLASH = 0x5c
const BRACE = 0x7b

const LABELLED =
  /(?:\\{0,3}["'])?[ \t]{0,4},?[ \t]{0,4}(?:\r?\n[ \t]{0,64}(?:\d{1,6}[→\t|:])?[ \t+>#-]{0,64})?\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}/iy
const NESTED = /\{\s{0,64}\\{0,3}["']value\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}/iy
const SETTER =
  /(?:\b(?:config(?:ure)?|CONFIG|secrets?|npm)[ \t]{1,4}(?:set|SET|put)|\bgit[ \t]{1,4}config|\bset(?:env|x)|\bSETX|\bset[ \t]{1,4}-[A-Za-z]{1,4}|(?<![\w$-])(?:ENV|ARG)|--name)(?:[ \t]{1,4}--[a-z-]{1,20}){0,2}[ \t]{1,4}["']?[^\s"'=]{0,60}$/
const SETTER_MAX = 120
