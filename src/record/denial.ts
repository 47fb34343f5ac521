// Clients of today write why a call was not carried out (`toolDenialKind`). Older ones say it to the model in words of
// their own, as an error like any other.

/** Beginnings only, and short ones: neither reader looks far into a text. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/^The user doesn't want to proceed with this tool use/, 'user-rejected'],
  // What calls are answered that had not begun when the person stopped the client.
  [/^The user doesn't want to take this action right now/, 'interrupted'],
  [/^\[Request interrupted by user/, 'interrupted'],
  [/^Permission prompt was aborted/, 'interrupted'],
  // Nobody decided: a rule or a hook forbade it, or there was nobody to ask.
  [/^Claude requested permissions to /, 'permission-rule'],
  [/^This command requires approval/, 'permission-rule'],
  [/^Permission to use /, 'permission-rule'],
  [/^PreToolUse:\S{1,60} hook error/, 'permission-rule'],
  [/^\S{1,60} operation blocked by hook:/, 'permission-rule'],
]

/** So much of a text is looked at, in bytes or in characters. */
export const DENIAL_LENGTH_MAX = 400

/** From the texts of a record's results, null for one that is no error. All of them must say so: the kind is the record's. */
export function deniedInWords(errors: Iterable<string | null>): string | null {
  let first: string | null = null
  for (const error of errors) {
    const kind = error === null ? undefined : SAID.find(([words]) => words.test(error))?.[1]
    if (kind === undefined) return null
    first ??= kind
  }
  return first
}
