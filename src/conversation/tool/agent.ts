import { text } from '../../record/fields.ts'
import type { ToolReader } from './view.ts'
import { titled } from './view.ts'

export const agent: ToolReader = (input) => {
  const what = text(input['description']) ?? text(input['prompt']) ?? text(input['message']) ?? ''
  const type = text(input['subagent_type'])
  return titled(type === null ? what : `${what} (${type})`)
}
