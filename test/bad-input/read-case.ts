// One hostile file, from its bytes through every stage, the way the commands take it. What must hold for any bytes at
// all is checked here (see sound.ts), so that a case only has to say which records and which Problems it expects.

import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { expect } from 'vitest'
import type { Problem } from '../../src/base/problem.ts'
import type { Woven } from '../../src/conversation/build.ts'
import { conversationProblems } from '../../src/conversation/build.ts'
import { loadProject, weaveSession } from '../../src/load/project.ts'
import type { LoadedFile } from '../../src/load/read.ts'
import { loadFile } from '../../src/load/read.ts'
import { splitLines } from '../../src/record/split.ts'
import { holdsLoneSurrogate } from '../../src/record/surrogates.ts'
import type { ReadTranscript } from '../../src/record/transcript.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { discover } from '../../src/source/discover.ts'
import type { TranscriptFile } from '../../src/source/model.ts'
import { expectBothWays } from '../record/both-ways.ts'
import { expectBytesPlaced, expectNodesPlaced, expectReadable } from './sound.ts'

export interface ReadCase {
  readonly loaded: LoadedFile
  readonly woven: Woven
  /** Of the file and of its conversation. */
  readonly problems: readonly Problem[]
  readonly holdsLoneSurrogate: boolean
}

export const FILE_NAME = '5e551011-0000-4000-8000-000000000000.jsonl'

export function readCase(written: string | Uint8Array): ReadCase {
  const bytes = Buffer.from(written as Uint8Array)
  return inFolder((folder) => {
    const file = path.join(folder, FILE_NAME)
    fs.writeFileSync(file, bytes)
    const found = readFile(file)
    expectBytesPlaced({ ...found.loaded.transcript, account: found.loaded.account }, bytes)
    expectBothWays(bytes)
    expectNodesPlaced(found.woven)
    expectReadable(found.loaded, found.woven)
    return found
  })
}

/** From memory and no further than to Envelopes, for tests that read thousands of variations of one input. */
export function readBytes(...parts: readonly (string | Uint8Array)[]): ReadTranscript {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)))
  const found = readTranscript('/p/s.jsonl', splitLines(bytes))
  expectBytesPlaced(found, bytes)
  return found
}

/** Without the checks whose cost grows too fast for files of a hundred megabytes. */
export function readFile(file: string): ReadCase {
  const { files } = discover(file)
  const marks = { holdsLoneSurrogate: false }
  const read = (file: TranscriptFile): LoadedFile =>
    loadFile(file, {
      visit: (_, body) => {
        marks.holdsLoneSurrogate ||= holdsLoneSurrogate(body)
      },
      // What the scanner reads holds none.
      visitSketch: () => undefined,
    })
  const project = loadProject(projectOf(files), { readsAgents: true, read })
  const loaded = project.mains[0]
  if (loaded === undefined) throw new Error(`not found: ${file}`)
  const woven = weaveSession(project, 0, 'resume')
  return { loaded, woven, problems: conversationProblems(woven), ...marks }
}

export function projectOf(files: readonly TranscriptFile[]): Parameters<typeof loadProject>[0] {
  return { key: 'p', root: '/p', files, sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) }
}

export function inFolder<Value>(use: (folder: string) => Value): Value {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clew-bad-input-'))
  try {
    return use(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The uuids of all records in file order, copies too; a record without one is a dot. */
export function uuidsOf({ envelopes }: Pick<ReadTranscript, 'envelopes'>): string {
  return envelopes.map(({ uuid }) => uuid ?? '.').join(' ')
}

/** The codes of all Problems, sorted, each as often as it was met. */
export function codesOf({ problems }: Pick<ReadCase, 'problems'>): string {
  return problems
    .map(({ code }) => code)
    .sort()
    .join(' ')
}

/** Sorted as `codesOf` sorts, so that a case may name its codes in the order in which they tell the story. */
export function sorted(words: string): string {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}

export function expectCase(found: ReadCase, expected: { readonly uuids: string; readonly problems: string }): void {
  expect({ uuids: uuidsOf(found.loaded.transcript), problems: codesOf(found) }).toEqual({
    uuids: expected.uuids,
    problems: sorted(expected.problems),
  })
}
