// What is answered when there is no answer.

/** What every failed request answers. */
export interface Refusal {
  /** One line that says what to do next. */
  readonly error: string
}
