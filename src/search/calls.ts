import { contentOf } from '../conversation/parts.ts'
import { viewTool } from '../conversation/tool/known.ts'
import type { FileTouch } from '../conversation/tool/view.ts'
import { list, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { BatchCall } from './batch.ts'

const COMMAND_LENGTH_MAX = 4096

/** The tool calls a record makes: what was run and which files were touched. A file that is attached is touched as well. */
export function callsOf(record: number, body: Body): readonly BatchCall[] {
  const attached = attachedFile(body)
  if (attached !== null) return [{ record, number: 0, id: '', name: 'attachment', command: null, files: [attached] }]
  const isEventLog = body['type'] === 'tool_use'
  const blocks = isEventLog ? [{ ...body, input: body['toolInput'] ?? body['input'] }] : (list(contentOf(body)) ?? [])
  const calls: BatchCall[] = []
  for (const value of blocks) {
    const block = object(value)
    const name = text(block?.['name']) ?? text(block?.['toolName'])
    if (block === null || name === null || block['input'] === undefined) continue
    const { files, command } = viewTool(name, block['input'])
    const id = text(block['id']) ?? text(block['toolUseId']) ?? text(block['tool_use_id']) ?? ''
    calls.push({
      record,
      number: calls.length,
      id,
      name,
      command: command === null ? null : command.slice(0, COMMAND_LENGTH_MAX),
      files,
    })
  }
  return calls
}

const ATTACHED: Readonly<Record<string, FileTouch['action']>> = { file: 'read', edited_text_file: 'edited' }

/** What the client read for a prompt that names it, or what somebody else has changed meanwhile: no call says so. */
export function attachedFile(body: Body): FileTouch | null {
  const attachment = object(body['attachment'])
  const path = text(attachment?.['filename']) ?? ''
  const action = ATTACHED[text(attachment?.['type']) ?? '']
  return path === '' || action === undefined ? null : { path, action }
}
