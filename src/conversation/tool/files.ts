import { text } from '../../record/fields.ts'
import type { Body } from '../../record/model.ts'
import type { FileAction, ToolReader } from './view.ts'

function reader(action: FileAction): ToolReader {
  return (input) => {
    const path = pathOf(input)
    return { title: path, files: path === '' ? [] : [{ path, action }], command: null }
  }
}

function pathOf(input: Body): string {
  return text(input['file_path']) ?? text(input['notebook_path']) ?? text(input['path']) ?? ''
}

export const read = reader('read')
export const write = reader('created')
export const edit = reader('edited')
