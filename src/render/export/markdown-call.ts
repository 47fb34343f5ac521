// A tool call in Markdown: a line, or a fold with what went in and what came out.

import { safeLine, safeName } from '../terminal.ts'
import { cutTo } from '../width.ts'
import { cleanText } from './clean.ts'
import { codeSpan, fenced } from './fence.ts'
import { folded } from './fold.ts'
import { inputText } from './input-text.ts'
import { diffLines } from './line-diff.ts'
import { asText, fitMarkdown } from './markdown-source.ts'
import { MARKS } from './shown.ts'
import type { CallView, Face, Hunk, WholeCall } from './view.ts'

const TITLE_COLUMNS = 120

export function lineMarkdown(call: CallView): string {
  const { name, title, status, reason, agent } = call
  const told = codeSpan(cutTo(safeLine(title), TITLE_COLUMNS))
  const why = reason === '' ? '' : `: ${codeSpan(cutTo(safeLine(reason), TITLE_COLUMNS))}`
  const started = agent === null ? '' : ` (subagent ${codeSpan(safeName(agent.agentId))})`
  return `- ${MARKS[status]} **${asText(safeLine(name)) || 'tool'}** ${told}${why}${started}`
}

/** `more` is what stands behind the output: images and the Turns of a Subagent. */
export function callMarkdown(call: CallView, more: readonly string[]): string {
  const { name, title, status, whole } = call
  if (whole === null) return [lineMarkdown(call), ...more].join('\n\n')
  const summary = `${MARKS[status]} ${safeLine(name) || 'tool'} ${cutTo(safeLine(title), TITLE_COLUMNS)}`.trim()
  const blocks = [faceMarkdown(whole.face), outputMarkdown(whole), ...more].filter((block) => block !== '')
  // What a person decides by stands open: plans, questions and todos.
  if (OPEN.has(whole.face.kind)) return [`*${asText(summary)}*`, ...blocks].join('\n\n')
  return folded(summary, blocks.join('\n\n'))
}

const OPEN: ReadonlySet<Face['kind']> = new Set(['plan', 'questions', 'todos'])

function faceMarkdown(face: Face): string {
  switch (face.kind) {
    case 'shell':
      return fenced(cleanText(face.command), 'sh')
    case 'change':
      return face.hunks.length === 0 ? codeSpan(safeName(face.path)) : fenced(diffText(face.hunks), 'diff')
    case 'todos':
      return face.todos
        .map(({ text, status }) => {
          const done = status === 'completed' ? 'x' : ' '
          return `- [${done}] ${asText(safeLine(text))}${status === 'in_progress' ? ' *(in progress)*' : ''}`
        })
        .join('\n')
    case 'plan':
      return fitMarkdown(cleanText(face.text), { below: 2, keepsLines: false })
    case 'questions':
      return face.questions
        .map(({ question, options, answer }) => {
          const listed = options.map((option) => `- ${asText(safeLine(option))}`)
          const answered = answer === null ? [] : [`Answer: **${asText(safeLine(answer))}**`]
          return [`**${asText(safeLine(question))}**`, listed.join('\n'), ...answered].join('\n\n')
        })
        .join('\n\n')
    case 'message':
      return fenced(cleanText(face.text))
    case 'input': {
      const text = cleanText(inputText(face.value))
      return text === '' ? '' : fenced(text)
    }
  }
}

export function diffText(hunks: readonly Hunk[]): string {
  return hunks
    .flatMap(({ oldStart, newStart, before, after }) => [
      oldStart === null || newStart === null ? '@@' : `@@ -${oldStart} +${newStart} @@`,
      ...diffLines(cleanText(before), cleanText(after)).map(({ mark, text }) => mark + text),
    ])
    .join('\n')
}

function outputMarkdown({ output, spill }: WholeCall): string {
  const text = cleanText(output).trimEnd()
  const note = spill === null ? '' : `\n\n${asText(spillNote(spill))}`
  return text === '' ? note.trim() : `${fenced(text)}${note}`
}

export function spillNote({ path, isRead, isCut }: NonNullable<WholeCall['spill']>): string {
  const name = safeName(path.slice(path.lastIndexOf('/') + 1))
  if (!isRead) return `The whole output was in ${name}, which is not there any more.`
  return isCut ? `The beginning of ${name}.` : `From ${name}.`
}
