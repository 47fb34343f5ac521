// The input of a call in the form a person would want to see: an edit as two texts, todos as a list, questions with
// their answers. What is not known is shown as it is.

import { list, number, object, text } from '../../record/fields.ts'
import type { Body } from '../../record/model.ts'
import type { Face, Hunk, Question } from './view.ts'

/** `outcome` is what the client kept of the result beside the text that the model saw. */
export function faceOf(name: string, input: unknown, outcome: unknown): Face {
  const fields = object(input)
  if (fields === null) return { kind: 'input', value: input }
  return READERS[name]?.(fields, object(outcome)) ?? { kind: 'input', value: input }
}

type FaceReader = (input: Body, outcome: Body | null) => Face | null

const change: FaceReader = (input, outcome) => {
  const path = text(input['file_path']) ?? text(input['notebook_path'])
  if (path === null) return null
  const patched = patchHunks(outcome)
  return { kind: 'change', path, hunks: patched.length > 0 ? patched : inputHunks(input) }
}

const message: FaceReader = (input) => {
  const prompt = text(input['prompt']) ?? text(input['message'])
  return prompt === null ? null : { kind: 'message', text: prompt }
}

const shell: FaceReader = (input) => {
  const command = text(input['command'])
  return command === null ? null : { kind: 'shell', command, description: text(input['description']) ?? '' }
}

const READERS: Readonly<Record<string, FaceReader>> = Object.assign(Object.create(null) as Record<string, FaceReader>, {
  Bash: shell,
  PowerShell: shell,
  Edit: change,
  MultiEdit: change,
  Write: change,
  NotebookEdit: change,
  TodoWrite: ((input) => {
    const todos = (list(input['todos']) ?? []).map((todo) => {
      const fields = object(todo)
      return { text: text(fields?.['content']) ?? '', status: text(fields?.['status']) ?? 'pending' }
    })
    return { kind: 'todos', todos }
  }) satisfies FaceReader,
  TaskCreate: ((input) => {
    const parts = [text(input['subject']), text(input['description'])].filter((part) => part !== null)
    return parts.length === 0 ? null : { kind: 'todos', todos: [{ text: parts.join(': '), status: 'pending' }] }
  }) satisfies FaceReader,
  TaskUpdate: ((input) => {
    const status = text(input['status'])
    const what = text(input['subject']) ?? `Task ${text(input['taskId']) ?? ''}`
    return status === null ? null : { kind: 'todos', todos: [{ text: what, status }] }
  }) satisfies FaceReader,
  TaskList: ((_, outcome) => {
    const todos = (list(outcome?.['tasks']) ?? []).map((task) => {
      const fields = object(task)
      return { text: text(fields?.['subject']) ?? '', status: text(fields?.['status']) ?? 'pending' }
    })
    return todos.length === 0 ? null : { kind: 'todos', todos }
  }) satisfies FaceReader,
  ExitPlanMode: ((input, outcome) => {
    const plan = text(input['plan']) ?? text(outcome?.['plan'])
    return plan === null ? null : { kind: 'plan', text: plan }
  }) satisfies FaceReader,
  AskUserQuestion: ((input, outcome) => {
    const answers = object(outcome?.['answers'])
    return { kind: 'questions', questions: (list(input['questions']) ?? []).map((one) => questionOf(one, answers)) }
  }) satisfies FaceReader,
  Agent: message,
  Task: message,
  SendMessage: message,
})

function questionOf(value: unknown, answers: Body | null): Question {
  const fields = object(value)
  const question = text(fields?.['question']) ?? ''
  const options = (list(fields?.['options']) ?? []).map(
    (option) => text(object(option)?.['label']) ?? text(option) ?? '',
  )
  const answer = answers !== null && Object.hasOwn(answers, question) ? answers[question] : null
  return { question, options, answer: text(answer) ?? ((list(answer) ?? []).map(String).join(', ') || null) }
}

/** The client kept a patch with the lines around it: its two sides are put together again. */
function patchHunks(outcome: Body | null): readonly Hunk[] {
  return (list(outcome?.['structuredPatch']) ?? []).flatMap((value) => {
    const hunk = object(value)
    const lines = (list(hunk?.['lines']) ?? []).filter((line) => typeof line === 'string')
    if (hunk === null || lines.length === 0) return []
    const side = (left: string): string =>
      lines
        .filter((line) => !line.startsWith(left) && !line.startsWith('\\'))
        .map((line) => line.slice(1))
        .join('\n')
    const [oldStart, newStart] = [number(hunk['oldStart']), number(hunk['newStart'])]
    return [{ oldStart, newStart, before: side('+'), after: side('-') }]
  })
}

function inputHunks(input: Body): readonly Hunk[] {
  const edits = (list(input['edits']) ?? [input]).map(object).filter((edit) => edit !== null)
  return edits.flatMap((edit) => {
    const before = text(edit['old_string']) ?? ''
    const after = text(edit['new_string']) ?? text(edit['content']) ?? text(edit['new_source']) ?? ''
    return before === '' && after === '' ? [] : [{ oldStart: null, newStart: null, before, after }]
  })
}
