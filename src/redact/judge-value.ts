// Whether a value that stands beside a name such as `password` is a Secret. How much it must look like one depends on where
// it stands: in a file of variables everything that is assigned is meant, in source code most of it is other code.

import { entropyOf } from './entropy.ts'
import { isHarmless, isWild, isWordy } from './harmless.ts'
import type { NameKind } from './names.ts'

export type ValuePlace =
  /** `"password": "…"` or `<password>…</password>`. */
  | 'document'
  /** `PASSWORD=…` on a line of its own, or before a command. */
  | 'environment'
  /** `--password …` */
  | 'flag'
  /** `?token=…&` */
  | 'query'
  /** `password: …` on a line of its own, without quotes. */
  | 'line'
  /** `password = '…'` */
  | 'quoted'
  /** In the middle of something, without quotes. */
  | 'bare'
  /** `set("password", "…")`, `the password is …` */
  | 'near'
  /** What follows is a bracket: a function is called. */
  | 'call'

export function isSecretValue(value: string, kind: NameKind, place: ValuePlace): boolean {
  // What costs least and fails most comes first.
  return place !== 'call' && looksSecret(value, kind, place) && !isItsOwnName(value) && !isHarmless(value)
}

/**
 * Where a value without quotes ends. Only a password may have letters beyond ASCII in it; behind a token they are the next
 * word, for in some scripts no blank stands between. Dots and bullets tell a stand-in, and belong to it.
 */
export function endOf(codes: Uint16Array, start: number, end: number, kind: NameKind): number {
  for (let at = start; at < end; at++) {
    const code = codes[at] as number
    if (code < 128 || code === ELLIPSIS || code === BULLET) continue
    if (kind !== 'password' || isFullWidthSign(code)) return at
  }
  return end
}

const ELLIPSIS = 0x2026
const BULLET = 0x2022

/** 。、「」，：；！？（） and the like. */
function isFullWidthSign(code: number): boolean {
  return (code >= 0x3000 && code <= 0x301f) || (code >= 0xff01 && code <= 0xff0f) || (code >= 0xff1a && code <= 0xff20)
}

/** Without one the answer is no. It is asked for where most of what is looked at is code. */
export function needsDigit(kind: NameKind, place: ValuePlace): boolean {
  return (place === 'bare' || place === 'near') && kind !== 'cookie' && kind !== 'authorization'
}

function looksSecret(value: string, kind: NameKind, place: Exclude<ValuePlace, 'call'>): boolean {
  if (place === 'near' && kind !== 'password' && NAMES.test(value)) return false
  if (kind === 'cookie' || kind === 'authorization') return isStrong(value, 16) && !isCode(value)
  const isPassword = kind === 'password'
  switch (place) {
    case 'document':
    case 'environment':
    case 'flag':
    case 'query':
      if (isPassword) return value.length >= 4 && !isSentence(value) && (place !== 'query' || value.length >= 6)
      return isTokenLike(value, 8)
    case 'quoted':
      return isPassword ? isStrong(value, 6) : isTokenLike(value, 12)
    case 'line':
      return isPassword ? isStrong(value, 6) && !isCode(value) : isTokenLike(value, 12) && !isCode(value)
    case 'bare':
    case 'near':
      return isPassword
        ? hasDigit(value) && isStrong(value, 7) && !isCode(value)
        : hasDigit(value) && isTokenLike(value, 16) && !isCode(value)
  }
}

/** Long enough, no word, and not the same few characters over and over. */
function isStrong(value: string, lengthMin: number): boolean {
  if (value.length < lengthMin || BLANK.test(value) || isSentence(value)) return false
  const entropy = entropyOf(value)
  if (entropy < (value.length < 16 ? 2.2 : isLongHex(value) ? 2.7 : 3)) return false
  if ((value.length < 20 || entropy < 3.4) && !hasDigit(value) && !BEYOND_NAMES.test(value)) return false
  return !isWordy(value)
}

/** Of sixteen characters chance repeats some so often that three bits are too many to ask for. */
function isLongHex(value: string): boolean {
  return value.length >= 32 && LONG_HEX.test(value)
}

const LONG_HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]+$/i
const BLANK = /\s/
const BEYOND_NAMES = /[^A-Za-z0-9_.:/-]/

/** What machines make is of one piece, and has digits in it or a wild mix of letters. */
function isTokenLike(value: string, lengthMin: number): boolean {
  if (value.length < lengthMin || !VISIBLE.test(value) || BRACKET.test(value)) return false
  if (!isStrong(value, lengthMin)) return false
  return hasDigit(value) || isWild(value)
}

const VISIBLE = /^[!-~]+$/
const BRACKET = /[(){};`<>\\]/

/** `secret "tide-release-postgresql-15" deleted`: words and numbers apart, as things are named. */
const NAMES =
  /^(?:[A-Z]?[a-z]{1,24}\d{0,4}|[A-Z]{1,24}\d{0,4}|\d{1,12}[a-z]?|[a-z]\d[a-z])(?:[-_./:](?:[A-Z]?[a-z]{1,24}\d{0,4}|[A-Z]{1,24}\d{0,4}|\d{1,12}[a-z]?|[a-z]\d[a-z])){1,16}$/

/** `password=dbpassword` is an example. */
function isItsOwnName(value: string): boolean {
  return isWordy(value) && /pass|secret|token|key/i.test(value)
}

/** Names with dots, calls, comparisons: something to be computed. */
function isCode(value: string): boolean {
  if (DOTTED_NAMES.test(value) && !isNumbered(value)) return true
  return (
    !isWild(value) &&
    /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*[!;:]?$/.test(value) &&
    !/\d.*[A-Za-z].*\d|\d{3}/.test(value)
  )
}

const DOTTED_NAMES = /^(?:[A-Za-z_$][\w$]{0,40}\.){1,6}[\w$]{0,40}(?:[A-Z][a-z]{2,}|[a-z]{4,})$/

/** `Summer2024.blue`: a password more often than a name, unless the number is that of an algorithm, or a Secret is named. */
function isNumbered(value: string): boolean {
  if (!/\d{3}/.test(value) || NAMES_SECRET.test(value)) return false
  return /\d{3}/.test(value.replace(ALGORITHMS, ''))
}

const NAMES_SECRET =
  /(?:[._](?:pass|password|passwd|passphrase|pwd|secret|token|key|credential)|[a-z0-9](?:Pass|Password|Secret|Token|Key|Credential))s?$/
const ALGORITHMS =
  /x509|(?:x|ed)(?:448|25519)|sha(?:224|256|384|512)|p(?:192|224|256|384|521)|poly1305|ripemd160|(?:aes|rsa|kem|dsa|int|secp|keccak)(?:128|192|256|512|768|1024|2048|3072|4096)/gi

function isSentence(value: string): boolean {
  return SENTENCE.test(value) || (!hasDigit(value) && WORDS.test(value))
}

/** So many letters of a script that needs no blanks say something, whatever they count. */
const SENTENCE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{8}/

/** Two with a blank between, several letters of a script that needs none, or a word with a letter that no keyboard of programs has. */
const WORDS =
  /\p{L}[.,:!?]?\s+\p{L}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4}|^(?=.*[^\0-\x7f])[\p{L}\p{M}'’-]+[ .:!?*…]*$/u

function hasDigit(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code >= 48 && code <= 57) return true
  }
  return false
}
