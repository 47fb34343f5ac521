// Which files a call touched. Only what went well counts: a file that could not be read was not read.

import { list, object, text } from '../record/fields.ts'
import type { FileFact, OpenCall } from './call.ts'
import type { FileOutcome } from './model.ts'
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
      return shellTouches(call)
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

/** What commands with plain names did. What a pattern, a variable or a folder change stands for is not guessed. */
function shellTouches({ input, cwd }: OpenCall): readonly FileFact[] {
  const commands = simpleCommands(text(input['command']) ?? '')
  if (commands.some((words) => words[0] === 'cd' || words[0] === 'pushd')) return []
  const touch = (name: string, outcome: FileOutcome): FileFact => ({
    path: absolute(name, cwd),
    outcome,
    added: null,
    removed: null,
  })
  return commands.flatMap((words) => {
    const [program, ...rest] = words[0] === 'git' ? words.slice(1) : words
    if (program === 'rm') return removedNames(rest).map((name) => touch(name, 'deleted'))
    if (program === 'mv') return movedNames(rest).map((name, place) => touch(name, place === 0 ? 'deleted' : 'created'))
    return words[0] === 'sed' ? editedNames(rest).map((name) => touch(name, 'edited')) : []
  })
}

const UNCLEAR = /^-|[*?$`{[~]/

function removedNames(words: readonly string[]): readonly string[] {
  if (words.some((word) => /^-[a-zA-Z]*[rR]|^--(?:recursive|cached|dir)/.test(word))) return []
  return words.filter((word) => word !== '' && !UNCLEAR.test(word))
}

/** From and to; none where the second may be a folder, which it is not when both have the same ending. */
function movedNames(words: readonly string[]): readonly string[] {
  const names = words.filter((word) => !/^-[fnv]+$/.test(word))
  const endings = names.map((name) => /[^/]\.(\w+)$/.exec(name)?.[1])
  const isRenaming = names.length === 2 && endings[0] !== undefined && endings[0] === endings[1]
  return isRenaming && !names.some((name) => UNCLEAR.test(name)) ? names : []
}

/** `sed -i 's/a/b/' one two`, and with `-E`, `-e`, a suffix for copies, or the empty one that BSD wants. */
function editedNames(words: readonly string[]): readonly string[] {
  const inPlace = words.findIndex((word) => /^(?:-[nErsz]*i|--in-place)/.test(word))
  if (inPlace < 0) return []
  const names: string[] = []
  let hasScript = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '-e' || word === '-f' || word === '--expression') {
      at++
      hasScript = true
    } else if (word.startsWith('-')) hasScript ||= /^--expression=/.test(word)
    else if (word === '' && at === inPlace + 1) continue
    else if (!hasScript) hasScript = true
    else names.push(word)
  }
  return names.some((name) => name === '' || UNCLEAR.test(name)) ? [] : names
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
