// `.claude.json` keeps an object for each project, named by its path. The names are changed, and the paths inside of the
// object; all else in the file, which has a great deal in it, stays byte for byte.

import type { Edit, Node, ParseError } from 'jsonc-parser'
import { applyEdits, findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { PathMove } from './paths.ts'
import { movedPath } from './paths.ts'

export interface ChangedSettings {
  readonly text: string
  /** Names of projects, before and after. */
  readonly keys: readonly (readonly [string, string])[]
  /** Values inside of them. */
  readonly values: number
  /** Old names that stay, because the new one is there already. */
  readonly taken: readonly string[]
}

/** Null when it is no JSON that can be read: then nothing in it is touched. */
export function moveProjectSettings(text: string, move: PathMove): ChangedSettings | null {
  const projects = projectsOf(text)
  if (projects === null) return null
  const names = new Set(projects.map(({ name }) => name))
  const edits: Edit[] = []
  const keys: (readonly [string, string])[] = []
  const taken: string[] = []
  let values = 0
  for (const { name, key, value } of projects) {
    const next = movedPath(name, move)
    if (next === null || next === name) continue
    if (names.has(next)) {
      taken.push(name)
      continue
    }
    keys.push([name, next])
    edits.push(textEdit(key, next))
    const inside = pathEdits(value, move)
    values += inside.length
    edits.push(...inside)
  }
  return { text: applyEdits(text, edits), keys, values, taken }
}

/** The way back for a file that has changed since: only the names that were changed, as far as they are still there. */
export function restoreProjectNames(text: string, keys: ChangedSettings['keys']): string | null {
  const projects = projectsOf(text)
  if (projects === null) return null
  const names = new Map(projects.map(({ name, key }) => [name, key]))
  const edits = keys.flatMap(([before, after]) => {
    const key = names.get(after)
    return key === undefined || names.has(before) ? [] : [textEdit(key, before)]
  })
  return applyEdits(text, edits)
}

interface NamedProject {
  readonly name: string
  readonly key: Node
  readonly value: Node
}

function projectsOf(text: string): readonly NamedProject[] | null {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  if (tree?.type !== 'object' || errors.length > 0) return null
  const members = findNodeAtLocation(tree, ['projects'])?.children ?? []
  return members.flatMap(({ children }) => {
    const [key, value] = children ?? []
    return key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }]
  })
}

function textEdit({ offset, length }: Node, text: string): Edit {
  return { offset, length, content: JSON.stringify(text) }
}

/** Older clients kept here what was typed, and that is nobody's to change. */
const SAID: ReadonlySet<string> = new Set(['history', 'exampleFiles'])

/** Texts that are a path as a whole. */
function pathEdits(value: Node, move: PathMove): readonly Edit[] {
  const edits: Edit[] = []
  const open = [value]
  for (const node of open) {
    if (node.type === 'string') {
      const next = movedPath(String(node.value), move)
      if (next !== null && next !== node.value) edits.push(textEdit(node, next))
    } else if (node.type === 'property') {
      const [key, inner] = node.children ?? []
      if (inner !== undefined && !SAID.has(String(key?.value))) open.push(inner)
    } else open.push(...(node.children ?? []))
  }
  return edits
}
