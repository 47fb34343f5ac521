// What is exported as JSON and read back is the model it was made from: every Branch, Turn and Part, and every Subagent.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportModel } from '../../src/cli/export-model.ts'
import { openForExport } from '../../src/cli/export-open.ts'
import type { ExportPlan } from '../../src/cli/export-plan.ts'
import { openBodies } from '../../src/load/bodies.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { openSession } from '../../src/load/session.ts'
import type { Choice } from '../../src/render/export/choice.ts'
import { chooseParts, EVERYTHING } from '../../src/render/export/choice.ts'
import type { ConversationModel } from '../../src/render/export/conversation-document.ts'
import { conversationDocument, importConversation } from '../../src/render/export/conversation-document.ts'
import { toJson } from '../../src/render/terminal.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import { bytesOf, randomOf, randomRecords } from '../random.ts'

const AS_ASKED = chooseParts('full', [], [], 'placeholder')

describe.each([
  ['everything', EVERYTHING],
  ['what is exported when nothing is said', AS_ASKED],
])('%s', (_, choice) => {
  test('the sample', () => {
    const counted = modelsBelow([sample], choice).map((model) => {
      expectRoundTrip(model)
      return model.conversation.branches.length + model.subagents.length
    })
    expect(counted.length).toBe(5)
    expect(counted.reduce((sum, one) => sum + one)).toBeGreaterThan(10)
  })

  test.runIf(corpus !== null)('the corpora', () => {
    const models = modelsBelow([`${corpus}/client`, `${corpus}/public`], choice)
    expect(models.length).toBeGreaterThan(100)
    for (const model of models) expectRoundTrip(model)
  })
})

test('any transcript', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const root = writeBelow(newFolder('random'), { 'p/made.jsonl': bytesOf(randomRecords(randomOf(seed), 'made')) })
      for (const model of modelsBelow([root], EVERYTHING)) expectRoundTrip(model)
    }),
    { numRuns: 150 },
  )
})

test('a part of it, and another reading', () => {
  for (const plan of [{ turns: { from: 2, to: 3 } }, { reading: 'context' as const }, { branch: 1 }, { last: 1 }]) {
    for (const model of modelsBelow([sample], EVERYTHING, plan)) {
      expect(model.conversation.branches.length).toBe(1)
      expectRoundTrip(model)
    }
  }
})

test.each([
  ['nothing', null],
  ['a text', 'conversation'],
  ['another document', { clew: { format: 'records', version: 1 } }],
  ['a later version', { clew: { format: 'conversation', version: 2 }, conversation: { branches: [] } }],
  ['no conversation', { clew: { format: 'conversation', version: 1 } }],
])('%s is not imported', (_, document) => {
  expect(importConversation(document)).toBeNull()
})

function expectRoundTrip(model: ConversationModel): void {
  const document = toJson(conversationDocument(model, { about: 'whatever' }))
  const back = importConversation(JSON.parse(document))
  if (!isDeepStrictEqual(back, model)) expect(back).toEqual(model)
}

function modelsBelow(
  roots: readonly string[],
  choice: Choice,
  more: Partial<ExportPlan> = {},
): readonly ConversationModel[] {
  const archive = findTranscripts(roots)
  const plan: ExportPlan = {
    format: 'json',
    choice,
    reading: 'full',
    branch: null,
    turns: null,
    last: null,
    splitBytes: 1,
    isRedacted: false,
    ...more,
  }
  return archive.projects.flatMap(({ files }) =>
    files
      .filter((file) => file.role === 'main')
      .flatMap((file) => {
        const session = openSession(archive, file, 'resume')
        const { woven } = session
        if (woven.outline.branches.length <= (plan.branch ?? 0)) return []
        const bodies = openBodies()
        try {
          return [
            exportModel(openForExport({ session, agentId: null, record: null, isCopy: false }, plan), choice, bodies),
          ]
        } catch (error) {
          // Sessions in which nothing was said are not exported, and short ones have no third turn.
          if (error instanceof Error && /nothing was said|there is no turn/.test(error.message)) return []
          throw error
        } finally {
          bodies.close()
        }
      }),
  )
}
