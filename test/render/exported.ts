// The export command on made-up sessions, in this process.

import { exportCommand } from '../../src/cli/export.ts'
import { hostileFiles } from '../cli/hostile.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'

const NOW_MS = Date.parse('2026-11-15T12:00:00Z')

export async function exported(words: readonly string[]): Promise<string> {
  const { status, out, err } = await runHere(exportCommand, [...words, '--no-index'], NOW_MS)
  if (status !== 0) throw new Error(`clew export ${words.join(' ')}: ${err}`)
  return out
}

export async function refused(words: readonly string[]): Promise<string> {
  const { status, out, err } = await runHere(exportCommand, [...words, '--no-index'], NOW_MS)
  if (status !== 1 || out !== '')
    throw new Error(`clew export ${words.join(' ')} was not refused: ${status} ${out.slice(0, 80)}`)
  return err
}

const NAME = '7f3a1c52-0000-4000-8000-000000000001'

const roots = new Map<string, string>()

/** A conversation that has this text wherever there can be one, exported with everything that can be shown. */
export async function exportedHostile(text: string, format: string, more: readonly string[] = []): Promise<string> {
  const root = roots.get(text) ?? writeBelow(newFolder('hostile'), hostileFiles(text, NAME))
  roots.set(text, root)
  return exported(['latest', '--root', root, '--format', format, ...more])
}

export const EVERYTHING = ['--detail', 'full', '--include', 'client,recaps,injections,thinking,tools,subagents']
