// Bytes for cases: one record as a line, and parts of any kind put together.

import type { Written } from '../graph/transcript-of.ts'
import { textOf } from '../graph/transcript-of.ts'

/** Without its line end. */
export function line(record: Written): string {
  return textOf([record]).trimEnd()
}

/** Texts as UTF-8, numbers as the bytes they are. */
export function join(...parts: readonly (string | readonly number[] | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}

export function nuls(count: number): readonly number[] {
  return new Array<number>(count).fill(0)
}
