// Pattern → searches over raw bytes. A line on which none of them finds anything cannot hold a match, so it is never
// parsed. JSON may spell any character as \uXXXX; the clients hardly ever do so for what a needle is made of. So we look
// for the longest part of the needle that is usually written as it is, and beside it for escapes of its characters.

import type { ByteSearch } from './scan-bytes.ts'
import { escapeSearch, exactSearch, foldedSearch } from './scan-bytes.ts'
import { requiredTexts } from './scan-literal.ts'
import type { ScanPattern } from './scan-model.ts'

export interface Prefilter {
  readonly searches: readonly ByteSearch[]
  /** What a search finds may be cut by the end of what was read: so many bytes must be looked at again. */
  readonly overlapBytes: number
}

const EVERY_LINE: Prefilter = { searches: [(bytes, from) => (from < bytes.length ? from : -1)], overlapBytes: 0 }

/** Each search is a pass over all bytes; beyond this many, parsing every line costs less. */
const RUNS_MAX = 4

export function prefilterOf(pattern: ScanPattern): Prefilter {
  const runs = runsOf(pattern)
  return runs === null || runs.length > RUNS_MAX ? EVERY_LINE : filterOf(runs, pattern.ignoreCase)
}

/** One run of characters for each alternative of the pattern; null when one of them has none. */
export function runsOf({ kind, text, ignoreCase }: ScanPattern): readonly string[] | null {
  const alternatives = kind === 'exact' ? [[text]] : requiredTexts(text)
  if (alternatives === null) return null
  const runs = alternatives.map((required) => longestRun(required, ignoreCase))
  return runs.includes('') ? null : [...new Set(runs)]
}

const RUN_LENGTH_MAX = 64

/** Without case only ASCII is left: there a letter and its other case are both one byte. */
function longestRun(texts: readonly string[], ignoreCase: boolean): string {
  const broken = ignoreCase ? /[^\x20-\x7e]|["\\/]/u : ESCAPED_OR_LOST
  const runs = texts.flatMap((text) => text.split(broken))
  const longest = runs.reduce((best, run) => (Buffer.byteLength(run) > Buffer.byteLength(best) ? run : best), '')
  return Array.from(longest).slice(0, RUN_LENGTH_MAX).join('')
}

/** What JSON must or may escape in a short form, and what decoding makes of bytes that are no UTF-8. */
const ESCAPED_OR_LOST = /[\x00-\x1f"\\/\ufffd\ud800-\udfff]/u

function filterOf(runs: readonly string[], ignoreCase: boolean): Prefilter {
  const units = new Set<number>()
  for (const run of runs) for (const unit of spellings(run, ignoreCase)) units.add(unit)
  const strangers = ignoreCase ? FOLDS_TO_ASCII.filter((stranger) => units.has(stranger.charCodeAt(0))) : []
  const searches = [
    ...runs.map((run) => (ignoreCase ? foldedSearch(Buffer.from(run.toLowerCase())) : exactSearch(Buffer.from(run)))),
    ...strangers.map((stranger) => exactSearch(Buffer.from(stranger))),
    escapeSearch(units),
  ]
  const longestBytes = Math.max(...runs.map((run) => Buffer.byteLength(run)))
  return { searches, overlapBytes: Math.max(longestBytes, ESCAPE_BYTES) }
}

const ESCAPE_BYTES = 6

/** ſ is an s and the Kelvin sign a k to whoever ignores case; no other character folds into ASCII. */
const FOLDS_TO_ASCII = ['\u017f', '\u212a']

/** Every UTF-16 unit that may stand for a part of the run. */
function spellings(run: string, ignoreCase: boolean): readonly number[] {
  const texts = ignoreCase ? [run.toLowerCase(), run.toUpperCase()] : [run]
  if (ignoreCase && /s/i.test(run)) texts.push('\u017f')
  if (ignoreCase && /k/i.test(run)) texts.push('\u212a')
  return texts.flatMap((text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)))
}
