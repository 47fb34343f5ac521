// What leaves this machine passes a Redactor first: text in, text with every Secret replaced by a Placeholder out.

/** One Secret in a text. It is told without telling the Secret. */
export interface Finding {
  /** Which rule found it: `aws-access-key`, `private-key`, `password`, … */
  readonly rule: string
  /** UTF-16 positions in the text that was handed in. */
  readonly start: number
  readonly end: number
  /** What stands in its place: `⟦secret:aws-access-key:3f9a20⟧`. The same Secret has the same one everywhere. */
  readonly placeholder: string
}

/** A Secret somewhere in a value. */
export type Found = Pick<Finding, 'rule' | 'placeholder'>

export interface Redacted {
  readonly text: string
  /** In order, none within another. */
  readonly findings: readonly Finding[]
}

export interface Redactor {
  readonly text: (text: string) => Redacted
  /** Every string of a plain JSON value, keys too. A value below a key such as `password` is a Secret whatever it looks like. */
  readonly value: <Value>(value: Value) => Value
  /**
   * Looks through a text or a JSON value and remembers the Secrets in it, so that they are found everywhere later on, also
   * where nothing around them says what they are. For a document: first all of it, then `text` and `value`.
   */
  readonly learn: (value: unknown) => void
  /** The same Secrets as `text` and `value` would take out, without taking them out and without counting them. */
  readonly find: (value: unknown) => readonly Found[]
  /** How often each rule has found something since the Redactor was made. */
  readonly counts: () => Readonly<Record<string, number>>
}

export interface RedactorOptions {
  /** A short stable tag for the Placeholder of a Secret. Without it, Secrets are numbered as they are met. */
  readonly tagOf?: (secret: string) => string
  /** Strings that are Secrets because the user says so. */
  readonly literals?: readonly string[]
  /** Whether a word is a Secret because the user says so without telling it: a list of hashes. */
  readonly isListed?: (word: string) => boolean
}
