// A Conversation as plain text: wrapped, without colours, to be read anywhere or pasted into a mail.

import { indent } from '../show.ts'
import { safeLine, safeName } from '../terminal.ts'
import { counted } from '../units.ts'
import { cutTo, expandTabs } from '../width.ts'
import { wrapLine } from '../wrap.ts'
import { cleanText } from './clean.ts'
import type { ExportHead } from './head.ts'
import { dayAndTime, duration, headFacts, leftOut, titleOfHead } from './head.ts'
import { inputText } from './input-text.ts'
import { diffText, spillNote } from './markdown-call.ts'
import type { ImagePlaces } from './shown.ts'
import { boundaryText, changedFiles, imageName, MARKS } from './shown.ts'
import { gatherBlocks } from './turn-blocks.ts'
import type { CallView, Face, TurnView, View } from './view.ts'

/** Tells our own files from those of others. */
export const PLAIN_MARK = 'Exported by Clew.'
const COLUMNS = 80

export function* plainPieces(head: ExportHead, turns: Iterable<TurnView>, images: ImagePlaces): Generator<string> {
  const title = titleOfHead(head)
  yield `${wrapped(title)}\n${'='.repeat(Math.min(COLUMNS, Math.max(8, title.length)))}\n`
  yield `${wrapped(headFacts(head).join(' · '))}\n`
  yield `${wrapped(`Session ${safeName(head.sessionId)}. ${leftOut(head)} ${PLAIN_MARK}`)}\n`
  for (const turn of turns) {
    const time = dayAndTime(turn.startedMs)
    const worked = turn.durationMs === null || turn.durationMs < 1000 ? '' : ` (${duration(turn.durationMs)})`
    yield `\n${`--- ${turn.number}${time === null ? '' : `  ${time}${worked}`} `.padEnd(COLUMNS, '-')}\n`
    yield `${turnLines(turn, images, COLUMNS).join('\n\n')}\n`
  }
}

const COLUMNS_MIN = 40

function turnLines(turn: TurnView, images: ImagePlaces, columns: number): readonly string[] {
  const blocks = [
    ...gatherBlocks(turn, {
      speaker: (speaker) => `${speaker}:`,
      line: (call) => callLine(call, columns),
      view: (view) => viewText(view, images, columns),
    }),
  ]
  const changed = changedFiles(turn)
  if (changed.length > 0) {
    const told = changed.map(({ path, added, removed }) => `${safeName(path)} +${added} -${removed}`)
    blocks.push(wrapped(`${counted(changed.length, 'file')} changed: ${told.join(', ')}`, columns))
  }
  return blocks.filter((block) => block !== '')
}

function viewText(view: View, images: ImagePlaces, columns: number): string {
  switch (view.kind) {
    case 'prompt': {
      const shown = view.images.map((number) => `[${imageName(images.image(number))}]`)
      const queued = view.isQueued ? ['(sent while it was working)'] : []
      return indent(wrapped([view.text.trim(), ...shown, ...queued].join('\n'), columns - 2), '> ')
    }
    case 'text':
      return wrapped(`${view.text.trim()}${view.isCut ? ' …' : ''}`, columns)
    case 'thinking':
      return view.isStored
        ? `Thinking:\n${indent(wrapped(view.text.trim(), columns - 4), '    ')}`
        : 'Thinking: not stored by the client.'
    case 'tool':
      return callText(view.call, images, columns)
    case 'system':
      return wrapped(`System, ${safeLine(view.label)}${view.text === '' ? '' : `: ${view.text.trim()}`}`, columns)
    case 'recap':
      return `Recap written by the client:\n${indent(wrapped(view.text.trim(), columns - 4), '    ')}`
    case 'boundary':
      return `=== ${boundaryText(view)} `.padEnd(columns, '=')
  }
}

function callLine({ name, title, status, reason }: CallView, columns: number): string {
  const line = cutTo(`  ${MARKS[status]} ${safeLine(name) || 'tool'} ${safeLine(title)}`.trimEnd(), columns)
  return reason === '' ? line : `${line}\n      ${cutTo(safeLine(reason), columns - 6)}`
}

function callText(call: CallView, images: ImagePlaces, columns: number): string {
  const { whole, agent } = call
  const lines = [callLine({ ...call, reason: whole === null ? call.reason : '' }, columns)]
  if (whole !== null) {
    const shown = whole.images.map((number) => `[${imageName(images.image(number))}]`)
    const note = whole.spill === null ? [] : [spillNote(whole.spill)]
    const inside = [faceText(whole.face), expandTabs(cleanText(whole.output)).trimEnd(), ...shown, ...note]
    lines.push(...inside.filter((one) => one !== '').map((one) => indent(one, '      ')))
  }
  if (agent !== null) {
    lines.push(`      subagent ${safeName(agent.agentId)}`)
    const narrow = Math.max(COLUMNS_MIN, columns - 6)
    const inner = agent.turns?.flatMap((turn) => turnLines(turn, images, narrow)) ?? []
    if (inner.length > 0) lines.push(indent(inner.join('\n\n'), '    | '))
  }
  return lines.join('\n')
}

function faceText(face: Face): string {
  switch (face.kind) {
    case 'shell':
      return indent(cleanText(face.command), '$ ')
    case 'change':
      return expandTabs(diffText(face.hunks))
    case 'todos':
      return face.todos.map(({ text, status }) => `[${TODO_MARKS[status] ?? ' '}] ${safeLine(text)}`).join('\n')
    case 'plan':
    case 'message':
      return cleanText(face.text).trim()
    case 'questions':
      return face.questions
        .map(({ question, options, answer }) =>
          [
            safeLine(question),
            ...options.map((one) => `  - ${safeLine(one)}`),
            `Answer: ${safeLine(answer ?? 'none')}`,
          ].join('\n'),
        )
        .join('\n')
    case 'input':
      return cleanText(inputText(face.value))
  }
}

const TODO_MARKS: Readonly<Record<string, string>> = { completed: 'x', in_progress: '~' }

function wrapped(text: string, columns = COLUMNS): string {
  return expandTabs(cleanText(text))
    .split('\n')
    .flatMap((line) => wrapLine(line, columns, Number.POSITIVE_INFINITY))
    .join('\n')
}
