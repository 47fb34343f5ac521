// What was asked for, understood.

import { extname } from 'node:path'
import type { ReadingRule } from '../conversation/reading.ts'
import type { Choice } from '../render/export/choice.ts'
import { Failure } from './failure.ts'

export const FORMATS = ['md', 'html', 'json', 'jsonl', 'txt'] as const
export type ExportFormat = (typeof FORMATS)[number]

export interface ExportPlan {
  readonly format: ExportFormat
  readonly choice: Choice
  readonly reading: ReadingRule
  readonly branch: number | null
  readonly turns: { readonly from: number; readonly to: number } | null
  readonly last: number | null
  readonly splitBytes: number
  readonly isRedacted: boolean
}

const SUFFIXES: Readonly<Record<string, ExportFormat>> = {
  '.md': 'md',
  '.markdown': 'md',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.txt': 'txt',
}

export function isFormatSuffix(suffix: string): boolean {
  return SUFFIXES[suffix.toLowerCase()] !== undefined
}

/** By name, else by what the file is called, else Markdown. */
export function chooseFormat(named: string | undefined, out: string | undefined): ExportFormat {
  if (named === undefined) return SUFFIXES[extname(out ?? '').toLowerCase()] ?? 'md'
  const format = FORMATS.find((one) => one === named) ?? (named === 'markdown' ? 'md' : undefined)
  if (format === undefined) throw new Failure(`there is no format “${named}”; there are ${FORMATS.join(', ')}`)
  return format
}
