// Long texts to a few lines, by rule: code and tables are left out, paragraphs and list points are the units, and what
// only announces the next step says nothing that the tools used do not say too.

import { excerpt } from '../base/text.ts'

const LEAD_MIN = 60

/** The first sentence of a text, with what follows while it says too little: “Both are back.” */
export function leadOf(text: string, charactersMax = 240): string {
  let lead = ''
  for (const sentence of unitsOf(text).flatMap(sentencesOf)) {
    if (lead.length >= LEAD_MIN && !lead.endsWith(':')) break
    lead = lead === '' ? sentence : `${lead} ${sentence}`
  }
  return shorten(lead, charactersMax)
}

/** Its paragraphs and list points as lines. */
export function linesOf(text: string, linesMax: number, charactersMax: number): readonly string[] {
  const units = unitsOf(text)
  const lines = units.slice(0, linesMax).map((unit) => shorten(unit, charactersMax))
  if (units.length > linesMax) lines.push(`… ${units.length - linesMax} more`)
  return lines
}

const SHORTENED_FROM = 40

/** One line, white space joined, cut at a word. */
export function shorten(text: string, charactersMax: number): string {
  // Of a megabyte of tool output the beginning is enough.
  const line = oneLine(text.slice(0, SHORTENED_FROM * charactersMax))
  if (line.length <= charactersMax) return line
  const cut = excerpt(line, charactersMax - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > charactersMax / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

const ANNOUNCING =
  /^(?:(?:ok(?:ay)?|alright|good|great|perfect|now|first|next|then|so)\b[,.!:]?\s+)*(?:let me|let's|i'll|i will|i'm going to|i am going to|now i|time to|starting with)\b/i

/** “Let me look at the tests.” */
export function isAnnouncing(text: string): boolean {
  const line = oneLine(text)
  return line.length < 200 && (ANNOUNCING.test(line) || line.endsWith(':'))
}

const QUESTION_MIN = 16

/** What a text asks at its end. Questions in the middle are mostly answered there. */
export function closingQuestions(text: string): readonly string[] {
  const units = unitsOf(text)
  const questions: string[] = []
  for (const unit of units.slice(-3)) {
    let before = ''
    for (const sentence of sentencesOf(unit)) {
      const isQuestion = /[?？]["'”’)*_]*$/.test(sentence)
      // “Shall I?” needs what stands before it.
      if (isQuestion) questions.push(sentence.length < QUESTION_MIN ? fragment(`${before} ${sentence}`) : sentence)
      before = sentence
    }
  }
  // A question followed by more than a remark was rhetorical.
  const last = units.at(-1) ?? ''
  return questions.length > 0 && last.length < 600 ? questions.slice(-3).map((one) => shorten(one, 300)) : []
}

/** The beginning of a sentence may stand before a piece of code. */
function fragment(text: string): string {
  const said = text.trim()
  return /^\p{Ll}/u.test(said) ? `… ${said}` : said
}

const UNIT_MAX = 4_000

/** Paragraphs and list points without their marks; headings, tables, code and quotes of code are left out. */
function unitsOf(text: string): readonly string[] {
  const units: string[] = []
  let open: string[] = []
  let fence: string | null = null
  const close = (): void => {
    const unit = oneLine(open.join(' '))
    if (unit !== '') units.push(excerpt(unit, UNIT_MAX))
    open = []
  }
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (mark.startsWith(fence)) fence = null
      close()
    } else if (fence !== null) continue
    else if (line.trim() === '' || /^\s*(?:#{1,6}\s|\||[-*_]{3,}\s*$)/.test(line)) close()
    else {
      const said = line.replace(/^\s*(?:>\s?)+/, '')
      const point = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(said)
      if (point !== null) close()
      const words = point?.[1] ?? said
      if (/^\s*#{1,6}\s/.test(words)) close()
      else open.push(words)
    }
  }
  close()
  return units
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?]["'”’)*_]*)\s+(?=["'“(*_[`]*[\p{Lu}\p{Lo}\d])|(?<=[。！？])/u)
    .filter((one) => one.trim() !== '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
