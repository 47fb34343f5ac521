// The tools we know by name. An unknown one is shown by its first short text: nothing depends on a tool being here.

import { object } from '../../record/fields.ts'
import { agent } from './agent.ts'
import { edit, read, write } from './files.ts'
import { plan, question, skill, task, todos } from './planning.ts'
import { search } from './search.ts'
import { shell } from './shell.ts'
import type { ToolReader, ToolView } from './view.ts'
import { titled } from './view.ts'
import { web } from './web.ts'

const READERS: ReadonlyMap<string, ToolReader> = new Map([
  ['Bash', shell],
  ['PowerShell', shell],
  ['Read', read],
  ['Write', write],
  ['Edit', edit],
  ['MultiEdit', edit],
  ['NotebookEdit', edit],
  ['Grep', search],
  ['Glob', search],
  ['LS', search],
  ['ToolSearch', search],
  ['Task', agent],
  ['Agent', agent],
  ['SendMessage', agent],
  ['Workflow', agent],
  ['WebFetch', web],
  ['WebSearch', web],
  ['TodoWrite', todos],
  ['TaskCreate', task],
  ['TaskUpdate', task],
  ['AskUserQuestion', question],
  ['ExitPlanMode', plan],
  ['Skill', skill],
])

export function viewTool(name: string, input: unknown): ToolView {
  const fields = object(input)
  if (fields === null) return titled('')
  return READERS.get(name)?.(fields) ?? titled(firstText(fields))
}

function firstText(fields: Readonly<Record<string, unknown>>): string {
  for (const value of Object.values(fields)) if (typeof value === 'string' && value !== '') return value
  return ''
}
