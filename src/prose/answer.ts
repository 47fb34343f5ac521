// A model's answer back to paragraphs with numbers. It is text and nothing else: links lose their targets, numbers that
// no line has are dropped, and a paragraph whose numbers are all wrong is kept without any.

import { plainText } from './clean.ts'
import type { NumberedLine } from './lines.ts'
import { lineText } from './lines.ts'
import { cutToTokens, tokensOf } from './tokens.ts'

/** What is kept of an answer. Two of them fit into the smallest part, so that joining always comes to an end. */
export const KEPT_TOKENS_MAX = 1500
/** Looked at, before anything is kept. Thinking aloud may stand before the answer. */
const ANSWER_LENGTH_MAX = 100_000
const PARAGRAPH_TOKENS_MAX = 500
const NUMBERS_MAX = 20

const NUMBERS = /\s*[[【]\s*(\d{1,6}(?:\s*[-–,;]\s*\d{1,6})*)\s*[\]】]/g
const CODE = /(`{1,3})[^`]+\1/g
const BULLET = /^(?:[-*•–]|\d{1,2}[.)])\s+/

export function parseAnswer(text: string, known: ReadonlySet<number>, isCut: boolean): readonly NumberedLine[] {
  const paragraphs = paragraphsOf(withoutThinking(plainText(text.slice(0, ANSWER_LENGTH_MAX))))
    .map((paragraph) => numberedLine(paragraph, known))
    .filter((line) => /[\p{L}\p{N}]/u.test(line.text))
  // An answer that was cut off ends in half a sentence, and the numbers would have come behind it.
  const whole = isCut && paragraphs.length > 1 && paragraphs.at(-1)?.numbers.length === 0
  return bounded(whole ? paragraphs.slice(0, -1) : paragraphs)
}

/** Some local models think aloud before they answer. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, '')
}

/** A bullet, an empty line and a line that ended with numbers begin a paragraph; other line ends are only width. */
function paragraphsOf(text: string): readonly string[] {
  const paragraphs: string[] = []
  let isOpen = false
  for (const line of text.split('\n').map((one) => one.replace(/\s+/g, ' ').trim())) {
    const isRule = line === '' || /^(?:#{1,6} |```|~~~|-{3,}$|\*{3,}$)/.test(line)
    if (!isRule && isOpen && !BULLET.test(line)) paragraphs.push(`${paragraphs.pop()} ${line}`)
    else if (!isRule) paragraphs.push(line.replace(BULLET, ''))
    isOpen = !isRule && !/[\]】][. ]*$/.test(line)
  }
  return paragraphs
}

function numberedLine(paragraph: string, known: ReadonlySet<number>): NumberedLine {
  const numbers = new Set<number>()
  const take = (text: string): string =>
    withoutTargets(text).replace(NUMBERS, (_, list: string) => {
      for (const number of expand(list, known)) numbers.add(number)
      return ''
    })
  // An index in code is no number of ours.
  let plain = ''
  let at = 0
  for (const code of paragraph.matchAll(CODE)) {
    plain += take(paragraph.slice(at, code.index)) + code[0]
    at = code.index + code[0].length
  }
  plain += take(paragraph.slice(at))
  const text = plain
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim()
  return {
    text: cutToTokens(text, PARAGRAPH_TOKENS_MAX),
    numbers: [...numbers].sort((one, other) => one - other).slice(0, NUMBERS_MAX),
  }
}

/** A picture in a note is fetched when the note is opened; where it leads could tell somebody something. */
function withoutTargets(text: string): string {
  return text.replace(/!?\[([^\][]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s[^()]*)?\)/g, '$1')
}

/** `3`, `3, 7`, `3-5`: only what is known is gone through, however far a range reaches. */
function expand(list: string, known: ReadonlySet<number>): readonly number[] {
  return list.split(/[,;]/).flatMap((one) => {
    const [from = 0, to = from] = one.split(/[-–]/).map(Number)
    return [...known].filter((number) => number >= from && number <= to)
  })
}

function bounded(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  let left = KEPT_TOKENS_MAX
  const kept: NumberedLine[] = []
  for (const line of lines) {
    left -= tokensOf(`${lineText(line)}\n`)
    if (left < 0) break
    kept.push(line)
  }
  return kept
}
