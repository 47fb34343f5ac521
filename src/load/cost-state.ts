// What the client itself believes a session has used: its last `cost-state` record. Newer clients write one after each
// turn, and go on from it when the session is resumed.

import { closeSync } from 'node:fs'
import { decodeUtf8 } from '../base/text.ts'
import { number, object, text } from '../record/fields.ts'
import type { Usage } from '../record/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import { eachLineWith } from './lines-with.ts'

export interface CostState {
  readonly path: string
  readonly line: number
  readonly sessionId: string
  readonly totalCostUsd: number | null
  readonly models: ReadonlyMap<string, Usage>
}

const NEEDLE = Buffer.from('"cost-state"')

/** Null when there is none, or no file. */
export function readCostState(path: string): CostState | null {
  const opened = openTranscript(path)
  if (isProblem(opened)) return null
  let last: CostState | null = null
  try {
    eachLineWith(opened.fd, NEEDLE, ({ bytes, number: line }) => {
      last = (bytes === null ? null : costStateOf(decodeUtf8(bytes), path, line)) ?? last
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  } finally {
    closeSync(opened.fd)
  }
  return last
}

function costStateOf(line: string, path: string, place: number): CostState | null {
  const body = parse(line)
  const used = object(body?.['modelUsage'])
  if (body?.['type'] !== 'cost-state' || used === null) return null
  const models = new Map(
    Object.entries(used).flatMap(([model, value]) =>
      object(value) === null ? [] : [[model, usageOf(value)] as const],
    ),
  )
  return {
    path,
    line: place,
    sessionId: text(body['sessionId']) ?? '',
    totalCostUsd: number(body['totalCostUSD']),
    models,
  }
}

function usageOf(value: unknown): Usage {
  const used = object(value)
  const tokens = (key: string): number => number(used?.[key]) ?? 0
  return {
    inputTokens: tokens('inputTokens'),
    outputTokens: tokens('outputTokens'),
    cacheReadTokens: tokens('cacheReadInputTokens'),
    cacheWriteTokens: tokens('cacheCreationInputTokens'),
    cacheWrite1hTokens: tokens('cacheCreationEphemeral1hInputTokens'),
  }
}

function parse(line: string): ReturnType<typeof object> {
  try {
    return object(JSON.parse(line))
  } catch {
    return null
  }
}
