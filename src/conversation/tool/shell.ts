import { text } from '../../record/fields.ts'
import type { ToolReader } from './view.ts'

export const shell: ToolReader = (input) => {
  const command = text(input['command']) ?? ''
  return { title: command, files: [], command }
}
