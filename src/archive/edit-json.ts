// One change to a JSON text with comments. jsonc-parser finds the places; where it would take comments along, or put
// something between a value and the comment on its line, we do it ourselves.

import type { FormattingOptions, JSONPath, Node } from 'jsonc-parser'
import { applyEdits, createScanner, findNodeAtLocation, modify, parseTree } from 'jsonc-parser'

/** With a value at a path: a new one, or another one in its place. `isNew` adds to a list. */
export function withValue(text: string, path: JSONPath, value: unknown, isNew = false): string {
  const options = { formattingOptions: formattingOf(text), isArrayInsertion: isNew }
  const next = applyEdits(text, modify(text, path, value, options))
  const at = lastEnd(text, path)
  const isAddition = at !== null && next.startsWith(text.slice(0, at)) && next.endsWith(text.slice(at))
  const added = isAddition ? next.slice(at, next.length - (text.length - at)) : ''
  if (at === null || !added.startsWith(',')) return next
  // Behind the comment that stands on the line of what comes before.
  const comment = COMMENT.exec(text.slice(at))?.[0] ?? ''
  if (comment === '') return next
  const comma = comment.startsWith(',') ? '' : ','
  return `${text.slice(0, at)}${comma}${comment}${added.slice(1)}${text.slice(at + comment.length)}`
}

const COMMENT = /^,?[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)(?=\r?\n)/

/** Where the last of all ends that is in the nearest object or list on the way; null when that is empty. */
function lastEnd(text: string, path: JSONPath): number | null {
  const tree = parseTree(text)
  for (let length = path.length - 1; tree !== undefined && length >= 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    const last = node?.children?.at(-1)
    if (node !== undefined) return last === undefined ? null : endOf(last)
  }
  return null
}

/** Without what is at a path. Comments stay. */
export function withoutValue(text: string, path: JSONPath): string {
  const tree = parseTree(text)
  const found = tree && findNodeAtLocation(tree, path)
  // What is in an object is there with its name.
  const node = found?.parent?.type === 'property' ? found.parent : found
  const siblings = node?.parent?.children
  if (node === undefined || siblings === undefined) return text
  const place = siblings.indexOf(node)
  const before = siblings[place - 1]
  const end = endOf(node)
  const comma = commaIn(text, end, siblings[place + 1]?.offset ?? endOf(node.parent as Node))
  if (comma !== null && siblings.length > place + 1) {
    const rest = text.slice(comma + 1)
    return text.slice(0, node.offset) + rest.trimStart()
  }
  const from = before === undefined ? (node.parent?.offset ?? 0) + 1 : endOf(before)
  const gap = text.slice(from, node.offset)
  const rest = text.slice(comma === null ? end : comma + 1)
  // A comma behind the last one stays one; else the one in front of it goes too.
  const between = before === undefined || comma !== null ? gap : withoutComma(gap)
  if (before === undefined && gap.trim() === '' && /^\s*[}\]]/.test(rest)) return text.slice(0, from) + rest.trimStart()
  return text.slice(0, from) + between.trimEnd() + rest
}

function endOf(node: Node): number {
  return node.offset + node.length
}

function withoutComma(gap: string): string {
  const at = commaIn(gap, 0, gap.length)
  return at === null ? gap : gap.slice(0, at) + gap.slice(at + 1)
}

/** The first comma of a stretch that is not in a comment. */
function commaIn(text: string, from: number, to: number): number | null {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  do scanner.scan()
  while (scanner.getTokenOffset() < to && text[scanner.getTokenOffset()] !== ',')
  return scanner.getTokenOffset() < to ? scanner.getTokenOffset() : null
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
