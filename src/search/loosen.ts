// A query that asks for less: for when what was typed is hardly anywhere as it was typed.

import { formsOf, isFiller } from './forms.ts'
import type { Query, Term } from './query.ts'

/** Without the words that only hold a sentence together. Null when there are none, or nothing else. */
export function withoutFillers(query: Query): Query | null {
  const groups = query.groups.filter((group) => !group.every(isFillerTerm))
  return groups.length === 0 || groups.length === query.groups.length ? null : { ...query, groups }
}

/** Who pastes so many words means them as they are. */
const FORMED_MAX = 12

/** Each word in all its forms. */
export function withForms(query: Query): Query {
  if (query.groups.length > FORMED_MAX) return query
  return { ...query, groups: query.groups.map((group) => group.flatMap(formTerms)) }
}

function isFillerTerm(term: Term): boolean {
  return isLoosened(term) && isFiller(term.words[0] as string)
}

function formTerms(term: Term): readonly Term[] {
  if (!isLoosened(term)) return [term]
  return formsOf(term.words[0] as string).map((word) => ({ ...term, words: [word] }))
}

/** A symbol, a phrase and a word in quotes mean what they say. */
function isLoosened({ words, literal, isPrefix, isQuoted }: Term): boolean {
  return words.length === 1 && literal === null && !isPrefix && !isQuoted
}
