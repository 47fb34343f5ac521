// A rule and the place of its keyword → a Span. A rule that fails is not tried without end in the same place: that is what
// keeps hostile text linear.

import { isHarmless, isMadeUp } from './harmless.ts'
import type { Rule } from './rule.ts'
import type { Span } from './span.ts'

export interface RuleMatcher {
  readonly at: (rule: number, keywordStart: number) => Span | null
}

export function matchRules(text: string, rules: readonly Rule[]): RuleMatcher {
  const state = stateOf(rules.length)
  const { doneTo, countedFrom, failures, walkOf } = state
  const walk = ++state.walks
  return {
    at: (number, keywordStart) => {
      const rule = rules[number]
      if (rule === undefined) return null
      if (walkOf[number] !== walk) {
        walkOf[number] = walk
        doneTo[number] = 0
        countedFrom[number] = 0
        failures[number] = 0
      }
      if (keywordStart < (doneTo[number] as number)) return null
      const start = rule.startOf === null ? keywordStart : rule.startOf(text, keywordStart)
      if (rule.isApart && isLetterOrDigit(text.charCodeAt(start - 1))) return null
      if (keywordStart - (countedFrom[number] as number) > FAILURE_WINDOW) {
        countedFrom[number] = keywordStart
        failures[number] = 0
      }
      if ((failures[number] as number) >= (rule.isWide ? WIDE_FAILURES_MAX : FAILURES_MAX)) return null
      rule.pattern.lastIndex = start
      // An answer with groups is costly where it is not needed.
      const match = rule.hasGroup ? rule.pattern.exec(text) : null
      if (rule.hasGroup ? match === null : !rule.pattern.test(text)) {
        failures[number] = (failures[number] as number) + 1
        return null
      }
      const end = rule.pattern.lastIndex
      const inner = match?.[1]
      doneTo[number] = end
      const secret = inner ?? text.slice(start, end)
      if (isMadeUp(secret) || (inner !== undefined && isHarmless(secret))) return null
      return { start: end - secret.length, end, rule: rule.name, secret, rank: inner === undefined ? 1 : 2 }
    },
  }
}

/** For each rule: up to where it has matched, where its failures are counted from, how many there were, and in which walk. */
interface State {
  readonly doneTo: Int32Array
  readonly countedFrom: Int32Array
  readonly failures: Int32Array
  readonly walkOf: Float64Array
  walks: number
}

// One for all texts, of which most are short: a walk is over before the next begins.
let state: State | null = null

function stateOf(count: number): State {
  state ??= {
    doneTo: new Int32Array(count),
    countedFrom: new Int32Array(count),
    failures: new Int32Array(count),
    walkOf: new Float64Array(count),
    walks: 0,
  }
  return state
}

const FAILURE_WINDOW = 2048
const FAILURES_MAX = 24
const WIDE_FAILURES_MAX = 4

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}
