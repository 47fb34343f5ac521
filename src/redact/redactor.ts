// The one way in: a Redactor remembers the Secrets it has met for as long as it lives, and nothing of them anywhere else.

import { openLiterals } from './literals.ts'
import { countRules, findingsOf, redactedOf } from './marks.ts'
import { remember } from './memory.ts'
import type { Finding, Found, Redacted, Redactor, RedactorOptions } from './model.ts'
import { isPlaceholder, numberTags, openPlaceholders } from './placeholder.ts'
import type { Knowledge } from './redact-text.ts'
import { redactText } from './redact-text.ts'
import type { Strings } from './redact-value.ts'
import { redactValue } from './redact-value.ts'
import { openRegistry } from './registry.ts'

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { tagOf = numberTags(), literals: told = [], isListed = null } = options
  const literals = openLiterals()
  const registry = openRegistry()
  for (const secret of told) literals.add(secret, registry.numberOf(secret), 'literal', secret)
  const placeholders = openPlaceholders(tagOf)
  const knowledge: Knowledge = { literals, registry, placeholders, isListed }
  const counts = new Map<string, number>()
  const count = (told: Told): void => countRules(told, counts)
  const text = (written: string): Redacted => {
    const redacted = redactText(written, knowledge)
    count(redacted.marks)
    return redactedOf(redacted.text, redacted.marks, placeholders)
  }
  /** The same keys come again and again. */
  const keys = new Map<string, string>()
  const counted = stringsOf(knowledge, keys, count)
  let found: Found[] = []
  const gathered = stringsOf(knowledge, keys, ({ rules, numbers }) => {
    for (const [index, rule] of rules.entries()) {
      const number = numbers[index] as number
      if (number !== 0) found.push({ rule, placeholder: placeholders.of(number) })
    }
  })
  const find = (root: unknown): readonly Found[] => {
    found = []
    value(root, gathered)
    return found
  }
  /** What was learned on the way may stand in what was passed before: then all of it is looked at again. */
  const value = <Value>(root: Value, strings: Strings): Value => {
    let redacted: unknown = root
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      const known = literals.size()
      redacted = redactValue(redacted, strings)
      if (literals.size() === known) break
    }
    return redacted as Value
  }
  return {
    text,
    value: (root) => value(root, counted),
    learn: (root) => {
      find(root)
    },
    find,
    counts: () => Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

const PASSES_MAX = 3

/** What rules have found, and the numbers of it. */
interface Told {
  readonly rules: string[]
  readonly numbers: ArrayLike<number>
}

function stringsOf(knowledge: Knowledge, keys: Map<string, string>, onFound: (told: Told) => void): Strings {
  const { literals, placeholders } = knowledge
  let keysKnown = literals.size()
  const text = (written: string): string => {
    const redacted = redactText(written, knowledge)
    onFound(redacted.marks)
    return redacted.text
  }
  return {
    text,
    lines: (lines) => {
      const { marks } = redactText(lines.join('\n'), knowledge)
      onFound(marks)
      const findings = findingsOf(marks, placeholders)
      return findings.length === 0 ? lines : splitLines(lines, findings)
    },
    key: (key) => {
      if (keysKnown !== literals.size()) {
        keys.clear()
        keysKnown = literals.size()
      }
      const known = keys.get(key)
      if (known !== undefined) return known
      const told = text(key)
      if (keys.size < KEYS_MAX && key.length <= 100) keys.set(key, told)
      return told
    },
    secret: (secret, kind) => {
      if (isPlaceholder(secret)) return secret
      const number = remember({ secret, rule: kind }, knowledge)
      placeholders.expect(number, secret, kind)
      onFound({ rules: [kind], numbers: [number] })
      return placeholders.of(number)
    },
  }
}

const KEYS_MAX = 10_000

/** A Finding that goes over several lines stands in each of them. */
function splitLines(lines: readonly string[], findings: readonly Finding[]): readonly string[] {
  let lineStart = 0
  let first = 0
  return lines.map((line) => {
    const lineEnd = lineStart + line.length
    let told = ''
    let from = lineStart
    while (first < findings.length && (findings[first]?.end ?? 0) <= lineStart) first++
    for (let index = first; index < findings.length; index++) {
      const finding = findings[index]
      if (finding === undefined || finding.start >= lineEnd) break
      told += line.slice(from - lineStart, Math.max(0, finding.start - lineStart)) + finding.placeholder
      from = Math.min(finding.end, lineEnd)
    }
    told += line.slice(from - lineStart)
    lineStart = lineEnd + 1
    return told
  })
}
