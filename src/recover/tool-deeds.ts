// A tool call that went well, to what it did to files. What the client kept of the result is believed before what was
// asked for: a person may have changed the text before it was written.

import { list, number, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { Deed, Hunk, TextEdit } from './model.ts'
import { absolutePath } from './paths.ts'
import { seenByRead, seenInFile } from './read-output.ts'
import { shellDeeds } from './shell-deeds.ts'

export interface DoneCall {
  readonly name: string
  readonly input: Body
  /** `toolUseResult`; null where the client kept none. */
  readonly kept: unknown
  readonly output: string
  readonly cwd: string | null
  /** Only a shell command that failed is told all the same. */
  readonly isFine: boolean
}

/** The tools whose calls are worth opening. */
export const FILE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Read', 'Bash'])

export function deedsOf(call: DoneCall): readonly Deed[] {
  const { name, input, kept, cwd, isFine } = call
  if (name === 'Bash') return shellDeeds({ command: text(input['command']) ?? '', cwd, kept, isFine })
  const result = object(kept)
  const named =
    text(result?.['filePath']) ??
    text(result?.['notebook_path']) ??
    text(input['file_path']) ??
    text(input['notebook_path'])
  if (named === null || named === '') return []
  const path = absolutePath(named, cwd)
  switch (name) {
    case 'Write':
      return written(path, call, result)
    case 'Edit':
      return edited(path, [result === null ? input : { ...input, ...resultEdit(result) }], call, result)
    case 'MultiEdit':
      return edited(path, (list(input['edits']) ?? []).map(object), call, result)
    case 'NotebookEdit':
      return notebook(path, result)
    case 'Read':
      return read(path, call)
    default:
      return []
  }
}

function written(path: string, { input, output }: DoneCall, result: Body | null): readonly Deed[] {
  const content = text(result?.['content']) ?? text(input['content'])
  if (content === null) return []
  const type = text(result?.['type'])
  const isNew = type === null ? /\bcreated\b/.test(output.slice(0, 400)) : type === 'create'
  return [{ kind: 'write', path, before: isNew ? null : text(result?.['originalFile']), text: content, isNew }]
}

function resultEdit(result: Body): Body {
  const [oldText, newText] = [text(result['oldString']), text(result['newString'])]
  if (oldText === null || newText === null) return {}
  return { old_string: oldText, new_string: newText, replace_all: result['replaceAll'] === true }
}

function edited(
  path: string,
  inputs: readonly (Body | null)[],
  { output }: DoneCall,
  result: Body | null,
): readonly Deed[] {
  const edits = inputs.map(editOf)
  if (edits.length === 0 || edits.includes(null)) return [{ kind: 'change', path }]
  const before = text(result?.['originalFile']) ?? text(result?.['originalFileContents'])
  const isStale = result?.['staleRecovered'] === true || /modified on disk since you last read/.test(output)
  const patch = hunksOf(result?.['structuredPatch'])
  return [{ kind: 'edit', path, before, edits: edits as readonly TextEdit[], patch, isStale }]
}

function editOf(input: Body | null): TextEdit | null {
  const oldText = text(input?.['old_string'])
  const newText = text(input?.['new_string'])
  if (oldText === null || newText === null) return null
  return { oldText, newText, isEverywhere: input?.['replace_all'] === true }
}

function hunksOf(value: unknown): readonly Hunk[] {
  return (list(value) ?? []).flatMap((one) => {
    const hunk = object(one)
    const [oldStart, oldLines] = [number(hunk?.['oldStart']), number(hunk?.['oldLines'])]
    const [newStart, newLines] = [number(hunk?.['newStart']), number(hunk?.['newLines'])]
    const lines = (list(hunk?.['lines']) ?? []).filter((line) => typeof line === 'string')
    if (oldStart === null || oldLines === null || newStart === null || newLines === null) return []
    return [{ oldStart, oldLines, newStart, newLines, lines }]
  })
}

/** Newer clients keep the whole notebook. Older ones only the cell, and how they write the rest is not in the records. */
function notebook(path: string, result: Body | null): readonly Deed[] {
  const after = text(result?.['updated_file'])
  if (after === null) return [{ kind: 'change', path }]
  return [{ kind: 'write', path, before: text(result?.['original_file']), text: after, isNew: false }]
}

function read(path: string, { input, kept, output }: DoneCall): readonly Deed[] {
  const seen = seenByRead(input, kept, output)
  return seen === null ? [] : [{ kind: 'read', path, seen }]
}

/** A file that was mentioned or read again, and the notice that somebody else changed one. */
export function attachmentDeeds(attachment: Body, cwd: string | null): readonly Deed[] {
  const named = text(attachment['filename'])
  if (named === null || named === '') return []
  const path = absolutePath(named, cwd)
  if (attachment['type'] === 'edited_text_file') return [{ kind: 'change', path }]
  const file = object(object(attachment['content'])?.['file'])
  const seen = file === null ? null : seenInFile(file)
  return seen === null ? [] : [{ kind: 'read', path, seen }]
}
