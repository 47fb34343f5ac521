// A task made ready to be sent: redacted, plain, numbered. The numbers are the only thing that leads back to Records;
// paths and ids are not sent.

import type { Citation } from '../digest/model.ts'
import type { Redactor } from '../redact/model.ts'
import { plainLine } from './clean.ts'
import type { CitedLine, ProseTask } from './model.ts'
import { cutToTokens, tokensOf } from './tokens.ts'

/** A text and the numbers of the task's lines it rests on. */
export interface NumberedLine {
  readonly text: string
  readonly numbers: readonly number[]
}

export interface PreparedTask {
  readonly heading: string
  readonly lines: readonly NumberedLine[]
}

const LINE_TOKENS_MAX = 1200
const HEADING_TOKENS_MAX = 100
const CITES_MAX = 20

export function prepareTask(task: ProseTask, redactor: Redactor): PreparedTask {
  const lines = task.lines.map(({ text }, index) => ({
    text: cutToTokens(safeToSend(text, redactor), LINE_TOKENS_MAX),
    numbers: [index + 1],
  }))
  return {
    heading: cutToTokens(safeToSend(task.heading, redactor), HEADING_TOKENS_MAX),
    lines: lines.filter(({ text }) => text !== ''),
  }
}

/**
 * Redacted twice. A key over several lines is known by its lines, and a Secret with something invisible in its midst
 * only without it. It is cut after that, because half a Secret looks like none.
 */
export function safeToSend(text: string, redactor: Redactor): string {
  const plain = plainLine(redactor.text(text).text)
  return redactor.text(plain).text
}

/** `[3][7] What they say.` What looks like one of our numbers and was not written by us would lead to the wrong Record. */
export function lineText({ text, numbers }: NumberedLine): string {
  return `${numbers.map((number) => `[${number}]`).join('')} ${withoutNumbers(text)}`
}

export function withoutNumbers(text: string): string {
  return text.replace(/[[【](\s*\d[\d\s,;–-]*)[\]】]/g, '($1)')
}

/** Lines in parts that fit, in order. A part has at least one line. */
export function partsOf(lines: readonly NumberedLine[], tokensMax: number): readonly (readonly NumberedLine[])[] {
  const parts: NumberedLine[][] = []
  let room = 0
  for (const line of lines) {
    const tokens = tokensOf(`${lineText(line)}\n`)
    const last = parts.at(-1)
    if (last !== undefined && tokens <= room) last.push(line)
    else parts.push([line])
    room = (last !== undefined && tokens <= room ? room : tokensMax) - tokens
  }
  return parts
}

/** Numbers back to the Records they stand for. */
export function citedLine({ text, numbers }: NumberedLine, task: ProseTask): CitedLine {
  const cites = new Map<string, Citation>()
  for (const number of numbers) {
    for (const cite of task.lines[number - 1]?.cites ?? []) {
      cites.set(`${cite.line} ${cite.uuid} ${cite.path}`, cite)
    }
  }
  return { text, cites: [...cites.values()].slice(0, CITES_MAX) }
}
