// The input of a call by its Face: an edit as a diff, a shell line, todos, a plan, questions, or JSON.

import type { JSX } from 'react'
import type { CallFace, QuestionView } from '../../server/api/call.ts'
import { cleanText } from '../text/clean.ts'
import { CodeText } from '../text/code-block.tsx'
import { CopyButton } from '../text/copy-button.tsx'
import { Diff } from '../text/diff.tsx'
import { JsonView } from '../text/json-view.tsx'
import { Markdown } from '../text/markdown.tsx'

export function CallFaceView({
  face,
  title,
}: {
  readonly face: CallFace
  /** What its line says already. */
  readonly title: string
}): JSX.Element | null {
  switch (face.kind) {
    case 'shell':
      return (
        <div className="shell">
          {face.description === '' ? null : <p className="note">{face.description}</p>}
          <div className="shell-line">
            <pre>
              <span className="shell-sign" aria-hidden="true">
                ${' '}
              </span>
              <CodeText text={cleanText(face.command)} language="bash" />
            </pre>
            <CopyButton text={face.command} />
          </div>
        </div>
      )
    case 'change':
      return (
        <div className="change">
          {face.path === title ? null : <p className="change-path">{face.path}</p>}
          {face.hunks.length === 0 ? null : <Diff hunks={face.hunks} path={face.path} />}
        </div>
      )
    case 'todos':
      return (
        <ul className="todos">
          {[...face.todos.entries()].map(([place, todo]) => (
            <Todo key={place} text={todo.text} status={todo.status} />
          ))}
        </ul>
      )
    case 'plan':
      return (
        <div className="plan">
          <span className="label">Plan</span>
          <Markdown text={face.text} />
        </div>
      )
    case 'questions':
      return (
        <>
          {face.questions.map((question) => (
            <Question key={question.question} {...question} />
          ))}
        </>
      )
    case 'message':
      return (
        <div className="message">
          <span className="label">Prompt</span>
          <Markdown text={face.text} />
        </div>
      )
    case 'input':
      return face.json === null ? null : (
        <section className="input" aria-label="Input">
          <JsonView json={face.json} />
        </section>
      )
  }
}

/** What the client calls them; another word is shown as it is. */
const TODO_WORDS: Readonly<Record<string, string>> = {
  completed: 'done',
  in_progress: 'in progress',
  pending: 'to do',
}

function Todo({ text, status }: { readonly text: string; readonly status: string }): JSX.Element {
  const words = Object.hasOwn(TODO_WORDS, status) ? (TODO_WORDS[status] ?? status) : status.replaceAll('_', ' ')
  return (
    <li className={Object.hasOwn(TODO_WORDS, status) ? `todo-${status}` : ''}>
      <span className="todo-mark" role="img" aria-label={words} />
      <span className="todo-text">{text}</span>
      {status === 'completed' || status === 'pending' ? null : <span className="todo-state">{words}</span>}
    </li>
  )
}

function Question({ question, options, answer }: QuestionView): JSX.Element {
  const isListed = answer !== null && options.includes(answer)
  return (
    <div className="question">
      <p>{question}</p>
      <ul>
        {options.map((option) => (
          <li key={option} className={option === answer ? 'is-chosen' : ''}>
            {option}
            {option === answer ? <em> (chosen)</em> : null}
          </li>
        ))}
      </ul>
      {isListed ? null : <p className="answer">{answer === null ? 'No answer' : `Answer: ${answer}`}</p>}
    </div>
  )
}
