// What `clew scan` found: where, and by which rule. The Secret itself is nowhere in it.

import type { Style } from './style.ts'
import { safeName, toJson } from './terminal.ts'
import { counted, size } from './units.ts'

export interface FoundSecret {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly uuid: string | null
  readonly rule: string
  readonly placeholder: string
  /** How often it stands there. */
  readonly count: number
}

export interface ScanTotals {
  /** Those that were looked through. */
  readonly files: number
  readonly sizeBytes: number
  /** Files and folders that could not be read, or not to their end. */
  readonly unread: number
  readonly findings: number
  /** How many different ones. */
  readonly secrets: number
}

export function findingJson({ path, line, uuid, rule, placeholder, count }: FoundSecret): string {
  return toJson({ path, line, uuid, rule, placeholder, count })
}

export function scanText(
  { path, line, uuid, placeholder, count }: FoundSecret,
  isFirst: boolean,
  style: Style,
): string {
  const record = uuid === null ? '' : style.dim(`  #${safeName(uuid).slice(0, 8)}`)
  const often = count === 1 ? '' : style.dim(`  × ${count}`)
  const told = `  line ${String(line).padEnd(6)} ${style.note(placeholder)}${often}${record}`
  return isFirst ? `${style.bold(safeName(path))}\n${told}` : told
}

export function scanTotals({ files, sizeBytes, unread, findings, secrets }: ScanTotals, style: Style): string {
  const looked = `${counted(files, 'file')}, ${size(sizeBytes)}`
  const missed = unread === 0 ? '' : style.bad(` ${unread} more could not be read.`)
  if (findings > 0) {
    const found = `${counted(secrets, 'secret')} in ${counted(findings, 'place')}.`
    return `${looked}: ${style.bad(found)}${missed}`
  }
  if (unread === 0) return `${looked}: ${style.good('no secrets found.')}`
  return files === 0 ? style.bad(`${unread} could not be read.`) : `${looked}: no secrets found in these.${missed}`
}
