// All rules → one automaton, and for each of its keywords what to do where it stands.

import type { Automaton } from './automaton.ts'
import { automatonOf } from './automaton.ts'
import { ESCAPE_SIGNS } from './decode.ts'
import type { Rule } from './rule.ts'
import { CLOUD_RULES } from './rules-clouds.ts'
import { EVERYWHERE_RULES } from './rules-everywhere.ts'
import { FORGE_RULES } from './rules-forges.ts'
import { MODEL_RULES } from './rules-models.ts'
import { WORK_RULES } from './rules-work.ts'

export const RULES: readonly Rule[] = [
  ...FORGE_RULES,
  ...MODEL_RULES,
  ...CLOUD_RULES,
  ...WORK_RULES,
  ...EVERYWHERE_RULES,
]

export interface Keyword {
  readonly length: number
  /** Numbers in RULES. */
  readonly rules: readonly number[]
  /** A part of a name such as `password`. */
  readonly isName: boolean
  readonly isEscape: boolean
  readonly block: 'begin' | 'end' | 'putty' | null
  /** Strings are put together here: `"…" + "…"`. */
  readonly isJoin: boolean
}

export interface Keywords {
  readonly automaton: Automaton
  readonly keywords: readonly Keyword[]
}

export function openKeywords(): Keywords {
  const words = new Map<string, { -readonly [Key in keyof Keyword]: Keyword[Key] } & { rules: number[] }>()
  const wordOf = (word: string) => {
    const made = words.get(word) ?? {
      length: word.length,
      rules: [],
      isName: false,
      isEscape: false,
      block: null,
      isJoin: false,
    }
    words.set(word, made)
    return made
  }
  for (const [number, rule] of RULES.entries()) for (const word of rule.keywords) wordOf(word).rules.push(number)
  for (const word of NAME_WORDS) wordOf(word).isName = true
  for (const sign of ESCAPE_SIGNS) wordOf(sign).isEscape = true
  for (const sign of JOIN_SIGNS) wordOf(sign).isJoin = true
  for (const sign of ['-----begin ', '---- begin ']) wordOf(sign).block = 'begin'
  for (const sign of ['-----end ', '---- end ']) wordOf(sign).block = 'end'
  wordOf('private-lines:').block = 'putty'
  return { automaton: automatonOf([...words.keys()]), keywords: [...words.values()] }
}

const KEY_WORDS =
  `api access secret private encryption encrypt signing sign master account storage license licence auth deploy
  ssh service sas subscription app application hmac aes webhook session cookie crypto vault root admin primary secondary
  write integration consumer ingestion decrypt decryption cipher jwt ssl tls pgp gpg`.split(/\s+/)

const NAME_WORDS: readonly string[] = [
  ...'pswd masterauth rediscli_auth kennwort senha contrasena wachtwoord pwd secret token credential creds mnemonic bearer jwt'.split(
    ' ',
  ),
  ...'pass _pw authorization cookie privkey _pat'.split(' '),
  ...KEY_WORDS.flatMap((word) => [`${word}key`, `${word}_key`, `${word}-key`]),
  // As people write it.
  ...'api access secret private auth master signing encryption'.split(' ').map((word) => `${word} key`),
]

const JOIN_SIGNS = ['" +', '"+', "' +", "'+", '" .', "' .", '" \\', '"\n', "'\n", '" &']
