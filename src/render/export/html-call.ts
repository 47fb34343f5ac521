// A tool call on a page: one line that opens to what went in and what came out.

import { safeLine } from '../terminal.ts'
import { cutTo } from '../width.ts'
import { cleanText } from './clean.ts'
import { ansiHtml } from './html-ansi.ts'
import { escapeHtml, htmlLine, htmlText } from './html-escape.ts'
import { markdownHtml } from './html-markdown.ts'
import { promptHtml } from './html-prompt.ts'
import { inputText } from './input-text.ts'
import { diffLines } from './line-diff.ts'
import { spillNote } from './markdown-call.ts'
import { MARKS } from './shown.ts'
import type { CallView, Face, Hunk, WholeCall } from './view.ts'

const TITLE_COLUMNS = 160

/** `more` is what stands behind the output: images and the Turns of a Subagent. */
export function callHtml(call: CallView, anchor: string, more: string): string {
  const { status, whole } = call
  const attributes = `class="call ${status}" id="${anchor}"`
  if (whole === null && more === '') return `<div ${attributes}>${callLine(call, anchor)}${reasonHtml(call)}</div>`
  const inside = whole === null ? more : `${faceHtml(whole.face)}${outputHtml(whole)}${more}`
  // What a person decides by stands open: plans, questions and todos.
  const isOpen = whole !== null && OPEN.has(whole.face.kind)
  return `<details ${attributes}${isOpen ? ' open' : ''}><summary>${callLine(call, anchor)}</summary><div class="inside">${inside}</div></details>`
}

const OPEN: ReadonlySet<Face['kind']> = new Set(['plan', 'questions', 'todos'])

function callLine({ name, title, status, changed }: CallView, anchor: string): string {
  const told = escapeHtml(cutTo(safeLine(title), TITLE_COLUMNS))
  const lines = changed === null ? '' : changedHtml(changed.added, changed.removed)
  return `<span class="status" title="${status}">${MARKS[status]}</span> <b>${htmlLine(name) || 'tool'}</b> <code>${told}</code>${lines} ${markHtml(anchor)}`
}

export function changedHtml(added: number, removed: number): string {
  return ` <span class="lines"><ins>+${added}</ins> <del>−${removed}</del></span>`
}

export function markHtml(anchor: string): string {
  return `<a class="mark" href="#${anchor}" aria-label="Link to this part">#</a>`
}

const REASON_COLUMNS = 200

function reasonHtml({ reason }: CallView): string {
  return reason === '' ? '' : `<p class="reason">${escapeHtml(cutTo(safeLine(reason), REASON_COLUMNS))}</p>`
}

function faceHtml(face: Face): string {
  switch (face.kind) {
    case 'shell': {
      const what = face.description === '' ? '' : `<p class="what">${htmlLine(face.description)}</p>`
      return `${what}<pre class="shell"><code>${htmlText(face.command)}</code></pre>`
    }
    case 'change':
      return face.hunks.map(hunkHtml).join('')
    case 'todos':
      return `<ul class="todos">${face.todos
        .map(({ text, status }) => `<li class="${TODO_CLASSES[status] ?? 'open'}">${htmlLine(text)}</li>`)
        .join('')}</ul>`
    case 'plan':
      return `<div class="plan">${markdownHtml(face.text)}</div>`
    case 'questions':
      return face.questions
        .map(({ question, options, answer }) => {
          const chosen = new Set(answer?.split(', '))
          const listed = options.map((one) => `<li${chosen.has(one) ? ' class="chosen"' : ''}>${htmlLine(one)}</li>`)
          const answered = answer === null ? 'No answer' : `Answer: <b>${htmlLine(answer)}</b>`
          return `<div class="question"><p><b>${htmlLine(question)}</b></p><ul>${listed.join('')}</ul><p>${answered}</p></div>`
        })
        .join('')
    case 'message':
      return `<div class="message">${promptHtml(face.text)}</div>`
    case 'input': {
      const text = htmlText(inputText(face.value))
      return text === '' ? '' : `<pre><code>${text}</code></pre>`
    }
  }
}

const TODO_CLASSES: Readonly<Record<string, string>> = { completed: 'done', in_progress: 'doing' }

const DIFF_CLASSES = { '+': 'ins', '-': 'del', ' ': '' } as const

function hunkHtml({ oldStart, newStart, before, after }: Hunk): string {
  const place =
    oldStart === null || newStart === null ? '' : `<span class="at">@@ -${oldStart} +${newStart} @@</span>\n`
  const lines = diffLines(cleanText(before), cleanText(after)).map(({ mark, text }) => {
    const name = DIFF_CLASSES[mark]
    return name === '' ? `${mark}${escapeHtml(text)}` : `<${name}>${mark}${escapeHtml(text)}</${name}>`
  })
  return `<pre class="diff"><code>${place}${lines.join('\n')}</code></pre>`
}

function outputHtml({ output, spill }: WholeCall): string {
  const text = output.trimEnd()
  const note = spill === null ? '' : `<p class="what">${escapeHtml(spillNote(spill))}</p>`
  return text === '' ? note : `<pre class="output"><code>${ansiHtml(text)}</code></pre>${note}`
}
