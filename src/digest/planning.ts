// What was planned, what was on the list, and what the person was asked with the tools made for that.

import { list, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { OpenCall } from './call.ts'
import { shorten } from './condense.ts'
import type { Plan, Todo } from './model.ts'

export interface PlanningFacts {
  readonly plan: Pick<Plan, 'text' | 'state'> | null
  readonly questions: readonly { readonly question: string; readonly answer: string | null }[]
  /** In the order they were written. `key` tells which is which when a text changes. */
  readonly todos: readonly TodoChange[]
  /** They are the whole list: what was on it before and is not any more was dropped. */
  readonly isWholeList: boolean
}

export interface TodoChange {
  readonly key: string
  /** Null where only the state is told. */
  readonly text: string | null
  readonly state: Todo['state'] | 'dropped'
}

const NOTHING: PlanningFacts = { plan: null, questions: [], todos: [], isWholeList: false }

export function planningFacts(call: OpenCall): PlanningFacts {
  switch (call.name) {
    case 'ExitPlanMode':
      return { ...NOTHING, plan: planOf(call) }
    case 'AskUserQuestion':
      return { ...NOTHING, questions: questionsOf(call) }
    case 'TodoWrite':
      return { ...NOTHING, ...writtenTodos(call) }
    case 'TaskCreate':
      return { ...NOTHING, todos: createdTask(call) }
    case 'TaskUpdate':
      return { ...NOTHING, todos: updatedTask(call) }
    default:
      return NOTHING
  }
}

/** Newer clients keep the plan in a file and only name it. */
function planOf({ input, kept, status, isRefused }: OpenCall): PlanningFacts['plan'] {
  const whole = text(input['plan']) ?? text(kept?.['plan']) ?? text(kept?.['filePath'])
  if (whole === null) return null
  // An error is no answer: where nobody can be asked, a plan stays open.
  const state = status === 'ok' ? 'accepted' : isRefused ? 'rejected' : 'open'
  return { text: whole, state }
}

function questionsOf({ input, kept, output, isRefused }: OpenCall): PlanningFacts['questions'] {
  const answers = object(kept?.['answers'])
  return (list(input['questions']) ?? []).flatMap((value) => {
    const question = text(object(value)?.['question'])
    if (question === null) return []
    const told = text(answers?.[question]) ?? answerIn(output, question)
    return [{ question, answer: told ?? (isRefused ? 'refused to answer' : null) }]
  })
}

/** `… "Which colour?"="Red" …` */
function answerIn(output: string, question: string): string | null {
  const at = output.indexOf(`"${question}"="`)
  if (at < 0) return null
  const start = at + question.length + 4
  const end = output.indexOf('"', start)
  return end < 0 ? null : shorten(output.slice(start, end), 300)
}

function writtenTodos({ input, status }: OpenCall): Pick<PlanningFacts, 'todos' | 'isWholeList'> {
  const todos = status === 'error' || status === 'denied' ? null : list(input['todos'])
  return { todos: (todos ?? []).flatMap((one) => todoOf(object(one))), isWholeList: todos !== null }
}

function todoOf(todo: Body | null): readonly TodoChange[] {
  const what = text(todo?.['content']) ?? text(todo?.['text'])
  return what === null ? [] : [{ key: what, text: what, state: stateOf(text(todo?.['status'])) }]
}

function createdTask({ input, kept, output, status }: OpenCall): readonly TodoChange[] {
  const subject = text(input['subject'])
  if (subject === null || status !== 'ok') return []
  const id = text(object(kept?.['task'])?.['id']) ?? /Task #(\S+) created/.exec(output)?.[1] ?? subject
  return [{ key: `#${id}`, text: subject, state: 'open' }]
}

function updatedTask({ input, status }: OpenCall): readonly TodoChange[] {
  const id = text(input['taskId'])
  const state = text(input['status'])
  if (id === null || state === null || status !== 'ok') return []
  return [{ key: `#${id}`, text: text(input['subject']), state: stateOf(state) }]
}

function stateOf(status: string | null): TodoChange['state'] {
  if (status === 'completed') return 'done'
  if (status === 'in_progress') return 'doing'
  return status === 'deleted' || status === 'cancelled' ? 'dropped' : 'open'
}

export function planTitle(text: string): string {
  return shorten(
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/^#+\s*/, '') ?? '',
    120,
  )
}
