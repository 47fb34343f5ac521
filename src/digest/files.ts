// Which files a call touched. Only what went well counts: a file that could not be read was not read.

import { list, object, text } from '../record/fields.ts'
import type { FileFact, OpenCall } from './call.ts'
import { simpleCommands } from './shell.ts'

export function fileTouches(call: OpenCall): readonly FileFact[] {
  if (call.status !== 'ok') return []
  const { name, input } = call
  const path = text(input['file_path']) ?? text(input['notebook_path'])
  switch (name) {
    case 'Read':
      return path === null ? [] : [{ path, outcome: 'read', added: null, removed: null }]
    case 'Write':
      return path === null ? [] : [written(path, call)]
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return path === null ? [] : [{ path, outcome: 'edited', ...(patched(call) ?? compared(call)) }]
    case 'Bash':
      return removedFiles(call)
    default:
      return []
  }
}

interface LineChange {
  readonly added: number | null
  readonly removed: number | null
}

function written(path: string, call: OpenCall): FileFact {
  const { input, kept, output } = call
  const isNew = kept === null ? !/\b(?:updated|overwritten)\b/.test(output) : kept['type'] !== 'update'
  const content = text(input['content']) ?? ''
  if (isNew) return { path, outcome: 'created', added: linesIn(content), removed: 0 }
  return { path, outcome: 'edited', ...(patched(call) ?? { added: null, removed: null }) }
}

/** The patch the client kept. One without hunks says nothing: some versions leave it empty. */
function patched({ kept }: OpenCall): LineChange | null {
  const hunks = list(kept?.['structuredPatch'])
  if (hunks === null || hunks.length === 0) return null
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    for (const line of list(object(hunk)?.['lines']) ?? []) {
      if (typeof line !== 'string') continue
      if (line.startsWith('+')) added++
      else if (line.startsWith('-')) removed++
    }
  }
  return { added, removed }
}

/** Without a patch the two texts tell, unless the edit may have been made in several places. */
function compared({ name, input }: OpenCall): LineChange {
  const edits = name === 'MultiEdit' ? (list(input['edits']) ?? []).map(object) : [input]
  let added = 0
  let removed = 0
  for (const edit of edits) {
    const before = text(edit?.['old_string'])
    const after = text(edit?.['new_string'])
    if (before === null || after === null || edit?.['replace_all'] === true) return { added: null, removed: null }
    const change = comparedTexts(before, after)
    added += change.added
    removed += change.removed
  }
  return { added, removed }
}

function comparedTexts(before: string, after: string): { readonly added: number; readonly removed: number } {
  const old = before === '' ? [] : before.split('\n')
  const now = after === '' ? [] : after.split('\n')
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return { added: now.length - head - tail, removed: old.length - head - tail }
}

/** `rm` and `git rm` with plain names. What a pattern, a variable or a folder change stands for is not guessed. */
function removedFiles({ input, cwd }: OpenCall): readonly FileFact[] {
  const commands = simpleCommands(text(input['command']) ?? '')
  if (commands.some((words) => words[0] === 'cd' || words[0] === 'pushd')) return []
  return commands.flatMap((words) => {
    const names = words[0] === 'rm' ? words.slice(1) : words[0] === 'git' && words[1] === 'rm' ? words.slice(2) : []
    if (names.some((name) => /^-[a-zA-Z]*[rR]|^--(?:recursive|cached|dir)/.test(name))) return []
    return names
      .filter((name) => name !== '' && !/^-|[*?$`{[~]/.test(name))
      .map((name): FileFact => ({ path: absolute(name, cwd), outcome: 'deleted', added: null, removed: null }))
  })
}

function absolute(name: string, cwd: string | null): string {
  if (name.startsWith('/') || cwd === null) return name
  return `${cwd.replace(/\/$/, '')}/${name.replace(/^(?:\.\/)+/, '')}`
}

function linesIn(content: string): number {
  if (content === '') return 0
  let lines = content.endsWith('\n') ? 0 : 1
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lines++
  return lines
}
