import { list, object, text } from '../../record/fields.ts'
import type { ToolReader } from './view.ts'
import { titled } from './view.ts'

export const todos: ToolReader = (input) => {
  const all = list(input['todos']) ?? []
  const done = all.filter((todo) => object(todo)?.['status'] === 'completed').length
  return titled(`${done} of ${all.length} done`)
}

export const task: ToolReader = (input) => {
  const what = text(input['subject']) ?? text(input['description']) ?? text(input['taskId']) ?? ''
  const status = text(input['status'])
  return titled(status === null ? what : `${what} → ${status}`)
}

export const question: ToolReader = (input) => {
  const first = object(list(input['questions'])?.[0])
  return titled(text(first?.['question']) ?? '')
}

export const plan: ToolReader = (input) => titled((text(input['plan']) ?? '').split('\n', 1)[0] ?? '')

export const skill: ToolReader = (input) => titled(text(input['skill']) ?? text(input['command']) ?? '')
