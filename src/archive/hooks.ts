// The text of a settings.json → the same text with our hooks, or without them. Only what must change does: comments,
// order, indentation and line ends are the user's.

import type { JSONPath, Node, ParseError } from 'jsonc-parser'
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser'
import { withoutValue, withValue } from './edit-json.ts'
import { isHookCommand } from './hook-command.ts'

const NAMES = ['SessionEnd', 'PreCompact'] as const
export const EMPTY_SETTINGS = '{}\n'

/** What keeps a file from being edited. The message says where. */
export class SettingsError extends Error {}

/** Unchanged when they are there already. Those of another place or version are brought up to date. */
export function addHooks(text: string, command: string): string {
  checkSettings(text)
  return NAMES.reduce((settings, name) => addHook(settings, name, command), text)
}

function addHook(text: string, name: string, command: string): string {
  const tree = treeOf(text)
  const own = ownHooks(tree, name)
  if (own.length > 0) {
    const [first, ...others] = own as [OwnHook, ...OwnHook[]]
    // Removed from the end, so that the places of the others stay true.
    const single = others.reverse().reduce((settings, { path }) => removeHook(settings, path), text)
    return first.command === command ? single : edited(single, [...first.path, 'command'], command)
  }
  const group = { hooks: [{ type: 'command', command }] }
  const list = findNodeAtLocation(tree, ['hooks', name])
  if (list === undefined) return edited(text, ['hooks', name], [group])
  return edited(text, ['hooks', name, list.children?.length ?? 0], group, true)
}

/**
 * Without them. `before` is the text as it was before they were added, if that is known: then nothing of what was there
 * goes, not even an empty list, and when nothing else has changed since it is the very same text again.
 */
export function removeHooks(text: string, before: string | null): string {
  checkSettings(text)
  const [command] = hooksIn(text)
  if (command === undefined) return text
  if (before !== null && isAddedTo(before, command, text)) return before
  const known = before === null ? undefined : (parseTree(before) ?? undefined)
  return NAMES.reduce((settings, name) => {
    const paths = ownHooks(treeOf(settings), name).map(({ path }) => path)
    const without = paths.reverse().reduce(removeHook, settings)
    return paths.length === 0 ? without : removeEmpty(removeEmpty(without, ['hooks', name], known), ['hooks'], known)
  }, text)
}

function isAddedTo(before: string, command: string, text: string): boolean {
  try {
    return addHooks(before, command) === text
  } catch (error) {
    if (error instanceof SettingsError) return false
    throw error
  }
}

/** One command, and what was made around it. */
function removeHook(text: string, path: JSONPath): string {
  const group = path.slice(0, -2)
  const commands = findNodeAtLocation(treeOf(text), [...group, 'hooks'])?.children ?? []
  return edited(text, commands.length > 1 ? path : group, undefined)
}

function removeEmpty(text: string, path: JSONPath, before: Node | undefined): string {
  const node = findNodeAtLocation(treeOf(text), path)
  const wasThere = before !== undefined && findNodeAtLocation(before, path) !== undefined
  return node?.children?.length === 0 && !wasThere ? edited(text, path, undefined) : text
}

/** The commands of ours that a client would run; none when it is not to be read. */
export function hooksIn(text: string): readonly string[] {
  const tree = parseTree(withoutMark(text))
  return tree === undefined ? [] : NAMES.flatMap((name) => ownHooks(tree, name).map(({ command }) => command))
}

interface OwnHook {
  readonly path: JSONPath
  readonly command: string
}

function ownHooks(tree: Node, name: string): readonly OwnHook[] {
  const groups = findNodeAtLocation(tree, ['hooks', name])
  if (groups?.type !== 'array') return []
  return (groups.children ?? []).flatMap((group, at) => {
    const commands = findNodeAtLocation(group, ['hooks'])
    if (commands?.type !== 'array') return []
    return (commands.children ?? []).flatMap((hook, place) => {
      const node = findNodeAtLocation(hook, ['command'])
      const command: unknown = node === undefined ? undefined : getNodeValue(node)
      return isHookCommand(command) ? { path: ['hooks', name, at, 'hooks', place], command } : []
    })
  })
}

function checkSettings(text: string): void {
  const errors: ParseError[] = []
  const bare = withoutMark(text)
  const tree = parseTree(bare, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    throw new SettingsError(`it is no JSON at ${placeIn(bare, error.offset)}: ${printParseErrorCode(error.error)}`)
  }
  if (tree?.type !== 'object') throw new SettingsError('it is no JSON object')
  const hooks = findNodeAtLocation(tree, ['hooks'])
  if (hooks !== undefined && hooks.type !== 'object') throw wrongKind(bare, 'hooks', hooks, 'object')
  for (const name of NAMES) {
    const list = findNodeAtLocation(tree, ['hooks', name])
    if (list !== undefined && list.type !== 'array') throw wrongKind(bare, `hooks.${name}`, list, 'list')
  }
}

function wrongKind(text: string, name: string, node: Node, kind: string): SettingsError {
  return new SettingsError(`“${name}” at ${placeIn(text, node.offset)} is no ${kind}`)
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

function treeOf(text: string): Node {
  const tree = parseTree(withoutMark(text))
  if (tree === undefined) throw new SettingsError('it is no JSON object')
  return tree
}

const MARK = '\ufeff'

/** Some editors put a byte order mark in front, which is no JSON. */
function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text
}

function edited(text: string, path: JSONPath, value: unknown, isNew = false): string {
  const bare = withoutMark(text)
  const next = value === undefined ? withoutValue(bare, path) : withValue(bare, path, value, isNew)
  return text.slice(0, text.length - bare.length) + next
}
