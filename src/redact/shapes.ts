// Tokens without a keyword that tells them: their length and the characters in them do.

import { textInBase64 } from './base64.ts'
import type { Coded } from './coded.ts'
import { isMadeUp } from './harmless.ts'
import type { Span } from './span.ts'

/** What stands from `start` is a run of letters and digits as long as it can be. */
export function shapeOf(coded: Coded, start: number, end: number): Span | null {
  const { text } = coded
  const length = end - start
  const first = text.charCodeAt(start)
  if (length === 17 && first === 0x70) return spanAt(text, start, AIRTABLE, 'airtable-token')
  if (length <= 36 && (first === 0x31 || first === 0x32) && text.charCodeAt(start + 1) === 0x2f)
    return spanAt(text, start, ASANA, 'asana-token')
  if (length === 24 && text.startsWith('s.', start - 2)) return vaultToken(text, start)
  if (length === 34) return spanAt(text, start, TWILIO, text.charAt(start) === 'S' ? 'twilio-key' : 'twilio-account')
  if (length >= 80 && length <= 140 && text.startsWith('AAAAAAAAAAAAAAAAAA', start))
    return spanAt(text, start, TWITTER, 'twitter-bearer')
  if (length === 50) return spanAt(text, start, MAILGUN, 'mailgun-key')
  // The first part is the number of an account in base64, and digits begin with these letters.
  if (length >= 23 && length <= 28 && text.charCodeAt(end) === 0x2e && /[MNO]/.test(text.charAt(start))) {
    const account = textInBase64(coded, start, end)
    return account !== null && /^\d{17,20}$/.test(account) ? spanAt(text, start, DISCORD, 'discord-token') : null
  }
  return null
}

/** Those of before 2022 are `s.` and letters and digits; names of methods may be as long. */
function vaultToken(text: string, start: number): Span | null {
  if (start > 2 && /[A-Za-z0-9_$)\]]/.test(text.charAt(start - 3))) return null
  return spanAt(text, start - 2, VAULT, 'vault-token')
}

const VAULT = /s\.(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![.(])/y
const AIRTABLE = /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y
const ASANA = /[12]\/\d{15,17}(?:\/\d{15,17})?:[a-f0-9]{32}(?![A-Za-z0-9])/y
const TWILIO = /(?:SK|AC)[a-f0-9]{32}/y
const TWITTER = /A{18,24}[A-Za-z0-9%]{60,120}/y
const MAILGUN = /[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}/y
const DISCORD = /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/y

function spanAt(text: string, start: number, pattern: RegExp, rule: string): Span | null {
  pattern.lastIndex = start
  const secret = pattern.exec(text)?.[0]
  if (secret === undefined || isMadeUp(secret)) return null
  return { start, end: start + secret.length, rule, secret, rank: 1 }
}
