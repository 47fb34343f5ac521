// Where Placeholders will stand in a text, or stood before, in columns: a text may have fifty thousand, and most who redact
// never ask for the Findings. They are made of this when somebody does.

import type { Finding, Redacted } from './model.ts'
import type { Placeholders } from './placeholder.ts'
import { placeholdersIn } from './placeholder.ts'

/** In order, none within another. */
export interface Marks {
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Of the Secrets in the Registry; 0 for what stood there before, which no rule has found. */
  readonly numbers: Int32Array
  readonly rules: string[]
}

export function roomForMarks(length: number): Marks {
  const numbers = new Int32Array(length)
  return { starts: new Int32Array(length), ends: new Int32Array(length), numbers, rules: [] }
}

const NO_RULE = ''

export function marksIn(text: string): Marks {
  const places = placeholdersIn(text)
  if (places.length === 0) return NO_MARKS
  const marks = roomForMarks(places.length)
  for (const { start, end } of places) {
    marks.starts[marks.rules.length] = start
    marks.ends[marks.rules.length] = end
    marks.rules.push(NO_RULE)
  }
  return marks
}

const NO_MARKS = roomForMarks(0)

export function copyMark(from: Marks, index: number, to: Marks): void {
  const at = to.rules.length
  to.starts[at] = from.starts[index] as number
  to.ends[at] = from.ends[index] as number
  to.numbers[at] = from.numbers[index] as number
  to.rules.push(from.rules[index] as string)
}

/** How often each rule has found something. Mostly one kind stands beside the same kind. */
export function countRules({ rules }: Pick<Marks, 'rules'>, counts: Map<string, number>): void {
  for (let from = 0, to = 0; from < rules.length; from = to) {
    const rule = rules[from] as string
    while (to < rules.length && rules[to] === rule) to++
    if (rule !== NO_RULE) counts.set(rule, (counts.get(rule) ?? 0) + to - from)
  }
}

export function findingsOf({ starts, ends, numbers, rules }: Marks, placeholders: Placeholders): readonly Finding[] {
  const findings: Finding[] = []
  for (let index = 0; index < rules.length; index++) {
    const number = numbers[index] as number
    if (number === 0) continue
    const rule = rules[index] as string
    const placeholder = placeholders.of(number)
    findings.push({ rule, start: starts[index] as number, end: ends[index] as number, placeholder })
  }
  return findings
}

export function redactedOf(text: string, marks: Marks, placeholders: Placeholders): Redacted {
  let findings: readonly Finding[] | null = null
  return {
    text,
    get findings() {
      findings ??= findingsOf(marks, placeholders)
      return findings
    },
  }
}
