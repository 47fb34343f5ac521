// What a reader sees of a text that matched: the client writes slash commands and shell lines between tags of its own.

import { typedLine, untagged } from '../conversation/typed.ts'
import { userAuthorship } from '../record/authorship.ts'
import { object } from '../record/fields.ts'
import type { Matcher, Span } from './scan-pattern.ts'
import type { TextMatch } from './scan-record.ts'

/** As it was typed, where the match is in that too; else as it is stored, for the match may be in the tags. */
export function shownMatch(
  body: unknown,
  match: TextMatch,
  matcher: Matcher,
): { readonly text: string; readonly first: Span } {
  if (!match.text.includes('<') || !isBetweenTags(body, match.field)) return match
  const text = typedLine(match.text) ?? untagged(match.text)
  const first = matcher(text)(0)
  return first === null ? match : { text, first }
}

/** A person, or a tool that reads a transcript, may have the same tags in a text and mean them. */
function isBetweenTags(body: unknown, field: string): boolean {
  const fields = object(body)
  if (fields === null) return false
  if (fields['type'] === 'system') return fields['subtype'] === 'local_command' && field === 'content'
  if (fields['type'] !== 'user' || !CONTENT.test(field)) return false
  const message = object(fields['message'])
  const { injection } = userAuthorship(fields, message === null ? fields['message'] : message['content'])
  return injection === 'command' || injection === 'command-output' || injection === 'shell'
}

const CONTENT = /^message(?:\.content(?:\.\d+(?:\.text)?)?)?$/
