// Spills: tool output too long for its record, in plain files beside the transcript.

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptFile } from '../source/model.ts'
import type { ScanTarget } from './scan-model.ts'

export function spillsOf({ sessionFolder }: TranscriptFile): readonly ScanTarget[] {
  if (sessionFolder === null) return []
  const folder = join(sessionFolder, 'tool-results')
  const targets: ScanTarget[] = []
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() === true) targets.push({ path, sizeBytes: stat.size, isSpill: true })
  }
  return targets
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    // Most sessions have none.
    return []
  }
}
