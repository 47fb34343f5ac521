// The input of a tool that nobody knows, as text: short values on a line each, long ones as they are. JSON would show
// every line end of a text as two characters.

import { writeJson } from '../json.ts'

const LINE_LENGTH = 100
const DEPTH_MAX = 20

export function inputText(value: unknown): string {
  return value === null ? '' : lines(value, '', 0).join('\n')
}

function lines(value: unknown, indent: string, depth: number): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [indent + short(value)]
  const fields = Object.entries(value)
  if (fields.length === 0) return [`${indent}${Array.isArray(value) ? '[]' : '{}'}`]
  return fields.flatMap(([key, inner]) => field(Array.isArray(value) ? '-' : `${key}:`, inner, indent, depth))
}

function field(lead: string, value: unknown, indent: string, depth: number): readonly string[] {
  if (typeof value === 'string' && (value.includes('\n') || value.length > LINE_LENGTH))
    return [`${indent}${lead}`, ...value.split('\n').map((line) => `${indent}  ${line}`)]
  if (typeof value !== 'object' || value === null) return [`${indent}${lead} ${short(value)}`]
  return [`${indent}${lead}`, ...lines(value, `${indent}  `, depth + 1)]
}

function short(value: unknown): string {
  return typeof value === 'string' ? value : (writeJson(value) ?? 'null')
}
