// The input of a call by its Face: an edit as a diff, a shell line, todos, a plan, questions, or JSON.

import type { JSX } from 'react'
import type { CallFace, QuestionView } from '../../server/api.ts'
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
            <li key={place} className={`todo-${todo.status.replace(/\W/g, '')}`}>
              <input
                type="checkbox"
                checked={todo.status === 'completed'}
                readOnly
                tabIndex={-1}
                aria-label={`${todo.text}: ${todo.status.replace('_', ' ')}`}
              />
              <span>{todo.text}</span>
              {todo.status === 'in_progress' ? <em> in progress</em> : null}
            </li>
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
