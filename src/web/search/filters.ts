// What narrows a search, and how it is typed: `project:tide since:7d tool:Bash` are filters, the rest is looked for.

export const FIELDS = ['prompts', 'replies', 'tools', 'files', 'commands', 'titles'] as const
export type Field = (typeof FIELDS)[number]

export interface Filters {
  /** Everything when empty. */
  readonly fields: readonly Field[]
  readonly since: string | null
  readonly until: string | null
  readonly project: string | null
  readonly tool: string | null
  readonly file: string | null
}

export const NO_FILTERS: Filters = { fields: [], since: null, until: null, project: null, tool: null, file: null }

export interface Typed {
  readonly words: string
  readonly filters: Filters
}

const TYPED = /(?:^|\s)(in|since|until|project|tool|file):(?:"([^"]*)"|(\S+))(?=(\s)|$)/gi

/**
 * Filters in a text, laid on those that are there already. With `isFinished` only those that a space follows: the last
 * one may still be typed.
 */
export function readTyped(text: string, known: Filters, isFinished = false): Typed {
  let filters = known
  const words = text.replace(TYPED, (whole, name: string, quoted?: string, bare?: string, space?: string) => {
    if (isFinished && space === undefined) return whole
    const next = withFilter(filters, name.toLowerCase(), quoted ?? bare ?? '')
    if (next === null) return whole
    filters = next
    return ''
  })
  return { words: filters === known ? text : words.replace(/^\s+/, ''), filters }
}

const TIME = /^(?:today|\d+[mhdw]|\d{4}-\d\d-\d\d)$/

/** Null for what is no filter after all: then it is a word like any other. */
function withFilter(filters: Filters, name: string, value: string): Filters | null {
  if (value === '') return null
  if (name === 'since' || name === 'until') return TIME.test(value) ? { ...filters, [name]: value } : null
  if (name !== 'in') return { ...filters, [name]: value }
  const fields = value.split(',').map((one) => FIELDS.find((field) => field === one.toLowerCase()))
  if (fields.some((field) => field === undefined)) return null
  return { ...filters, fields: [...new Set([...filters.fields, ...fields.flatMap((field) => field ?? [])])] }
}

export function isNarrow(filters: Filters): boolean {
  return filters.fields.length > 0 || namedFilters(filters).length > 0
}

export type NamedFilter = Exclude<keyof Filters, 'fields'>

/** Those that have a value of their own, for chips that can be taken away. */
export function namedFilters(filters: Filters): readonly { readonly name: NamedFilter; readonly value: string }[] {
  return (['project', 'tool', 'file', 'since', 'until'] as const).flatMap((name) => {
    const value = filters[name]
    return value === null ? [] : [{ name, value }]
  })
}

/** The same as one text, as it could be typed. */
export function typedText({ words, filters }: Typed): string {
  const named = namedFilters(filters).map(({ name, value }) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`)
  const fields = filters.fields.length === 0 ? [] : [`in:${filters.fields.join(',')}`]
  return [...fields, ...named, words.trim()].filter((part) => part !== '').join(' ')
}
